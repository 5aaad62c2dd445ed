import {
  MAX_ALIASES,
  MAX_BODY,
  MAX_FILE,
  MAX_FILES,
  MAX_LINEAGE,
  MAX_MANIFEST,
  MAX_NOTE,
  MAX_SKILLS
} from '../../src/base/limits.js'
import type { Manifest } from '../../src/bundle/manifest.js'
import { skill, uidOf, type Draft } from '../bundle/sample.js'
import { forged } from './forge.js'
import { insider, type Vector } from './vector.js'
import { eachSkill, greet, noted } from './honest.js'

/** One above each limit that the manifest and the contents show. */
export function limitVectors(): Vector[] {
  const longSlug = 'x'.repeat(64)
  const mention = [{ skill: uidOf(longSlug) }, ' ']
  const body = Array.from({ length: Math.ceil(MAX_BODY / 66) }, () => mention).flat()
  return [
    insider(
      'limit-note',
      'E_LIMIT_NOTE',
      'A note of 2,001 characters.',
      forged([greet], { manifest: (manifest) => ({ ...manifest, note: 'x'.repeat(MAX_NOTE + 1) }) })
    ),
    insider('limit-skills', 'E_LIMIT_SKILLS', '257 skills.', forged([greet], { manifest: tooManySkills })),
    insider(
      'limit-content',
      'E_LIMIT_CONTENT',
      'A content that says it is over 5 MiB.',
      forged([greet], { manifest: eachSkill(() => ({ size: MAX_BODY + MAX_MANIFEST + 1 })) })
    ),
    insider(
      'limit-lineage',
      'E_LIMIT_LINEAGE',
      '257 versions of one skill.',
      forged([greet], { manifest: tooManyVersions })
    ),
    insider(
      'limit-aliases',
      'E_LIMIT_ALIASES',
      '1,025 aliases.',
      forged([greet], {
        manifest: (manifest) => ({
          ...manifest,
          aliases: Array.from({ length: MAX_ALIASES + 1 }, (_, n) => ({
            from: uidOf(`${n}`),
            to: manifest.root
          }))
        })
      })
    ),
    insider('limit-files', 'E_LIMIT_FILES', 'Two skills with 1,001 and 1,000 files.', forged(tooManyFiles())),
    insider(
      'limit-files-listed',
      'E_LIMIT_FILES',
      'A manifest that lists 2,001 files.',
      forged([greet], {
        manifest: (manifest) => ({ ...manifest, files: Array.from({ length: MAX_FILES + 1 }, () => NO_FILE) })
      })
    ),
    insider(
      'limit-file',
      'E_LIMIT_FILE',
      'A file that says it is over 8 MiB.',
      forged([noted], {
        manifest: (manifest) => ({
          ...manifest,
          files: manifest.files.map((file) => ({ ...file, size: MAX_FILE + 1 }))
        })
      })
    ),
    insider(
      'limit-body',
      'E_LIMIT_BODY',
      'A body that is over 1 MiB with its slugs filled in.',
      forged([{ slug: longSlug, body }])
    )
  ]
}

const NO_FILE = { hash: '0'.repeat(64), size: 0 }

function tooManySkills(manifest: Manifest): object {
  return { ...manifest, skills: Array.from({ length: MAX_SKILLS + 1 }, () => manifest.skills[0]!) }
}

function tooManyVersions(manifest: Manifest): object {
  return eachSkill(({ versions }) => ({
    versions: Array.from({ length: MAX_LINEAGE + 1 }, () => versions[0]!)
  }))(manifest)
}

/** One empty file under many paths, so that the limit of paths is met and not that of hashes. */
function tooManyFiles(): Draft[] {
  const files = (count: number): NonNullable<Draft['files']> =>
    Array.from({ length: count }, (_, n) => ({ path: `${n}`, bytes: new Uint8Array() }))
  const half = MAX_FILES / 2
  return [
    { slug: 'plan-trip', body: ['Ask ', skill('pack-bag'), '.'], files: files(half + 1) },
    { slug: 'pack-bag', body: ['-'], files: files(half) }
  ]
}
