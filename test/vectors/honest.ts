import type { BundledSkill, Manifest } from '../../src/bundle/manifest.js'
import { utf8 } from '../../src/keys/sodium.js'
import { skill, tool, type Draft } from '../bundle/sample.js'

/** Alone. */
export const greet: Draft = { slug: 'greet', body: ['Say hello.\n'] }

/** The same with two files of one size. */
export const noted: Draft = {
  ...greet,
  files: [
    { path: 'a.txt', bytes: utf8('one\n') },
    { path: 'b.txt', bytes: utf8('two\n') }
  ]
}

/** One that mentions the other, which mentions a tool. */
export const pair: Draft[] = [
  { slug: 'plan-trip', body: ['Ask ', skill('pack-bag'), '.'] },
  { slug: 'pack-bag', body: ['Use ', tool('find_file'), '.'] }
]

/** What to put in the place of a skill’s fields. */
export type Change = (skill: BundledSkill) => object

/** Changes every skill of a manifest. */
export function eachSkill(change: Change): (manifest: Manifest) => Manifest {
  return (manifest) => ({
    ...manifest,
    skills: manifest.skills.map((each) => ({ ...each, ...change(each) }))
  })
}

/** The bytes with the last bit changed. */
export function flippedLast(bytes: Uint8Array): Uint8Array {
  const out = bytes.slice()
  out[out.length - 1]! ^= 1
  return out
}
