import fc from 'fast-check'
import t from 'tap'
import { isSelkieError } from '../../src/base/errors.js'
import type { Uid } from '../../src/base/ids.js'
import { pack } from '../../src/bundle/pack.js'
import { seal } from '../../src/bundle/seal.js'
import { toHex } from '../../src/keys/sodium.js'
import { encodeContent } from '../../src/namespace/content.js'
import { linked, type LinkedBody } from '../../src/namespace/linked.js'
import { toolBySlug } from '../../src/namespace/tool.js'
import { ana, ben, openedByBen, packing, toBen, trip, uidOf, type Draft } from './sample.js'

t.test('what is sealed comes out the same', async (t) => {
  const packed = trip()
  const opened = openedByBen(seal(packed, toBen()))
  t.same(opened.manifest, packed.manifest)
  t.equal(opened.payloadHash, packed.payloadHash)
  t.equal(opened.sender, ana.identity)
  t.equal(opened.device, ana.devices[0]!.signer.key)
  t.equal(opened.id, toBen().id)
  t.equal(opened.sequence, 7)
  t.equal(opened.created, 1_760_000_000_000)
  t.same([...opened.files.values()].map(toHex), packed.bodies.map(toHex))
  for (const { content, head } of opened.manifest.skills) {
    const encoded = opened.contents.get(content)!
    t.same(encodeContent(encoded.content), encoded.bytes)
    t.equal(opened.versions.get(head)?.content, content)
  }
})

t.test('every device of the recipient opens it, and one’s own devices can be the recipient', async (t) => {
  const bundle = seal(trip(), toBen())
  for (const device of [0, 1, 2]) t.equal(openedByBen(bundle, device).manifest.note, 'For Saturday.')
  const sender = { signer: ben.devices[0]!.signer, attestation: ben.attestations[0]! }
  t.equal(openedByBen(seal(trip(), toBen({ sender })), 1).sender, ben.identity)
})

t.test('any closure that is sealed opens to the same', async (t) => {
  fc.assert(
    fc.property(closures, ({ drafts, note, aliases }) => {
      const packed = pack(packing(drafts, { note, aliases }))
      const opened = openedByBen(seal(packed, toBen()))
      t.same(opened.manifest, packed.manifest)
      t.same([...opened.files.values()].map(toHex), packed.bodies.map(toHex))
      t.equal(pack(packing(drafts, { note, aliases })).payloadHash, packed.payloadHash)
    }),
    { numRuns: 60 }
  )
})

t.test('one changed bit anywhere is refused', async (t) => {
  const bundle = seal(trip(), toBen())
  const accepted: number[] = []
  for (let at = 0; at < bundle.length; at++) {
    const changed = bundle.slice()
    changed[at]! ^= 1 << (at % 8)
    if (!refusal(changed)) accepted.push(at)
  }
  t.same(accepted, [])
})

t.test('every cut, and every addition, is refused', async (t) => {
  const bundle = seal(trip(), toBen())
  const accepted: number[] = []
  for (let length = 0; length < bundle.length; length++) {
    if (!refusal(bundle.subarray(0, length))) accepted.push(length)
  }
  for (const more of [1, 17, 18, 1000, 65_553]) {
    const longer = new Uint8Array(bundle.length + more)
    longer.set(bundle)
    if (!refusal(longer)) accepted.push(longer.length)
  }
  t.same(accepted, [])
})

/** The code that bytes are refused with; undefined when they are taken. What isn’t a SelkieError is thrown. */
function refusal(bytes: Uint8Array): string | undefined {
  try {
    openedByBen(bytes)
    return undefined
  } catch (error) {
    if (!isSelkieError(error)) throw error
    return error.code
  }
}

/** Skills `s-0` to `s-n` in a chain, with mentions, tools, aliases, files and texts of any kind. */
const closures = fc
  .array(
    fc.record({
      text: fc.string({ unit: 'grapheme', maxLength: 40 }),
      mentions: fc.array(fc.constantFrom('@s-0', '@s-1', '`@s-0`', '@find-file', '@calendar', '\\@s-1'), {
        maxLength: 5
      }),
      files: fc.uniqueArray(fc.tuple(fc.nat(9), fc.uint8Array({ maxLength: 50 }), fc.boolean()), {
        selector: ([name]) => name,
        maxLength: 4
      }),
      versions: fc.integer({ min: 1, max: 5 }),
      alias: fc.boolean()
    }),
    { minLength: 1, maxLength: 6 }
  )
  .chain((skills) =>
    fc.record({ skills: fc.constant(skills), note: fc.string({ unit: 'binary', maxLength: 60 }) })
  )
  .map(({ skills, note }) => {
    const aliases: { from: Uid; to: Uid }[] = []
    const slugs = new Map<string, Uid>(skills.map((_, i) => [`s-${i}`, uidOf(`s-${i}`)]))
    const drafts = skills.map(({ text, mentions, files, versions }, i): Draft => {
      const next = skills[i + 1]
      if (next?.alias) {
        slugs.set(`alias-${i + 1}`, uidOf(`alias-${i + 1}`))
        aliases.push({ from: uidOf(`alias-${i + 1}`), to: uidOf(`s-${i + 1}`) })
      }
      const first = next ? `First @${next.alias ? 'alias' : 's'}-${i + 1}.\n\n` : '-'
      const body = bodyOf(`${first}${text.replaceAll('@', '')}\n\n${mentions.join(' ')}`, slugs)
      const bundled = files.map(([name, bytes, exec]) => ({ path: `a/${name}.bin`, bytes, exec }))
      return { slug: `s-${i}`, body, files: bundled, versions }
    })
    return { drafts, note, aliases }
  })

/** The body of a text whose mentions are all of these slugs, else of the first skill. */
function bodyOf(text: string, slugs: ReadonlyMap<string, Uid>): LinkedBody {
  return linked(text, (slug) => {
    const found = toolBySlug(slug)
    return found ? { tool: found.name } : { skill: slugs.get(slug) ?? uidOf('s-0') }
  }).body
}
