import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Head } from 'autobase'
import Corestore from 'corestore'
import fc from 'fast-check'
import type Hypercore from 'hypercore'
import t, { type Test } from 'tap'
import type { BundleId, FileHash, IdentityKey, Slug, Uid } from '../../src/base/ids.js'
import { isSelkieError } from '../../src/base/errors.js'
import { decode, encode } from '../../src/base/msgpack.js'
import { readCard, signCard, type Card } from '../../src/keys/card.js'
import { fromHex, sodium, toHex } from '../../src/keys/sodium.js'
import { contentHash } from '../../src/namespace/content.js'
import { signVersion } from '../../src/namespace/version.js'
import { newBase, type Base } from '../../src/store/base.js'
import { applyEntry } from '../../src/store/entry.js'
import { Memory } from '../../src/store/memory.js'
import { encodeOp, MAX_ENTRY, OPS_VERSION, type Op } from '../../src/store/ops.js'
import { Puts } from '../../src/store/puts.js'
import { Store } from '../../src/store/store.js'
import { Table } from '../../src/store/table.js'
import { uidOf } from '../namespace/skills.js'
import { arrive, headOf, importOf, save as saved, type SaveOp } from '../store/author.js'
import { MemoryCells } from '../store/cells.js'
import { brokenIn } from '../store/invariants.js'
import { person } from '../vectors/people.js'
import {
  ana,
  block,
  connect,
  DESKTOP,
  device,
  found,
  KEY,
  LAPTOP,
  REMOVED,
  ROGUE,
  Trio,
  writer
} from './rogue.js'

const ben = person('Ben', 2)
const clara = person('Clara', 1)
const [plan, trip, other] = [uidOf(1), uidOf(2), uidOf(3)]
const NOBODY = 'f'.repeat(32) as Uid

function slugs({ laptop }: Trio): string[] {
  return laptop.namespace
    .live()
    .map(({ slug }) => slug)
    .sort()
}

const save = (n: number, slug = `odd-${n}`): SaveOp => saved(ana, { uid: uidOf(n), slug, device: ROGUE })

const bensDevices = ben.devices.map(({ sealing }, n) => ({
  name: `device ${n}`,
  sealing: toHex(sealing.publicKey),
  attestation: ben.attestations[n]!
}))

/** Ben’s card of a number, as his root signs it unless told otherwise. */
function bensCard(number: number, change: Partial<Card> = {}, by: Parameters<typeof signCard>[1] = ben.root) {
  const card = {
    identity: ben.identity,
    name: 'Ben',
    life: 1,
    number,
    devices: bensDevices.slice(0, 1),
    removed: [],
    ...change
  }
  return signCard(card, by).bytes
}

function contact(card: Uint8Array, identity: IdentityKey = ben.identity): Op {
  return { type: 'contact', identity, name: 'Ben', card }
}

/** What is in the store before anyone misbehaves. */
const planned = saved(ana, { uid: plan, slug: 'plan' })
const ground: readonly Op[] = [
  planned,
  saved(ana, { uid: trip, slug: 'trip', body: ['See ', { skill: plan }, '.'] }),
  contact(bensCard(5)),
  arrive('1', ben)
]
const mine = save(9, 'mine')

/** A version by the rogue device that isn’t what it signed. */
function resigned(content: Uint8Array): SaveOp {
  const version = signVersion({ ...mine.version, content: contentHash(content) }, ana.devices[ROGUE]!.signer)
  return { ...mine, version, content }
}

/** What no honest device writes, and every device refuses. */
function refusedEntries(base: string, ownCard: Uint8Array): Record<string, Uint8Array | Op> {
  const odd = (fields: object): Uint8Array => encode(fields)
  const card = readCard(ownCard).card
  const rogue = ana.devices[ROGUE]!.signer
  const version = { ...mine.version }
  return {
    noise: randomBytes(500),
    'a number': odd(7 as unknown as object),
    'a list': odd(['save']),
    'nested without end': Uint8Array.from({ length: 5000 }, () => 0x91),
    'keys out of order': Uint8Array.of(0x82, 0xa1, 0x76, 1, 0xa4, 0x74, 0x79, 0x70, 0x65, 0xa1, 0x78),
    'more fields than it has': odd({ v: 1, type: 'delete', uid: other, why: 'because' }),
    'fewer fields than it has': odd({ v: 1, type: 'delete' }),
    'no version of the format': odd({ type: 'delete', uid: trip }),
    'a version that is a text': odd({ v: '2', type: 'delete', uid: trip }),
    'an op that there is none of': odd({ v: 1, type: 'dream' }),
    'an op by the name of what objects have': odd({ v: 1, type: 'constructor' }),
    'bytes that are text': odd({ v: 1, type: 'card', card: 'card' }),
    'more than an entry may have': randomBytes(MAX_ENTRY + 1),
    'almost a whole block': randomBytes(15 * 1024 * 1024 - 1024),
    'a save that another device has signed': saved(ana, { uid: other, slug: 'x', device: DESKTOP }),
    'an entry of another device again': planned,
    'a save by a device of someone else': saved(ben, { uid: other, slug: 'x' }),
    'a save in someone else’s name': {
      ...mine,
      version: signVersion({ ...version, author: ben.identity }, rogue)
    },
    'a save whose time was changed': { ...mine, version: { ...version, time: 1 } },
    'a save without a signature': { ...mine, version: { ...version, signature: '0'.repeat(128) } },
    'a save of another content': { ...mine, content: save(8).content },
    'a save of no content': resigned(new TextEncoder().encode('no content')),
    'a mention that is only text': resigned(
      encode({ title: 'x', summary: 'x', header: null, body: ['@plan'], files: [] })
    ),
    'a mention of a skill that never was': saved(ana, {
      uid: other,
      slug: 'x',
      device: ROGUE,
      body: ['See ', { skill: NOBODY }, '.']
    }),
    'a slug that is none': { ...mine, slug: 'No Slug!' as Slug },
    'a rename to no slug': { type: 'rename', uid: plan, slug: 'No Slug!' as Slug },
    'a rename of nothing': { type: 'rename', uid: NOBODY, slug: 'x' as Slug },
    'a deletion of nothing': { type: 'delete', uid: NOBODY },
    'a new beginning': {
      type: 'found',
      name: 'Ana',
      card: ownCard,
      attestation: ana.attestations[ROGUE]!,
      time: 1
    },
    'another state': { type: 'state', rows: [['owner', encode(null)]] },
    'a log that its device didn’t name': { ...writer(base, ROGUE, '1'.repeat(64)), log: '2'.repeat(64) },
    'a log of another base': writer('3'.repeat(64), ROGUE, '1'.repeat(64)),
    'a device that the attestor didn’t attest': {
      ...device(REMOVED),
      attestation: { ...ana.attestations[REMOVED]!, device: ben.devices[0]!.signer.key }
    },
    'a device of someone else': { ...device(REMOVED), attestation: ben.attestations[0]! },
    'a device with another sealing key': { ...device(DESKTOP), attestation: ana.attestations[REMOVED]! },
    'a name for no device': { type: 'device-name', device: ben.devices[0]!.signer.key, name: 'x' },
    'a card of someone else': { type: 'card', card: bensCard(9) },
    'no card': { type: 'card', card: encode({ card: ownCard, by: rogue.key, signature: '0'.repeat(128) }) },
    'a card without a device that is here': {
      type: 'card',
      card: signCard({ ...card, number: card.number + 1, devices: card.devices.slice(1) }, rogue).bytes
    },
    'a card of a new life': { type: 'card', card: signCard({ ...card, life: 2, number: 1 }, rogue).bytes },
    'contents that are none': { type: 'contents', contents: [mine.content, randomBytes(20)] },
    'an import of a version without its attestation': importOf(ana, null, [
      saved(clara, { uid: other, slug: 'x' })
    ]),
    'an import of a version that was changed': importOf(ana, null, [
      { ...mine, version: { ...version, signature: '0'.repeat(128) } }
    ]),
    'an import without what it names': importOf(ana, null, [save(8)], { op: { contents: [] } }),
    'an import with an alias to nothing': importOf(ana, null, [], {
      op: { aliases: [{ from: other, to: NOBODY, seen: headOf(planned) }] }
    }),
    'an import of a bundle that never came': importOf(ana, '9', [mine]),
    'a contact with the card of another': contact(bensCard(9), clara.identity),
    'a contact with no card': contact(randomBytes(100)),
    'a contact’s card by a device that isn’t theirs': contact(bensCard(9, {}, rogue)),
    'a contact’s card without their device': contact(
      bensCard(9, { devices: bensDevices.slice(1) }, ben.devices[1]!.signer)
    ),
    'oneself as a contact': contact(ownCard, ana.identity),
    'a bundle with a size that is none': arrive('2', ben, { bytes: 'many' as unknown as number }),
    'a bundle in a state that there is none of': arrive('2', ben, { state: 'opened' as 'waiting' })
  }
}

/** What changes nothing either, but may come from a device that was late. */
function lateEntries(base: string, ownCard: Uint8Array): Record<string, Op> {
  return {
    'an own entry again': mine,
    'an older card of a contact': contact(bensCard(4)),
    'an older own card': { type: 'card', card: ownCard },
    'a device that is here': device(DESKTOP),
    'a removed device': device(REMOVED),
    'a log of a removed device': writer(base, REMOVED, '1'.repeat(64)),
    'a version of another skill as the published one': {
      type: 'publish',
      uid: trip,
      version: headOf(planned)
    },
    'what a bundle says that never came': { type: 'decline', id: '9'.repeat(32) as BundleId },
    'a contact that there is none of': { type: 'forget', identity: clara.identity }
  }
}

const bytesOf = (entry: Uint8Array | Op): Uint8Array =>
  entry instanceof Uint8Array ? entry : encodeOp(entry)

const BASE = 'b'.repeat(64)
const LOG = 'c'.repeat(64)

interface Replica {
  readonly cells: MemoryCells
  readonly view: Table
  /** Folds in an entry of the rogue device’s log. */
  readonly append: (bytes: Uint8Array, log?: string) => Promise<unknown>
}

/** The view of an honest device that holds these cells. */
async function replica(from: MemoryCells): Promise<Replica> {
  const cells = new MemoryCells()
  for (const key of from.keys()) await cells.put(key, (await from.get(key))!.value)
  const view = new Table(cells)
  return { cells, view, append: (bytes, log = LOG) => applyEntry(view, { log, bytes }, BASE) }
}

/** What an honest device has before the rogue one misbehaves. */
const whole = await replica(new MemoryCells())
for (const op of [found(), device(DESKTOP), device(ROGUE), ...ground, writer(BASE, ROGUE, LOG)])
  await whole.append(encodeOp(op), BASE)
await whole.append(encodeOp(mine))

const rogueKey = ana.devices[ROGUE]!.signer.key

/** All that is in a view, without what is held against the rogue device. */
function dump(cells: MemoryCells): string {
  return cells.dump().replace(new RegExp(`^device/${rogueKey} .*$`, 'm'), '')
}

async function refusedIn(view: Table): Promise<number> {
  return (await view.get('device', rogueKey))!.refused
}

t.test('what a device may not append changes nothing, and is counted', async (t) => {
  const { cells, view, append } = await replica(whole.cells)
  const { card } = (await view.get('owner'))!
  const before = dump(cells)
  let count = 0
  for (const [name, entry] of Object.entries(refusedEntries(BASE, card))) {
    t.equal(await append(bytesOf(entry)), undefined, `${name}: it lets in nobody`)
    t.ok(dump(cells) === before, `${name}: it changes nothing`)
    t.equal(await refusedIn(view), ++count, `${name}: it is counted`)
  }
  for (const [name, entry] of Object.entries(lateEntries(BASE, card))) {
    await append(bytesOf(entry))
    t.ok(dump(cells) === before, `${name}: it changes nothing`)
    t.equal(await refusedIn(view), count, `${name}: it is held against nobody`)
  }
})

t.test('nor does it on devices that share a store with one that does all of it', async (t) => {
  const trio = await Trio.meet(t, ...ground)
  const rogue = await trio.rogue()
  await rogue.append(encodeOp(mine))
  await trio.heard(rogue.local)
  const { card } = (await trio.laptop.view.get('owner'))!
  const before = await trio.shown()
  const refused = Object.values(refusedEntries(trio.laptop.base, card))
  for (const entry of [...refused, ...Object.values(lateEntries(trio.laptop.base, card))])
    await rogue.append(bytesOf(entry))
  await trio.heard(rogue.local)
  t.ok((await trio.shown()) === before, 'nothing has changed')
  t.same(await trio.refused(), [refused.length, refused.length])
  await trio.laptop.append(saved(ana, { uid: other, slug: 'after' }))
  await trio.desktop.append(saved(ana, { uid: uidOf(4), slug: 'after', device: DESKTOP }))
  await trio.shown()
  t.same(slugs(trio), ['after', 'after-2', 'mine', 'plan', 'trip'], 'and they go on')
})

t.test('a log that a rogue device calls its own stays the one of whose it is', async (t) => {
  const { view, append } = await replica(whole.cells)
  const log = 'd'.repeat(64)
  t.equal(await append(encodeOp(writer(BASE, ROGUE, log))), log)
  t.equal(await append(encodeOp(writer(BASE, DESKTOP, log))), undefined, 'it is let in once')
  const bytes = encodeOp(saved(ana, { uid: other, slug: 'desk', device: DESKTOP }))
  await applyEntry(view, { log, bytes }, BASE)
  t.match(await view.get('skill', other), { slug: 'desk' })
  t.equal(await refusedIn(view), 0)
})

t.test('a device has a handful of logs at most', async (t) => {
  const { view, append } = await replica(whole.cells)
  const admitted: unknown[] = []
  for (let n = 10; n < 30; n++) admitted.push(await append(encodeOp(writer(BASE, ROGUE, `${n}`.repeat(32)))))
  t.equal(admitted.filter((log) => log !== undefined).length, 3)
  t.equal(await refusedIn(view), 17)
})

t.test('a parcel that lies where the store itself does isn’t let go of', async (t) => {
  const trio = await Trio.meet(t, ...ground)
  const { laptop } = trio
  const zeros = '0'.repeat(64)
  for (const core of [laptop.log, trio.desktop.log]) {
    const place = { blockOffset: 0, blockLength: 1000, byteOffset: 0, byteLength: 1000 }
    const pointer = { hash: zeros as FileHash, core, key: zeros, ...place }
    for (const { blobs } of [laptop, trio.desktop]) await blobs.clear(pointer, { force: true })
  }
  await goesOn(t, trio, 0)
})

/** One op of every kind that a device may append. */
const sound: readonly Op[] = [
  mine,
  save(5),
  { type: 'rename', uid: plan, slug: 'other' as Slug },
  { type: 'delete', uid: trip },
  { type: 'restore', uid: trip },
  { type: 'enable', uid: trip, enabled: false },
  { type: 'advertise', uid: trip, advertised: true },
  { type: 'publish', uid: plan, version: headOf(planned) },
  { type: 'contents', contents: [mine.content] },
  importOf(ana, null, [save(6), save(7)], {
    op: { attestations: ana.attestations, aliases: [{ from: other, to: plan, seen: headOf(planned) }] }
  }),
  contact(bensCard(6)),
  { type: 'verify', identity: ben.identity, verified: true },
  { type: 'forget', identity: ben.identity },
  arrive('2', ben),
  { type: 'seen', id: arrive('1', ben).row.id, digest: '1'.repeat(64) },
  { type: 'decline', id: arrive('1', ben).row.id },
  { type: 'delivery', id: '3'.repeat(32) as BundleId, state: 'sent', problem: null },
  device(DESKTOP),
  writer(BASE, ROGUE, '4'.repeat(64)),
  { type: 'device-name', device: rogueKey, name: 'friend' }
]

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 2 ** 32, '', 'x', '0'.repeat(32), '0'.repeat(64), [], {}),
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ maxLength: 70, unit: 'grapheme' })
)

/** Puts something else where the fields of a value are, the first of it at the depth that the path has. */
function changed(value: unknown, path: readonly number[], to: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined || typeof value !== 'object' || value === null || value instanceof Uint8Array)
    return to
  const keys = Object.keys(value)
  if (keys.length === 0) return to
  const key = keys[first % keys.length]!
  const inner = changed((value as Record<string, unknown>)[key], rest, to)
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner }
}

const mutated = fc.oneof(
  fc
    .tuple(fc.constantFrom(...sound), fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }), anything)
    .map(([op, path, to]) => {
      try {
        return encode(changed(decode(encodeOp(op)), path, to))
      } catch {
        return new Uint8Array([0xc1])
      }
    }),
  fc
    .tuple(fc.constantFrom(...sound), fc.nat(), fc.uint8Array({ maxLength: 3 }), fc.nat(3))
    .map(([op, at, put, cut]) => {
      const bytes = encodeOp(op)
      const place = at % bytes.length
      return Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + cut)])
    })
)

t.test('whatever becomes of a sound entry on its way, it is sound or changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mutated, { minLength: 1, maxLength: 8 }), async (entries) => {
      const { cells, view, append } = await replica(whole.cells)
      for (const bytes of entries) {
        const [before, count] = [dump(cells), await refusedIn(view)]
        try {
          await append(bytes)
        } catch (error) {
          if (!isSelkieError(error, 'E_UPGRADE') || dump(cells) !== before) throw error
        }
        const broken = await brokenIn(view)
        if (broken.length > 0) throw new Error(broken.join())
        const isRefused = (await refusedIn(view)) > count
        if (isRefused && dump(cells) !== before) throw new Error('it was refused, and has changed something')
      }
      const memory = new Memory()
      for await (const { key, value } of view.everything()) memory.take(key, value)
      memory.namespace.live()
    }),
    { numRuns: 300 }
  )
})

type Blocks = (log: Buffer, base: Buffer) => readonly Uint8Array[]

const evil = (n: number): Uint8Array => encodeOp(save(40 + n))
const at = (key: Uint8Array, length: number): Head => ({ key, length })
const STRANGE = Buffer.alloc(32, 9)
const many = 1_000_000

/** Logs with a block that is none of Autobase’s, and how many entries ahead of it count. */
const unreadable: Record<string, { readonly blocks: Blocks; readonly counts?: number }> = {
  'a block that is noise': { blocks: () => [randomBytes(99), block(evil(1))] },
  'a block without bytes': { blocks: () => [block(evil(1)), new Uint8Array(), block(evil(2))], counts: 1 },
  'a format that there is none of': { blocks: () => [Uint8Array.of(9, 1, 2, 3)] },
  'the same block linked twice': {
    blocks: (log) => [block(evil(1)), block(evil(2), { heads: [at(log, 1), at(log, 1)] })],
    counts: 1
  },
  'a batch of no blocks': { blocks: () => [block(evil(1), { batch: 0 }), block(evil(2))] },
  'a batch of nine blocks that has two': { blocks: () => [block(evil(1), { batch: 9 }), block(evil(2))] },
  'a batch whose blocks aren’t linked': { blocks: () => [block(evil(1), { batch: 2 }), block(evil(2))] },
  'a link into the middle of a batch': {
    blocks: (log) => [
      block(evil(1), { batch: 2 }),
      block(evil(2), { heads: [at(log, 1)] }),
      block(evil(3), { heads: [at(log, 1)] })
    ],
    counts: 2
  },
  'a link to what is still to come': {
    blocks: (log) => [block(evil(1), { heads: [at(log, 9)] }), block(evil(2))]
  },
  'links to the beginnings of logs that no one has': {
    blocks: () => [
      block(evil(1), {
        heads: Array.from({ length: 2000 }, (_, n) => at(Buffer.alloc(32, `${n}`), 0))
      })
    ]
  }
}

/** Logs with what Autobase would stumble on, though all that they say can be read. */
const readable: Record<string, Blocks> = {
  'hints that are more than a call takes': () => [
    block(evil(1), {}, { trace: { system: Array(many).fill(3), encryption: [], user: [] } })
  ],
  'hints to views and blocks that there are none of': () => [
    block(
      evil(1),
      {},
      { trace: { system: [2 ** 40], encryption: [], user: [{ view: 7, blocks: [2 ** 45] }] } }
    )
  ],
  'blocks that want to be moved about': () => [
    block(evil(1), {}, { optimistic: true }),
    block(evil(2), {}, { optimistic: true })
  ],
  'no links at all': () => Array.from({ length: 20 }, (_, n) => block(evil(n)))
}

/** That the honest devices have not come to harm, neither now nor when they start again. */
async function goesOn(t: Test, trio: Trio, n: number): Promise<void> {
  for (const time of ['before', 'after']) {
    await trio.laptop.append(saved(ana, { uid: uidOf(100 + 2 * n), slug: `laptop-${n}`, title: time }))
    const desktop = { uid: uidOf(101 + 2 * n), slug: `desktop-${n}`, title: time, device: DESKTOP }
    await trio.desktop.append(saved(ana, desktop))
    await trio.shown()
    const there = slugs(trio)
    t.ok(there.includes(`laptop-${n}`) && there.includes(`desktop-${n}`), `they go on ${time} a restart`)
    if (time === 'before') await trio.restart()
  }
}

t.test('a log with what is no block of Autobase counts up to there, and stops nobody', async (t) => {
  for (const [names, n] of chunks(Object.keys(unreadable), 3)) {
    const trio = await Trio.meet(t)
    for (const name of names) {
      const { blocks, counts = 0 } = unreadable[name]!
      const log = await trio.rawLog()
      await log.append(blocks(log.key, Buffer.from(trio.laptop.base, 'hex')))
      await trio.given(log)
      await trio.shown()
      const counted = await trio.laptop.view.get('counted', toHex(log.key))
      t.equal(counted ?? 0, counts, name)
    }
    await goesOn(t, trio, n)
  }
})

t.test('nor does one whose blocks say more than they have to', async (t) => {
  for (const [names, n] of chunks(Object.keys(readable), 4)) {
    const trio = await Trio.meet(t)
    for (const name of names) {
      const log = await trio.rawLog()
      await log.append(readable[name]!(log.key, Buffer.from(trio.laptop.base, 'hex')))
      await trio.heard(log)
      await trio.shown()
      t.ok(slugs(trio).includes('odd-41'), name)
    }
    await goesOn(t, trio, n)
  }
})

t.test('a log of another kind than Autobase’s is let in, and counts for nothing', async (t) => {
  const padded = (...padding: number[]): Uint8Array =>
    Buffer.concat([Uint8Array.from(padding), block(evil(1))])
  const kinds: Record<string, { readonly manifest: object; readonly blocks: readonly Uint8Array[] }> = {
    'under a key that no one has': { manifest: {}, blocks: [padded(1, 0, 0, 0, 5, 0, 0, 0)] },
    'under no kind of key': { manifest: {}, blocks: [padded(9, 0, 0, 0, 0, 0, 0, 0)] },
    'shorter than what comes ahead of a block': { manifest: {}, blocks: [Uint8Array.of(1, 2, 3)] },
    'with something else beside its key': {
      manifest: { userData: Buffer.of(250, 1) },
      blocks: [padded(1, 0, 0, 0, 0, 0, 0, 0)]
    }
  }
  const trio = await Trio.meet(t)
  for (const [n, [name, { manifest, blocks }]] of Object.entries(kinds).entries()) {
    const { publicKey, privateKey } = sodium.crypto_sign_seed_keypair(new Uint8Array(32).fill(n + 1))
    const keyPair = { publicKey: Buffer.from(publicKey), secretKey: Buffer.from(privateKey) }
    const signers = [{ publicKey: keyPair.publicKey }]
    const log = await trio.rawLog({
      name: undefined,
      encryption: undefined,
      keyPair,
      manifest: { version: 2, signers, ...manifest }
    })
    await log.append(blocks)
    await trio.given(log)
    t.equal(await trio.laptop.view.get('counted', toHex(log.key)), undefined, name)
  }
  await goesOn(t, trio, 0)
})

t.test('a log that takes back what it said keeps it, and is heard no further', async (t) => {
  const trio = await Trio.meet(t)
  const log = await trio.rawLog()
  await log.append([block(evil(1)), block(evil(2))])
  await trio.heard(log)
  await log.truncate(1)
  await log.append([block(evil(3)), block(evil(4)), block(evil(5))])
  await goesOn(t, trio, 0)
  t.same(
    slugs(trio).filter((slug) => slug.startsWith('odd')),
    ['odd-41', 'odd-42']
  )
})

t.test('a log that says one thing to one device and another to the next', async (t) => {
  const trio = await Trio.meet(t)
  const one = await trio.rawLogs()
  const other = await trio.rawLogs({ name: undefined, keyPair: one.log.keyPair })
  await one.log.append([block(evil(1)), block(evil(2))])
  await other.log.append([block(evil(3)), block(evil(4)), block(evil(5))])
  t.ok(one.log.key.equals(other.log.key))
  // Both have let it in before they are apart.
  await trio.shown()
  trio.cut()
  one.connect('laptop')
  other.connect('desktop')
  await trio.until(async () => {
    const counts = [trio.laptop, trio.desktop].map(({ view }) => view.get('counted', toHex(one.log.key)))
    return (await Promise.all(counts)).join() === '2,3'
  })
  trio.join()
  await trio.given(one.log)
  // They differ in this until the device is removed; but both go on.
  await trio.laptop.append(saved(ana, { uid: uidOf(100), slug: 'on-laptop' }))
  await trio.desktop.append(saved(ana, { uid: uidOf(101), slug: 'on-desktop', device: DESKTOP }))
  await trio.restart()
  t.ok(trio.laptop.namespace.resolve('on-laptop' as Slug))
  t.ok(trio.desktop.namespace.resolve('on-desktop' as Slug))
})

const blockOf = fc.record({
  heads: fc.array(fc.tuple(fc.nat(4), fc.nat(7)), { maxLength: 3 }),
  batch: fc.constantFrom(1, 1, 1, 2, 2, 3, 0),
  isSaid: fc.boolean()
})

t.test('logs whose blocks are linked and cut into batches in any way', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.boolean(), blockOf), { minLength: 2, maxLength: 16 }),
      async (blocks) => {
        const trio = await Trio.meet(t)
        const logs = [await trio.rawLog(), await trio.rawLog()] as const
        const keys = [
          ...logs.map(({ key }) => key),
          ...[trio.laptop.log, trio.desktop.log].map(fromHex),
          STRANGE
        ]
        for (const [n, [isFirst, { heads, batch, isSaid }]] of blocks.entries()) {
          const links = heads.map(([which, length]) => at(keys[which]!, length))
          const log = isFirst ? logs[0] : logs[1]
          await log.append(block(isSaid ? evil(n) : null, { batch, heads: links }))
          if (n % 5 === 0) await trio.laptop.append(saved(ana, { uid: uidOf(200 + n), slug: 'between' }))
        }
        await goesOn(t, trio, 0)
        await trio.shown()
        await trio.close()
      }
    ),
    { numRuns: 6 }
  )
})

t.test('a rogue founder that signs views as no Autobase does', async (t) => {
  const folder = t.testdir()
  const theirs = new Corestore(join(folder, 'rogue'))
  const log = theirs.get({ name: 'log', encryption: { key: KEY } })
  await log.ready()
  const base = toHex(log.key)
  const say = async (op: Op, more: object = {}): Promise<void> => {
    const heads = log.length === 0 ? [] : [at(log.key, log.length)]
    await log.append(block(encodeOp(op), { heads }, more))
  }
  await say(found(ROGUE))
  await say(device(LAPTOP))
  const mine = new Corestore(join(folder, 'laptop'))
  const laptop = await Store.join(mine, { place: base, base, encryption: toHex(KEY) })
  laptop.on('broken', (error) => t.fail('a store has come to its end', { error }))
  await say(writer(base, LAPTOP, laptop.log))
  const cut = connect(mine, theirs)
  if (!laptop.writable) await once(laptop, 'writable')
  // What an honest founder would sign: the view of just now, by its key and length.
  const view = await viewKey(theirs, base)
  const signed = { checkpointer: 0, checkpoint: { signature: Buffer.alloc(64, 1), length: view.length } }
  const checkpoint = { system: signed, encryption: signed, user: [] }
  for (const n of [1, 2, 3]) await say(save(n), { checkpoint, digest: { pointer: 0, key: view.key } })
  while (!laptop.namespace.resolve('odd-3' as Slug)) await once(laptop, 'change')
  await laptop.append(saved(ana, { uid: uidOf(90), slug: 'mine', device: LAPTOP }))
  t.ok(laptop.namespace.resolve('mine' as Slug))
  cut()
  await laptop.close()
  for (const logs of [mine, theirs]) await logs.close()
})

/** The key of the view that all come to, and how long it is now. */
async function viewKey(logs: Corestore, key: string): Promise<{ key: Buffer; length: number }> {
  const base = newBase(logs, 'd'.repeat(64), fromHex(key), KEY, new Puts()) as Base & {
    readonly core: Hypercore
  }
  await base.ready()
  await base.update()
  const { core } = base
  const view = { key: core.key, length: core.length }
  await base.close()
  return view
}

t.test('an entry that says it is of a newer Selkie stops the others, and harms nothing', async (t) => {
  const trio = await Trio.meet(t, ...ground)
  const log = await trio.rawLog()
  const before = await trio.shown()
  await log.append(block(encode({ v: OPS_VERSION + 1, type: 'dream' })))
  for (const store of [trio.laptop, trio.desktop]) {
    const same: Op = { type: 'enable', uid: plan, enabled: true }
    await t.rejects(
      async () => {
        for (;;) await store.append(same)
      },
      { code: 'E_UPGRADE' }
    )
    t.ok(store.isBehind)
  }
  t.ok((await trio.shown()) === before, 'all that was there is there')
  await trio.restart()
  t.ok((await trio.shown()) === before, 'also when they start again')
})

function chunks<T>(list: readonly T[], size: number): [T[], number][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) => [
    list.slice(n * size, (n + 1) * size),
    n
  ])
}
