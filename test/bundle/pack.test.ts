import t, { type Test } from 'tap'
import { isSelkieError, type ErrorCode } from '../../src/base/errors.js'
import {
  MAX_ALIASES,
  MAX_BUNDLE,
  MAX_FILE,
  MAX_FILES,
  MAX_LINEAGE,
  MAX_NOTE,
  MAX_SKILLS,
  MAX_VERSIONS
} from '../../src/base/limits.js'
import { cutToFit, refuseForgedLineages } from '../../src/bundle/lineage.js'
import { pack } from '../../src/bundle/pack.js'
import { seal } from '../../src/bundle/seal.js'
import type { Attestation } from '../../src/keys/identity.js'
import { utf8 } from '../../src/keys/sodium.js'
import { fileHash } from '../../src/namespace/skill.js'
import { versionHash } from '../../src/namespace/version.js'
import {
  ana,
  ben,
  cleo,
  openedByBen,
  packing,
  signedBy,
  skill,
  toBen,
  tool,
  trip,
  uidOf,
  type Draft
} from './sample.js'

t.test('the same closure and note pack to the same hash, whatever order it is found in', async (t) => {
  const drafts: Draft[] = [
    {
      slug: 'a',
      body: [tool('find_file'), ' ', tool('query_calendar'), ' ', skill('b')],
      files: [file('x', 'one'), file('y', 'two')]
    },
    { slug: 'b', body: ['-'], versions: 3 }
  ]
  const one = packing(drafts)
  const other = packing(drafts)
  const backwards = {
    ...other,
    closure: { ...other.closure, tools: [...other.closure.tools].reverse() },
    versions: new Map([...other.versions].reverse()),
    files: new Map([...other.files].reverse())
  }
  t.equal(pack(one).payloadHash, pack(backwards).payloadHash)
  t.not(pack(one).payloadHash, pack(packing(drafts, { note: 'x' })).payloadHash)
})

t.test('a lineage is the head and its ancestors, newest first, at most 256', async (t) => {
  const { manifest } = pack(packing([{ slug: 'a', body: ['-'], versions: MAX_LINEAGE + 5 }]))
  const [only] = manifest.skills
  t.equal(only!.versions.length, MAX_LINEAGE)
  t.equal(only!.versions[0]!.time, 1_760_000_000 + MAX_LINEAGE + 4)
  t.same(
    openedByBen(seal(pack(packing([{ slug: 'a', body: ['-'], versions: 300 }])), toBen())).versions.size,
    MAX_LINEAGE
  )
})

t.test('of many lineages the long ones are cut first', async (t) => {
  const version = [...packing([{ slug: 'a', body: ['-'] }]).versions.values()][0]!
  const lineages = [3, ...Array<number>(100).fill(MAX_LINEAGE)].map((length) =>
    Array.from({ length }, () => version)
  )
  const cut = cutToFit(lineages).map(({ length }) => length)
  t.equal(cut[0], 3)
  t.equal(new Set(cut.slice(1)).size, 1)
  t.ok(cut.reduce((sum, length) => sum + length) <= MAX_VERSIONS)
  t.ok(cut.reduce((sum, length) => sum + length + 1) > MAX_VERSIONS)
})

t.test('only the aliases that something uses go along', async (t) => {
  const [old, older, idle] = [uidOf('old'), uidOf('older'), uidOf('idle')]
  const drafts: Draft[] = [{ slug: 'a', body: ['See ', { skill: old }, '.'], versions: 2 }]
  const aliases = [old, older, idle].map((from) => ({ from, to: uidOf('a') }))
  const whole = packing(drafts, { aliases })
  t.same(pack(whole).manifest.aliases, [{ from: old, to: uidOf('a') }])

  // Its first version was made when it had another uid.
  const [row] = whole.closure.skills
  const { content } = whole.versions.get(row!.head)!
  const first = signedBy(ana, { uid: older, content, parents: [], time: 1_760_000_000 })
  const parents = [versionHash(first)]
  const second = signedBy(ana, { uid: row!.uid, content, parents, time: 1_760_000_001 })
  const head = versionHash(second)
  const { manifest } = pack({
    ...whole,
    closure: { ...whole.closure, skills: [{ ...row!, head, heads: [head] }] },
    versions: new Map([first, second].map((version) => [versionHash(version), version]))
  })
  t.same(new Set(manifest.aliases.map(({ from }) => from)), new Set([old, older]))
  t.equal(manifest.skills[0]!.versions.length, 2)
})

t.test('what isn’t on this device is named', async (t) => {
  const whole = packing([{ slug: 'a', body: ['-'], files: [file('docs/x', 'one')] }])
  for (const [part, what] of [
    ['files', 'its file docs/x'],
    ['contents', 'its text'],
    ['versions', 'its text'],
    ['attestations', 'the proof of who wrote it']
  ]) {
    t.throws(() => pack({ ...whole, [part!]: new Map() }), {
      code: 'E_PACK_MISSING',
      fields: { slug: 'a', what }
    })
  }
})

t.test('what a receiver would refuse isn’t packed', async (t) => {
  refused(t, 'E_PATH', [{ slug: 'a', body: ['-'], files: [file('../x', 'one')] }])
  refused(t, 'E_PATH_COLLISION', [{ slug: 'a', body: ['-'], files: [file('X', 'one'), file('x', 'one')] }])
  refused(t, 'E_BUNDLE_DANGLES', [{ slug: 'a', body: [skill('b')] }])
  t.doesNotThrow(() =>
    pack(
      packing([
        { slug: 'a', body: [skill('b')], files: [file('x', 'one')] },
        { slug: 'b', body: ['-'], files: [file('X', 'one')] }
      ])
    )
  )
})

t.test('at a limit it is sealed and opens, one above it is refused by name', async (t) => {
  works(t, skills(MAX_SKILLS))
  refused(t, 'E_LIMIT_SKILLS', skills(MAX_SKILLS + 1))
  works(t, [{ slug: 'a', body: ['-'], files: emptyFiles(MAX_FILES) }])
  const two = (count: number): Draft[] => [
    { slug: 'a', body: [skill('b')], files: emptyFiles(count) },
    { slug: 'b', body: ['-'], files: emptyFiles(1000) }
  ]
  works(t, two(1000))
  refused(t, 'E_LIMIT_FILES', two(1001))
  works(t, [{ slug: 'a', body: ['-'], files: [{ path: 'x', bytes: new Uint8Array(MAX_FILE) }] }])
  works(t, [{ slug: 'a', body: ['-'] }], 'x'.repeat(MAX_NOTE))
  refused(t, 'E_LIMIT_NOTE', [{ slug: 'a', body: ['-'] }], 'x'.repeat(MAX_NOTE + 1))
  works(t, [
    { slug: 'a', body: ['-'], files: [file('ü'.repeat(120), 'one'), file('a/'.repeat(15) + 'a', 'one')] }
  ])
})

t.test('aliases had no limit', async (t) => {
  const aliased = (count: number) => {
    const others = Array.from({ length: count }, (_, n) => `other-${n}`)
    const body = others.flatMap((name) => [skill(name), ' '])
    return packing([{ slug: 'a', body }], {
      aliases: others.map((name) => ({ from: uidOf(name), to: uidOf('a') }))
    })
  }
  t.equal(openedByBen(seal(pack(aliased(MAX_ALIASES)), toBen())).manifest.aliases.length, MAX_ALIASES)
  t.throws(() => pack(aliased(MAX_ALIASES + 1)), { code: 'E_LIMIT_ALIASES' })
})

t.test('attestations that nothing needs were verified before they were refused', async (t) => {
  const { manifest } = pack(packing([{ slug: 'a', body: ['-'] }]))
  const [attestation] = manifest.attestations
  let read = 0
  const watched: Attestation = {
    ...attestation!,
    get signature() {
      read++
      return attestation!.signature
    }
  }
  const refuse = (attestations: Attestation[]) => () => refuseForgedLineages({ ...manifest, attestations })
  t.throws(refuse([watched, watched]), { code: 'E_BUNDLE_ATTESTATIONS' })
  t.throws(refuse([watched, cleo.attestations[0]!]), { code: 'E_BUNDLE_ATTESTATIONS' })
  t.equal(read, 0)
  t.throws(refuse([cleo.attestations[0]!]), { code: 'E_BUNDLE_AUTHOR' }, 'as many, and not the author’s')
  t.equal(refuse([watched])().size, 1)
  t.equal(read, 1)
})

t.test('a body is measured as it is shown', async (t) => {
  const long = 'x'.repeat(64)
  const body = (mentions: number, more: number): Draft[] => [
    {
      slug: long,
      body: [
        ...Array.from({ length: mentions - 1 }, () => [skill(long), ' ']).flat(),
        skill(long),
        ` ${'x'.repeat(more)}`
      ]
    }
  ]
  const mentions = Math.floor(2 ** 20 / 66)
  const rest = 2 ** 20 - mentions * 66
  works(t, body(mentions, rest))
  refused(t, 'E_LIMIT_BODY', body(mentions, rest + 1))
})

t.test(
  'the largest bundle opens, and one byte more inside is refused for any number of devices',
  async (t) => {
    const drafts = (size: number): Draft[] => [
      {
        slug: 'a',
        body: ['-'],
        files: [
          { path: '0', bytes: new Uint8Array(MAX_FILE) },
          { path: '1', bytes: new Uint8Array(size) }
        ]
      }
    ]
    const probe = pack(packing(drafts(1000)))
    const largestInner = MAX_BUNDLE - 256 * 1024
    const room = largestInner - 516 - probe.index.length - MAX_FILE
    // The size is written in the index twice, and as a longer number than 1,000.
    const size = room - 2 * 2
    const packed = pack(packing(drafts(size)))
    for (const count of [1, 16]) {
      const sealingKeys = Array.from({ length: count }, () => ben.devices[0]!.sealing.publicKey)
      const bundle = seal(packed, toBen({ recipient: { identity: ben.identity, sealingKeys } }))
      t.ok(bundle.length <= MAX_BUNDLE)
      t.equal(openedByBen(bundle).files.get(fileHash(new Uint8Array(size)))?.length, size)
    }
    refused(t, 'E_LIMIT_BUNDLE', drafts(size + 1))
  }
)

t.test('a bundle goes to one to sixteen devices, and shows a power of two of them', async (t) => {
  const to = (count: number): Uint8Array => {
    const sealingKeys = Array.from(
      { length: count },
      (_, n) => ben.devices[n === count - 1 ? 0 : 1]!.sealing.publicKey
    )
    return seal(trip(), toBen({ recipient: { identity: ben.identity, sealingKeys } }))
  }
  for (const [count, shown] of [
    [1, 1],
    [2, 2],
    [3, 4],
    [5, 8],
    [9, 16],
    [16, 16]
  ] as const) {
    t.equal(to(count)[8], shown)
    t.equal(openedByBen(to(count)).sender, ana.identity)
  }
  for (const count of [0, 17]) t.throws(() => to(count), { code: 'E_LIMIT_DEVICES' })
})

function file(path: string, text: string): { path: string; bytes: Uint8Array } {
  return { path, bytes: utf8(text) }
}

function emptyFiles(count: number): NonNullable<Draft['files']> {
  return Array.from({ length: count }, (_, n) => file(`${n}`, ''))
}

/** One that mentions all the others. */
function skills(count: number): Draft[] {
  const others = Array.from({ length: count - 1 }, (_, n) => `s-${n}`)
  const body = others.flatMap((slug) => [{ skill: uidOf(slug) }, ' '])
  return [{ slug: 'root', body }, ...others.map((slug) => ({ slug, body: ['-'] }))]
}

function works(t: Test, drafts: readonly Draft[], note = ''): void {
  const packed = pack(packing(drafts, { note }))
  t.equal(openedByBen(seal(packed, toBen())).payloadHash, packed.payloadHash)
}

function refused(t: Test, code: ErrorCode, drafts: readonly Draft[], note = ''): void {
  try {
    pack(packing(drafts, { note }))
    t.fail(`${code} is not raised`)
  } catch (error) {
    if (!isSelkieError(error)) throw error
    t.equal(error.code, code)
  }
}
