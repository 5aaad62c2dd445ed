import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { Delivery } from '../../src/api.js'
import type { BundleId } from '../../src/base/ids.js'
import { INBOX_PER_CONTACT } from '../../src/base/limits.js'
import { acceptBundle } from '../../src/receiving/import.js'
import {
  declineBundle,
  fetchArrived,
  listInbox,
  receiveFile,
  sweepQuarantine,
  takeIn
} from '../../src/receiving/inbox.js'
import { reviewBundle } from '../../src/receiving/review.js'
import { underway } from '../../src/receiving/underway.js'
import { listOutbox, postQueued } from '../../src/sending/outbox.js'
import { sealedPath, sealToFile, sendSkill } from '../../src/sending/send.js'
import type { InboxRow } from '../../src/store/rows.js'
import type { Envelope } from '../../src/wire/message.js'
import { arrive } from '../store/author.js'
import { person } from '../vectors/people.js'
import { changed, TestDevice, writtenByNewer } from './devices.js'

const MiB = 1024 * 1024
const never = new AbortController().signal

/** Ana, and Ben with a laptop and a desktop that are on his card; nobody is connected. */
async function anaAndBen(t: Parameters<typeof TestDevice.first>[0]) {
  const ana = await TestDevice.first(t, 'Ana')
  const laptop = await TestDevice.first(t, 'Ben')
  await laptop.knows(ana)
  const desktop = await laptop.another('desktop')
  await laptop.showsAll()
  await ana.knows(laptop)
  await ana.writes('Plan', 'Pack little.')
  return { ana, laptop, desktop }
}

async function sends(ana: TestDevice, to: TestDevice, note?: string): Promise<BundleId> {
  const { id } = await sendSkill(ana.self, 'plan', to.self.identity, note, ana.mailboxOf)
  await postQueued(ana.self, ana.mailboxOf)
  return id as BundleId
}

/** One of the devices reads its mail until a bundle is there. */
async function takesIn(device: TestDevice, from: TestDevice, id: BundleId): Promise<InboxRow> {
  const part = device.meet(from)
  const reader = await device.reads(from)
  const { store } = device.self
  await changed(store, () => store.memory.inbox.has(id))
  await part()
  await reader.close()
  return store.memory.inbox.get(id)!
}

/** What a contact says of a bundle before it is fetched. */
function envelopeOf(id: string, bytes: number): Envelope {
  return { type: 'bundle', id: id as BundleId, bytes }
}

/** A promise, and what resolves it. */
function event(): { readonly happened: Promise<void>; readonly happen: () => void } {
  let happen!: () => void
  const happened = new Promise<void>((resolve) => (happen = resolve))
  return { happened, happen }
}

function inQuarantine({ self }: TestDevice): Promise<string[]> {
  return readdir(self.paths.inbox)
}

t.test('a bundle is reviewed and accepted on the device that it didn’t arrive on', async (t) => {
  const { ana, laptop, desktop } = await anaAndBen(t)
  const id = await sends(ana, laptop, 'For Saturday.')
  await takesIn(laptop, ana, id)

  const part = laptop.meet(desktop)
  const { store } = desktop.self
  await changed(store, () => store.memory.inbox.has(id))
  await t.rejects(
    reviewBundle(desktop.self, id, () => false),
    { code: 'E_INBOX_AWAY' },
    'it is told where the bytes are'
  )
  await Promise.all([fetchArrived(desktop.self, never), fetchArrived(desktop.self, never)])
  t.same(await inQuarantine(desktop), [`${id}.selkie`])
  t.match(listInbox(desktop.self), listInbox(laptop.self))
  const { digest, note } = await reviewBundle(desktop.self, id, () => false)
  t.equal(note, 'For Saturday.')
  t.equal((await reviewBundle(laptop.self, id, () => false)).digest, digest)
  await acceptBundle(desktop.self, id, {})
  await changed(laptop.self.store, () => laptop.self.store.memory.inbox.get(id)!.state === 'imported')
  t.ok(laptop.self.store.namespace.resolve('plan' as never))

  await sweepQuarantine(laptop.self)
  t.same(await inQuarantine(laptop), [`${id}.selkie`], 'another device might be fetching it just now')
  await part()
  const [parcel] = laptop.self.store.memory.inbox.get(id)!.parcels
  for (const device of [laptop, desktop]) {
    t.ok(await device.self.store.blobs.get(parcel!))
    await sweepQuarantine(device.self)
    t.same(await inQuarantine(device), [])
    t.equal(await device.self.store.blobs.get(parcel!), undefined, 'nor does its log keep the bytes')
  }
})

t.test('taken in on two devices apart, it is one bundle, and both let go of it', async (t) => {
  const { ana, laptop, desktop } = await anaAndBen(t)
  const id = await sends(ana, laptop)
  await takesIn(laptop, ana, id)
  await takesIn(desktop, ana, id)
  const part = laptop.meet(desktop)
  for (const { self } of [laptop, desktop])
    await changed(self.store, () => self.store.memory.inbox.get(id)!.parcels.length === 2)
  t.match(listInbox(desktop.self), listInbox(laptop.self))
  await declineBundle(laptop.self, id)
  await changed(desktop.self.store, () => desktop.self.store.memory.inbox.get(id)!.state === 'declined')
  await part()
  const { parcels } = laptop.self.store.memory.inbox.get(id)!
  for (const device of [laptop, desktop]) {
    await sweepQuarantine(device.self)
    t.same(await inQuarantine(device), [])
    for (const parcel of parcels) t.equal(await device.self.store.blobs.get(parcel), undefined)
  }
})

t.test('what another device had acknowledged was waited for for ever, and all behind it', async (t) => {
  const { ana, laptop, desktop } = await anaAndBen(t)
  const id = await sends(ana, laptop)
  await takesIn(laptop, ana, id)
  t.ok(await (await ana.mailboxOf(laptop.self.identity)).clear(id), 'the sender has let go of it')
  const next = await sends(ana, laptop, 'And this.')
  await takesIn(desktop, ana, next)
  t.same([...desktop.self.store.memory.inbox.keys()], [next])

  const reader = await desktop.reads(ana)
  desktop.meet(ana)
  const { store } = desktop.self
  while (underway(store).size === 0) await setImmediate()
  laptop.meet(desktop)
  await changed(store, () => store.memory.inbox.has(id))
  while (desktop.receipts.filter((receipt) => receipt.id === id).length === 0) await setImmediate()
  t.match(
    desktop.receipts.find((receipt) => receipt.id === id),
    { state: 'received', problem: null },
    'it came by the other device'
  )
  await reader.close()
})

t.test('a device that was added later couldn’t open a bundle, and said that it was declined', async (t) => {
  const ana = await TestDevice.first(t, 'Ana')
  const laptop = await TestDevice.first(t, 'Ben')
  await laptop.knows(ana)
  await ana.knows(laptop)
  const desktop = await laptop.another('desktop')
  await ana.writes('Plan', 'Pack little.')
  const id = await sends(ana, laptop, 'Old card.')
  const row = await takesIn(desktop, ana, id)
  t.match(row, { state: 'damaged', problem: 'E_INBOX_OTHER_DEVICE', root: '' })
  t.match(desktop.receipts, [{ id, state: 'received', problem: null }])
  const again = await desktop.reads(ana)
  desktop.meet(ana)
  while (desktop.receipts.length < 2) await setImmediate()
  t.match(desktop.receipts[1], { state: 'received', problem: null }, 'nor does it say so the next time')
  await again.close()
  await t.rejects(
    reviewBundle(desktop.self, id, () => false),
    { code: 'E_INBOX_OTHER_DEVICE' }
  )

  laptop.meet(desktop)
  await changed(laptop.self.store, () => laptop.self.store.memory.inbox.has(id))
  await fetchArrived(laptop.self, never)
  t.match(listInbox(laptop.self), [{ id, state: 'waiting', root: 'plan', note: 'Old card.' }])
  await changed(desktop.self.store, () => desktop.self.store.memory.inbox.get(id)!.state === 'waiting')
  await t.rejects(
    reviewBundle(desktop.self, id, () => false),
    { code: 'E_INBOX_OTHER_DEVICE' },
    'also once it waits'
  )
  await reviewBundle(laptop.self, id, () => false)
  await acceptBundle(laptop.self, id, {})
})

t.test('a fetch that can’t be had now waits, and ends when it is decided or told to', async (t) => {
  const { ana, laptop, desktop } = await anaAndBen(t)
  const { store } = desktop.self
  const arrives = async (note: string): Promise<BundleId> => {
    const id = await sends(ana, laptop, note)
    await takesIn(laptop, ana, id)
    const part = laptop.meet(desktop)
    await changed(store, () => store.memory.inbox.has(id))
    await part()
    return id
  }
  const stop = new AbortController()
  const first = await arrives('One.')
  const waiting = fetchArrived(desktop.self, stop.signal)
  await fetchArrived(desktop.self, stop.signal)
  await declineBundle(desktop.self, first)
  await fetchArrived(desktop.self, stop.signal)
  await waiting
  await sweepQuarantine(desktop.self)
  t.same(await inQuarantine(desktop), [])

  const second = await arrives('Two.')
  const told = fetchArrived(desktop.self, stop.signal)
  stop.abort()
  await told
  await sweepQuarantine(desktop.self)
  t.same(await inQuarantine(desktop), [])
  laptop.meet(desktop)
  await fetchArrived(desktop.self, never)
  t.same(await inQuarantine(desktop), [`${second}.selkie`])
})

t.test('while one device is away, the bytes come from another that took the bundle in too', async (t) => {
  const { ana, laptop, desktop } = await anaAndBen(t)
  const phone = await laptop.another('phone')
  const id = await sends(ana, laptop)
  await takesIn(laptop, ana, id)
  await takesIn(desktop, ana, id)
  const part = laptop.meet(phone)
  const { store } = phone.self
  await changed(store, () => store.memory.inbox.has(id))
  await part()
  const first = fetchArrived(phone.self, never)
  desktop.meet(phone)
  await changed(store, () => store.memory.inbox.get(id)!.parcels.length === 2)
  await fetchArrived(phone.self, never)
  t.same(await inQuarantine(phone), [`${id}.selkie`])
  await first
})

t.test('a parcel that isn’t what its row says is not taken for it', async (t) => {
  const { ana, laptop, desktop } = await anaAndBen(t)
  const out = join(ana.self.paths.home, 'out.selkie')
  await sealToFile(ana.self, 'plan', 'Ben', out)
  const { row } = await receiveFile(laptop.self, out)
  const part = laptop.meet(desktop)
  const { store } = desktop.self
  await changed(store, () => store.memory.inbox.has(row.id))
  // As a device that lies would put it: under the hash of the bundle lies something else.
  const other = await laptop.self.store.blobs.put(new Uint8Array(row.bytes).fill(7))
  const lies = [
    { ...other, hash: row.parcels[0]!.hash },
    { ...other, hash: row.parcels[0]!.hash, blockLength: 1 + other.blockLength, blockOffset: 0 }
  ]
  const id = 'f'.repeat(32) as BundleId
  await laptop.self.store.append({ type: 'arrive', row: { ...row, id, parcels: lies } })
  await changed(store, () => store.memory.inbox.has(id))
  await fetchArrived(desktop.self, never)
  t.match(await inQuarantine(desktop), [`${row.id}.selkie`, `${id}.selkie.part`])
  await sweepQuarantine(desktop.self)
  t.same(await inQuarantine(desktop), [`${row.id}.selkie`])
  await part()
})

t.test('a bundle that a later one had overtaken was called late', async (t) => {
  const { ana, laptop } = await anaAndBen(t)
  const phone = await ana.another('phone')
  await ana.showsAll()
  await laptop.knows(ana)
  const { memory } = laptop.self.store
  const ids = [await sends(ana, laptop, 'One.'), await sends(ana, laptop, 'Two.')]
  const bundles = await Promise.all(ids.map((id) => readFile(sealedPath(ana.self, id))))
  const [overtaken, overtake] = [event(), event()]
  const takes = ids.map((id, i) =>
    takeIn(laptop.self, ana.self.identity, envelopeOf(id, bundles[i]!.length), async () => {
      if (i === 0) await overtaken.happened
      else await overtake.happened
      return bundles[i]
    })
  )
  overtake.happen()
  t.match(await takes[1], { state: 'received' })
  overtaken.happen()
  t.match(await takes[0], { state: 'received' })
  const rows = ids.map((id) => memory.inbox.get(id))
  t.match(rows, [
    { sequence: 1, late: false },
    { sequence: 2, late: false }
  ])

  await phone.writes('Trip', 'Go.')
  const { id } = await sendSkill(phone.self, 'trip', laptop.self.identity, '', phone.mailboxOf)
  await postQueued(phone.self, phone.mailboxOf)
  const fromPhone = await takesIn(laptop, phone, id as BundleId)
  t.match(fromPhone, { sequence: 1, late: false }, 'another device counts for itself')

  const out = join(ana.self.paths.home, 'out.selkie')
  await sealToFile(ana.self, 'plan', 'Ben', out, 'Three.')
  await takesIn(laptop, ana, await sends(ana, laptop, 'Four.'))
  t.match((await receiveFile(laptop.self, out)).row, { sequence: 3, late: true }, 'this one is late')
})

t.test('side by side, each bundle found room for itself alone', async (t) => {
  const { ana, laptop } = await anaAndBen(t)
  const { identity } = ana.self
  const { store } = laptop.self
  const full = arrive('1', person('Ana', 1), { contact: identity, bytes: INBOX_PER_CONTACT - 5 * MiB })
  await store.append(full)
  const [asked, go] = [event(), event()]
  const take = (id: string, bytes: number, fetch = async (): Promise<undefined> => undefined) =>
    takeIn(laptop.self, identity, envelopeOf(id.padStart(32, '0'), bytes), fetch)
  const waiting = take('2', 4 * MiB, async () => {
    asked.happen()
    await go.happened
    throw new Error('cut')
  })
  await asked.happened
  t.match(await take('3', 2 * MiB), { state: 'held', problem: 'E_QUOTA' })
  const twice = take('2', 4 * MiB, () => Promise.reject(new Error('from another device of hers')))
  await t.rejects(twice, { message: 'from another device of hers' }, 'one bundle is charged once')
  go.happen()
  await t.rejects(waiting, { message: 'cut' })
  t.match(await take('3', 2 * MiB), { state: 'declined', problem: 'E_BUNDLE_CUT' }, 'there is room again')
})

t.test('a store that a newer Selkie wrote to: bundles stay with their sender', async (t) => {
  const { ana, laptop } = await anaAndBen(t)
  const id = await sends(ana, laptop)
  await writtenByNewer(laptop.self)
  const before = await laptop.self.store.blobs.put(new Uint8Array(1))
  laptop.meet(ana)
  const anas = await ana.reads(laptop)
  const reader = await laptop.reads(ana)
  const { memory } = ana.self.store
  await changed(ana.self.store, () => memory.outbox.get(id)!.problem !== null)
  t.match(laptop.receipts, [{ id, state: 'held', problem: 'E_UPGRADE' }])
  const [{ state, problem }] = listOutbox(ana.self) as [Delivery]
  t.match(
    { state, problem },
    { state: 'queued', problem: { code: 'E_UPGRADE_THERE', message: /Ben has to/ } }
  )
  t.same(await inQuarantine(laptop), [])
  const after = await laptop.self.store.blobs.put(new Uint8Array(1))
  t.equal(after.blockOffset, before.blockOffset + 1, 'nothing of it is kept')
  await Promise.all([reader.close(), anas.close()])
})
