import { randomBytes } from 'node:crypto'
import Corestore from 'corestore'
import type Hypercore from 'hypercore'
import t, { type Test } from 'tap'
import type { BundleId, IdentityKey } from '../../src/base/ids.js'
import { MAX_BUNDLE, MIN_BUNDLE } from '../../src/base/limits.js'
import { Mailbox, MailReader, type MailHandler } from '../../src/wire/mailbox.js'
import { CHUNK_BYTES, encodeMessage, type Envelope, type Receipt } from '../../src/wire/message.js'

const BEN = 'b'.repeat(64) as IdentityKey
const SIZE = 2 * CHUNK_BYTES + 100

/** A mailbox to Ben, the log that it is in, and what replicates it to Ben’s device. */
interface Wire {
  readonly mailbox: Mailbox
  readonly log: Hypercore
  readonly theirs: Corestore
}

async function wire(t: Test): Promise<Wire> {
  const folder = t.testdir()
  const [ours, theirs] = [new Corestore(`${folder}/ours`), new Corestore(`${folder}/theirs`)]
  const mailbox = await Mailbox.open(ours, BEN, () => {})
  const log = ours.get({ name: `mailbox/${BEN}` })
  await log.ready()
  const stream = ours.replicate(true)
  stream.pipe(theirs.replicate(false)).pipe(stream)
  t.teardown(async () => {
    stream.destroy()
    await Promise.all([ours.close(), theirs.close()])
  })
  return { mailbox, log, theirs }
}

/** Reads a mailbox until the receipt with the id `end` comes, which is put into it. */
async function readToEnd({ mailbox, theirs }: Wire, handler: Partial<MailHandler>): Promise<MailReader> {
  const end = receipt('end')
  await mailbox.acknowledge(end)
  return new Promise((resolve, reject) => {
    const reader = new MailReader(theirs, mailbox.key, {
      bundle: async () => true,
      failed: reject,
      ...handler,
      receipt: async (receipt) => {
        if (receipt.id === end.id) resolve(reader)
        else await handler.receipt?.(receipt)
      }
    })
  })
}

function idOf(name: string): BundleId {
  return Buffer.from(name.padEnd(16, '.')).toString('hex') as BundleId
}

function receipt(name: string, state: Receipt['state'] = 'received'): Receipt {
  return { type: 'receipt', id: idOf(name), state, problem: null }
}

function envelope(name: string, bytes: number): Envelope {
  return { type: 'bundle', id: idOf(name), bytes }
}

t.test('bundles and receipts come in order, whole, once', async (t) => {
  const ends = await wire(t)
  const sealed = [MIN_BUNDLE, CHUNK_BYTES, CHUNK_BYTES + 1, SIZE].map(
    (size) => new Uint8Array(randomBytes(size))
  )
  for (const [i, bytes] of sealed.entries()) await ends.mailbox.post(idOf(`${i}`), bytes)
  for (const [i, bytes] of sealed.entries()) await ends.mailbox.post(idOf(`${i}`), bytes)
  await ends.mailbox.acknowledge(receipt('other'))
  const seen: string[] = []
  await readToEnd(ends, {
    bundle: async ({ id, bytes }, fetch) => {
      const i = seen.push(id) - 1
      t.equal(bytes, sealed[i]!.length)
      t.same(await fetch(), sealed[i])
      return true
    },
    receipt: async ({ id }) => void seen.push(id)
  })
  t.same(seen, ['0', '1', '2', '3', 'other'].map(idOf))
})

t.test('what is no message is passed over', async (t) => {
  const ends = await wire(t)
  const wrong = [
    Buffer.alloc(0),
    randomBytes(100),
    Buffer.alloc(64 * 1024, 1),
    encodeMessage({ ...receipt('a'), extra: 1 } as unknown as Receipt),
    encodeMessage({ ...receipt('a'), id: 'A'.repeat(32) } as unknown as Receipt),
    encodeMessage({ ...receipt('a'), state: 'lost' } as unknown as Receipt),
    encodeMessage({ ...receipt('a'), problem: '\u001b[2J' }),
    encodeMessage(envelope('a', MIN_BUNDLE - 1)),
    encodeMessage(envelope('a', MAX_BUNDLE + 1))
  ]
  for (const block of wrong) await ends.log.append(block)
  await ends.mailbox.acknowledge(receipt('real'))
  const seen: string[] = []
  await readToEnd(ends, {
    bundle: async ({ id }) => seen.push(id) > 0,
    receipt: async ({ id }) => void seen.push(id)
  })
  t.same(seen, [idOf('real')])
})

t.test('an envelope that lies about its blocks brings nothing', async (t) => {
  for (const [name, blocks] of Object.entries({
    short: [CHUNK_BYTES, CHUNK_BYTES, 99],
    long: [CHUNK_BYTES, CHUNK_BYTES, 101],
    uneven: [CHUNK_BYTES - 1, CHUNK_BYTES + 1, 100],
    huge: [CHUNK_BYTES, 4 * 1024 * 1024, 100],
    empty: [0, 0, 0]
  })) {
    await t.test(name, async (t) => {
      const ends = await wire(t)
      await ends.log.append([encodeMessage(envelope(name, SIZE)), ...blocks.map((size) => randomBytes(size))])
      await readToEnd(ends, {
        bundle: async (_, fetch) => {
          t.equal(await fetch(), undefined)
          return true
        }
      })
    })
  }
})

t.test('a bundle that isn’t all there keeps nobody from closing', async (t) => {
  const ends = await wire(t)
  await ends.log.append([encodeMessage(envelope('half', SIZE)), randomBytes(CHUNK_BYTES)])
  const asked = new Promise<void>((resolve) => {
    const reader = new MailReader(ends.theirs, ends.mailbox.key, {
      bundle: async (_, fetch) => {
        resolve(reader.close())
        return (await fetch()) !== undefined
      },
      receipt: async () => {},
      failed: (error) => t.fail('a reader that is closed has not failed', { error })
    })
  })
  await asked
})

t.test('what is held is offered again when asked to, and let go of when it is taken', async (t) => {
  const ends = await wire(t)
  await ends.mailbox.post(idOf('first'), randomBytes(SIZE))
  await ends.mailbox.post(idOf('second'), randomBytes(SIZE))
  const offered: BundleId[] = []
  let isFull = true
  let hearReceipt = (): void => {}
  const reader = await readToEnd(ends, {
    bundle: async ({ id }, fetch) => {
      offered.push(id)
      return !isFull && (await fetch()) !== undefined
    },
    receipt: async () => hearReceipt()
  })
  t.same(offered, [idOf('first'), idOf('second')], 'the second is offered though the first is held')
  isFull = false
  reader.retry()
  reader.retry()
  const isHeard = new Promise<void>((resolve) => (hearReceipt = resolve))
  await ends.mailbox.acknowledge(receipt('later'))
  await isHeard
  t.same(offered.slice(2), [idOf('first'), idOf('second')], 'each once more, and not again once it is taken')
  const copy = ends.theirs.get({ key: ends.log.key })
  await copy.ready()
  t.same(await Promise.all([1, 2, 3].map((index) => copy.has(index))), [false, false, false])
})

t.test('a mailbox that is opened again knows what is in it', async (t) => {
  const logs = new Corestore(t.testdir())
  t.teardown(() => logs.close())
  const before = await Mailbox.open(logs, BEN, () => {})
  await before.post(idOf('trip'), randomBytes(SIZE))
  await before.acknowledge(receipt('other', 'held'))
  await before.acknowledge(receipt('other'))
  await before.clear(idOf('trip'))
  const log = logs.get({ name: `mailbox/${BEN}` })
  await log.ready()
  const { length } = log
  t.equal(length, 1 + 3 + 2)

  const after = await Mailbox.open(logs, BEN, () => {})
  t.equal(after.key, before.key)
  await after.post(idOf('trip'), randomBytes(SIZE))
  await after.acknowledge(receipt('other'))
  t.equal(log.length, length, 'neither the bundle nor the receipt is put in again')
  await after.acknowledge(receipt('other', 'imported'))
  t.equal(log.length, length + 1)
})

t.test('who names a log of this device as their mailbox makes it read nothing', async (t) => {
  const logs = new Corestore(t.testdir())
  t.teardown(() => logs.close())
  const mailbox = await Mailbox.open(logs, BEN, () => {})
  await mailbox.post(idOf('for-ben'), randomBytes(SIZE))
  const reader = new MailReader(logs, mailbox.key, {
    bundle: async () => t.fail('one’s own bundle is offered to oneself') === undefined,
    receipt: async () => {},
    failed: (error) => t.fail('it fails', { error })
  })
  reader.retry()
  await reader.close()
  const log = logs.get({ name: `mailbox/${BEN}` })
  await log.ready()
  t.ok(await log.has(1, 4), 'and its blocks are kept')
})
