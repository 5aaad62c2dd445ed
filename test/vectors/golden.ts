import type { BundleId } from '../../src/base/ids.js'
import { pack, type Packed } from '../../src/bundle/pack.js'
import { seal } from '../../src/bundle/seal.js'
import { utf8 } from '../../src/keys/sodium.js'
import {
  ana,
  ben,
  cleo,
  packing,
  signedBy,
  skill,
  toBen,
  tool,
  trip,
  uidOf,
  type Draft
} from '../bundle/sample.js'
import { versionHash } from '../../src/namespace/version.js'
import { toOne, type Vector } from './vector.js'

/** Bundles that open. */
export function goldenVectors(): Vector[] {
  return [
    {
      name: 'one-skill',
      about: 'The smallest: a skill that mentions nothing, to one device.',
      bundle: seal(pack(packing([{ slug: 'greet', body: ['Say hello.\n'] }])), toOne)
    },
    {
      name: 'closure',
      about: 'Two skills that mention each other, tools, files, one executable, a note.',
      bundle: seal(trip(), toOne)
    },
    {
      name: 'several-devices',
      about: 'To three devices, so with four stanzas of which one is a dummy; opened by the third.',
      bundle: seal(trip(), toBen()),
      device: 2
    },
    { name: 'alias', about: 'A body that mentions a skill by an alias.', bundle: seal(aliased(), toOne) },
    {
      name: 'two-authors',
      about: 'A skill by someone else, edited by the sender.',
      bundle: seal(edited(), toOne)
    },
    {
      name: 'unicode',
      about: 'Text and paths beyond ASCII, an empty file, a body of nothing.',
      bundle: seal(pack(packing(unicode)), toOne)
    },
    {
      name: 'two-chunks',
      about: 'More than 64 KiB inside.',
      bundle: seal(
        pack(
          packing([
            { slug: 'greet', body: ['Hi.'], files: [{ path: 'a', bytes: new Uint8Array(66_000).fill(7) }] }
          ])
        ),
        toOne
      )
    },
    {
      name: 'own-device',
      about: 'From one of Ben’s devices to another.',
      bundle: seal(trip(), {
        ...toOne,
        sender: { signer: ben.devices[1]!.signer, attestation: ben.attestations[1]! }
      })
    },
    {
      name: 'highest-numbers',
      about: 'The highest id, sequence and time.',
      bundle: seal(trip(), {
        ...toOne,
        id: 'f'.repeat(32) as BundleId,
        sequence: 2 ** 32 - 1,
        created: 253_402_300_799_999
      })
    }
  ]
}

function aliased(): Packed {
  const from = uidOf('an older pack-bag')
  const drafts: Draft[] = [
    { slug: 'plan-trip', body: ['Ask ', { skill: from }, '.'] },
    { slug: 'pack-bag', body: ['Use ', tool('find_file'), '.'] }
  ]
  return pack(packing(drafts, { aliases: [{ from, to: uidOf('pack-bag') }] }))
}

function edited(): Packed {
  const theirs = packing([{ slug: 'greet', body: ['Say hello.'], author: cleo }])
  const mine = packing([{ slug: 'greet', body: ['Say hello to ', skill('greet'), '.'], author: ana }])
  const [row] = mine.closure.skills
  const first = theirs.closure.skills[0]!.head
  const { uid, content } = mine.versions.get(row!.head)!
  const second = signedBy(ana, { uid, content, parents: [first], time: 1_760_000_100 })
  const head = versionHash(second)
  return pack({
    ...mine,
    closure: { ...mine.closure, skills: [{ ...row!, head, heads: [head] }] },
    versions: new Map([...theirs.versions, [head, second]]),
    attestations: new Map([...theirs.attestations, ...mine.attestations])
  })
}

const unicode: Draft[] = [
  {
    slug: 'gruss',
    title: 'Grüß Gott 👋',
    body: [],
    files: [
      { path: 'Übersicht/日本.md', bytes: utf8('猫\n') },
      { path: 'empty', bytes: new Uint8Array() }
    ]
  }
]
