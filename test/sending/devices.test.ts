import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { BundleId, IdentityKey } from '../../src/base/ids.js'
import {
  fetchQueued,
  listOutbox,
  noteReceipt,
  noteSending,
  postQueued,
  sweepOutgoing
} from '../../src/sending/outbox.js'
import { sealToFile, sendSkill } from '../../src/sending/send.js'
import type { Receipt } from '../../src/wire/message.js'
import { changed, TestDevice, writtenByNewer } from '../receiving/devices.js'

const never = new AbortController().signal

/** Ben, and Ana with a laptop and a desktop that are on her card; nobody is connected. */
async function benAndAna(t: Test) {
  const ben = await TestDevice.first(t, 'Ben')
  const laptop = await TestDevice.first(t, 'Ana')
  await laptop.knows(ben)
  await laptop.writes('Plan', 'Pack little.')
  const desktop = await laptop.another('desktop')
  await laptop.showsAll()
  await ben.knows(laptop)
  return { ben, laptop, desktop, to: ben.self.identity }
}

async function sends(device: TestDevice, to: IdentityKey, note = ''): Promise<BundleId> {
  const { id } = await sendSkill(device.self, 'plan', to, note, device.mailboxOf)
  await postQueued(device.self, device.mailboxOf)
  return id as BundleId
}

/** The other device hears of a delivery and fetches its bytes, and then is alone. */
async function syncs(from: TestDevice, to: TestDevice, id: BundleId): Promise<void> {
  const part = from.meet(to)
  await changed(to.self.store, () => to.self.store.memory.outbox.has(id))
  await fetchQueued(to.self, to.mailboxOf, never)
  await part()
}

function onItsWayOut({ self }: TestDevice): Promise<string[]> {
  return readdir(self.paths.outbox)
}

function stateOf({ self }: TestDevice, id: BundleId): string {
  return self.store.memory.outbox.get(id)!.state
}

t.test('what one device has queued is delivered by another while that one is offline', async (t) => {
  const { ben, laptop, desktop, to } = await benAndAna(t)
  const id = await sends(laptop, to, 'For Saturday.')
  await syncs(laptop, desktop, id)
  t.match(listOutbox(desktop.self), [{ id, state: 'queued' }])
  t.equal((await sendSkill(desktop.self, 'plan', to, 'For Saturday.', desktop.mailboxOf)).id, id, 'the same')

  const apart = ben.meet(desktop)
  const readers = [await ben.reads(desktop), await desktop.reads(ben)]
  await changed(desktop.self.store, () => stateOf(desktop, id) === 'received')
  t.match(ben.receipts, [{ id, state: 'received' }])
  t.match([...ben.self.store.memory.inbox.values()], [{ id, state: 'waiting', note: 'For Saturday.' }])
  for (const reader of readers) await reader.close()
  await apart()

  // The laptop has heard nothing of it but from the desktop.
  const part = laptop.meet(desktop)
  await changed(laptop.self.store, () => stateOf(laptop, id) === 'received')
  await part()
  const { parcel } = laptop.self.store.memory.outbox.get(id)!
  for (const device of [laptop, desktop]) {
    await sweepOutgoing(device.self, device.mailboxOf)
    t.same(await onItsWayOut(device), [])
    t.equal(await device.self.store.blobs.get(parcel!), undefined)
    const log = device.self.logs.get({ name: `mailbox/${to}` })
    await log.ready()
    t.same([log.length > 1, await log.has(1)], [true, false], 'nor are the bytes in its mailbox')
  }
})

t.test('from two mailboxes at once it arrives once', async (t) => {
  const { ben, laptop, desktop, to } = await benAndAna(t)
  const id = await sends(laptop, to)
  await syncs(laptop, desktop, id)
  for (const device of [laptop, desktop]) {
    ben.meet(device)
    await device.reads(ben)
  }
  await Promise.all([ben.reads(laptop), ben.reads(desktop)])
  const isKnown = (device: TestDevice): Promise<void> =>
    changed(device.self.store, () => stateOf(device, id) === 'received')
  await Promise.all([laptop, desktop].map(isKnown))
  while (ben.receipts.length < 2) await setImmediate()
  t.match(ben.receipts, [
    { id, state: 'received' },
    { id, state: 'received' }
  ])
  t.equal(ben.self.store.memory.inbox.size, 1)
})

t.test('a delivery that is done elsewhere is neither fetched nor posted', async (t) => {
  const { laptop, desktop, to } = await benAndAna(t)
  const id = await sends(laptop, to)
  const part = laptop.meet(desktop)
  const { store } = desktop.self
  await changed(store, () => store.memory.outbox.has(id))
  await part()
  const stop = new AbortController()
  const waiting = fetchQueued(desktop.self, desktop.mailboxOf, stop.signal)
  const receipt: Receipt = { type: 'receipt', id, state: 'received', problem: null }
  await noteReceipt(desktop.self, to, receipt, await desktop.mailboxOf(to))
  await fetchQueued(desktop.self, desktop.mailboxOf, stop.signal)
  await waiting
  await postQueued(desktop.self, desktop.mailboxOf)
  t.notOk((await desktop.mailboxOf(to)).has(id))
  await sweepOutgoing(desktop.self, desktop.mailboxOf)
  t.same(await onItsWayOut(desktop), [])
})

t.test('a store that a newer Selkie wrote to: what is sent goes its way all the same', async (t) => {
  const { ben, laptop, to } = await benAndAna(t)
  const queued = await sends(laptop, to, 'Before.')
  await writtenByNewer(laptop.self)
  const sent = await sendSkill(laptop.self, 'plan', to, 'After.', laptop.mailboxOf)
  t.match(sent, { state: 'queued', contact: 'Ben', warning: { code: 'W_UNNOTED', message: /newer Selkie/ } })
  const again = await sendSkill(laptop.self, 'plan', to, 'After.', laptop.mailboxOf)
  t.same([again.id, again.warning], [sent.id, sent.warning], 'twice is once')
  t.equal((await sendSkill(laptop.self, 'plan', to, 'Before.', laptop.mailboxOf)).id, queued)
  const out = join(laptop.self.paths.home, 'out.selkie')
  t.match(await sealToFile(laptop.self, 'plan', 'Ben', out), { file: out, warning: { code: 'W_UNNOTED' } })
  t.match(listOutbox(laptop.self), [{ id: queued, state: 'queued' }], 'the outbox is as it was')
  t.same(await onItsWayOut(laptop), [`${queued}.selkie`])

  ben.meet(laptop)
  await laptop.reads(ben)
  await ben.reads(laptop)
  const log = laptop.self.logs.get({ name: `mailbox/${to}` })
  await log.ready()
  await changed(ben.self.store, () => ben.self.store.memory.inbox.size === 2)
  t.same([...ben.self.store.memory.inbox.keys()].sort(), [queued, sent.id].sort())
  const first = log.length - Math.ceil(sent.bytes / (64 * 1024))
  while (await log.has(first)) await setImmediate()
  t.equal(stateOf(laptop, queued), 'queued', 'a receipt can’t be noted, and nothing fails')
  await noteSending(laptop.self, queued)
  t.ok(await log.has(1), 'so the bytes of what is queued stay until it can')
  await sweepOutgoing(laptop.self, laptop.mailboxOf)
  t.same(await onItsWayOut(laptop), [`${queued}.selkie`])
})
