import { randomBytes } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import Corestore from 'corestore'
import type Hypercore from 'hypercore'
import t, { type Test } from 'tap'
import type { BundleId, IdentityKey } from '../../src/base/ids.js'
import { MAX_BUNDLE, MIN_BUNDLE } from '../../src/base/limits.js'
import { MailReader, type MailHandler } from '../../src/wire/mail-reader.js'
import { Mailbox } from '../../src/wire/mailbox.js'
import { CHUNK_BYTES, encodeMessage, type Envelope, type Receipt } from '../../src/wire/message.js'

const BEN = 'b'.repeat(64) as IdentityKey
const SIZE = 2 * CHUNK_BYTES + 100

/** A mailbox to Ben, the log that it is in, and what replicates it to Ben’s device. */
interface Wire {
  readonly mailbox: Mailbox
  readonly log: Hypercore
  readonly ours: Corestore
  readonly theirs: Corestore
}

async function wire(t: Test): Promise<Wire> {
  const folder = t.testdir()
  const ours = new Corestore(`${folder}/ours`)
  t.teardown(() => ours.close())
  const mailbox = await Mailbox.open(ours, BEN, () => {})
  const log = ours.get({ name: `mailbox/${BEN}` })
  await log.ready()
  const { theirs } = connect(t, ours, `${folder}/theirs`)
  return { mailbox, log, ours, theirs }
}

/** A device of Ben’s on a connection to the sender; what the sender says can be held up on its way. */
function connect(
  t: Test,
  ours: Corestore,
  folder: string
): { readonly theirs: Corestore; readonly gate: Gate; disconnect(): void } {
  const theirs = new Corestore(folder)
  const stream = ours.replicate(true)
  const gate = new Gate()
  stream.pipe(gate).pipe(theirs.replicate(false)).pipe(stream)
  t.teardown(async () => {
    stream.destroy()
    await theirs.close()
  })
  return { theirs, gate, disconnect: () => void stream.destroy() }
}

/** Lets everything through, until it is shut and until it is opened again. */
class Gate extends Transform {
  #held: (() => void)[] | undefined

  shut(): void {
    this.#held ??= []
  }

  open(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const go of held) go()
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const go = (): void => done(null, chunk)
    if (this.#held) this.#held.push(go)
    else go()
  }
}

/**
 * Reads a mailbox until the receipt with the id `end` comes, which is put into it, and
 * every bundle that was offered until then has been answered.
 */
async function readToEnd({ mailbox, theirs }: Wire, handler: Partial<MailHandler>): Promise<MailReader> {
  const end = receipt('end')
  await mailbox.acknowledge(end)
  const answers: Promise<boolean>[] = []
  const reader = await new Promise<MailReader>((resolve, reject) => {
    const reader = new MailReader(theirs, mailbox.key, {
      failed: reject,
      ...handler,
      bundle: (envelope, fetch) => {
        const answer = handler.bundle ? handler.bundle(envelope, fetch) : Promise.resolve(true)
        answers.push(answer)
        return answer
      },
      receipt: async (receipt) => {
        if (receipt.id === end.id) resolve(reader)
        else await handler.receipt?.(receipt)
      }
    })
  })
  await Promise.all(answers)
  return reader
}

/** Reads a mailbox; each bundle is handed to `bundle`, and nothing may fail. */
function read(t: Test, theirs: Corestore, key: string, bundle: MailHandler['bundle']): MailReader {
  const reader = new MailReader(theirs, key, {
    bundle,
    receipt: async () => {},
    failed: (error) => t.fail('reading fails', { error })
  })
  t.teardown(() => reader.close())
  return reader
}

/** A promise, and what resolves it. */
function event<T = void>(): { readonly happened: Promise<T>; readonly happen: (value: T) => void } {
  let happen!: (value: T) => void
  const happened = new Promise<T>((resolve) => (happen = resolve))
  return { happened, happen }
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
      t.ok(Buffer.from((await fetch())!).equals(sealed[i]!))
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
  const isTaken = event()
  const reader = await readToEnd(ends, {
    bundle: async ({ id }, fetch) => {
      offered.push(id)
      if (isFull || !(await fetch())) return false
      if (id === idOf('second')) isTaken.happen()
      return true
    }
  })
  t.same(offered, [idOf('first'), idOf('second')], 'the second is offered though the first is held')
  isFull = false
  reader.retry()
  reader.retry()
  await isTaken.happened
  const copy = ends.theirs.get({ key: ends.log.key })
  await copy.ready()
  const blocks = [1, 2, 3, 5, 6, 7]
  while ((await Promise.all(blocks.map((index) => copy.has(index)))).includes(true)) await setImmediate()
  t.same(offered.slice(2), [idOf('first'), idOf('second')], 'each once more, and not again once it is taken')
  await reader.close()
})

t.test('a call to offer it again that came while it was being held was lost', async (t) => {
  const ends = await wire(t)
  await ends.mailbox.post(idOf('only'), randomBytes(SIZE))
  const [asked, room] = [event(), event()]
  const taken = event()
  let times = 0
  const reader = read(t, ends.theirs, ends.mailbox.key, async () => {
    if (++times > 1) return taken.happen() === undefined
    asked.happen()
    await room.happened
    return false
  })
  await asked.happened
  reader.retry()
  room.happen()
  await taken.happened
  t.equal(times, 2)
})

t.test('what failed is tried again at the next message', async (t) => {
  const ends = await wire(t)
  await ends.mailbox.post(idOf('only'), randomBytes(SIZE))
  const [failed, taken] = [event<unknown>(), event()]
  let times = 0
  const reader = new MailReader(ends.theirs, ends.mailbox.key, {
    bundle: async () => {
      if (++times === 1) throw new Error('the disk is full')
      return taken.happen() === undefined
    },
    receipt: async () => {},
    failed: failed.happen
  })
  t.match(await failed.happened, { message: 'the disk is full' })
  t.equal(times, 1, 'and not before')
  await ends.mailbox.acknowledge(receipt('next'))
  await taken.happened
  await reader.close()
})

t.test('a bundle whose bytes were gone stood in the way of all that followed', async (t) => {
  const ends = await wire(t)
  for (const name of ['gone', 'gone too', 'gone as well']) {
    await ends.mailbox.post(idOf(name), randomBytes(SIZE))
    t.ok(await ends.mailbox.clear(idOf(name)))
  }
  const sealed = randomBytes(SIZE)
  await ends.mailbox.post(idOf('here'), sealed)
  const [asked, came] = [event(), event<Uint8Array | undefined>()]
  const waiting: Promise<unknown>[] = []
  const elsewhere = new AbortController()
  const answered = event<BundleId>()
  const reader = read(t, ends.theirs, ends.mailbox.key, async ({ id }, fetch) => {
    if (id === idOf('here')) return came.happen(await fetch()) === undefined
    // It arrives by another way: then it isn’t waited for.
    const wait = fetch(id === idOf('gone') ? elsewhere.signal : undefined)
    waiting.push(wait)
    if (waiting.length === 3) asked.happen()
    await wait.catch((error: unknown) => {
      if (!elsewhere.signal.aborted) throw error
    })
    answered.happen(id)
    return true
  })
  t.ok(Buffer.from((await came.happened)!).equals(sealed))
  await asked.happened
  elsewhere.abort()
  t.equal(await answered.happened, idOf('gone'))
  await t.rejects(waiting[0]!, { name: 'AbortError' })
  await reader.close()
  for (const wait of waiting.slice(1))
    await t.rejects(wait, { name: 'AbortError' }, 'closing ends the others')
})

t.test('of many bundles at once no more than two are whole in memory', async (t) => {
  const ends = await wire(t)
  const names = ['0', '1', '2', '3', '4']
  const sealed = names.map(() => randomBytes(SIZE))
  for (const [i, name] of names.entries()) await ends.mailbox.post(idOf(name), sealed[i]!)
  const copy = ends.theirs.get({ key: ends.log.key })
  let here = 0
  const [allHere, twoInside, leave, allDone] = [event(), event(), event(), event()]
  copy.on('download', () => {
    if (++here === ends.log.length) allHere.happen()
  })
  let [inside, most, done] = [0, 0, 0]
  read(t, ends.theirs, ends.mailbox.key, async ({ id }, fetch) => {
    const bytes = await fetch()
    most = Math.max(most, ++inside)
    if (inside === 2) twoInside.happen()
    t.ok(Buffer.from(bytes!).equals(sealed[names.map(idOf).indexOf(id)]!))
    await leave.happened
    inside--
    if (++done === names.length) allDone.happen()
    return true
  })
  await allHere.happened
  await twoInside.happened
  for (let turns = 0; turns < 20; turns++) await setImmediate()
  t.equal(inside, 2)
  leave.happen()
  await allDone.happened
  t.equal(most, 2)
})

t.test('a device that was in the middle was cut off when another had sent its receipt', async (t) => {
  const ends = await wire(t)
  const id = idOf('film')
  const sealed = randomBytes(200 * CHUNK_BYTES)
  await ends.mailbox.post(id, sealed)
  const slow = connect(t, ends.ours, `${t.testdirName}/slow`)
  const [begun, cameSlowly] = [event(), event<Uint8Array | undefined>()]
  let blocks = 0
  ends.log.on('upload', () => {
    if (++blocks !== 10) return
    slow.gate.shut()
    begun.happen()
  })
  read(t, slow.theirs, ends.mailbox.key, async (_, fetch) => cameSlowly.happen(await fetch()) === undefined)
  await begun.happened
  const came = event<Uint8Array | undefined>()
  read(t, ends.theirs, ends.mailbox.key, async (_, fetch) => came.happen(await fetch()) === undefined)
  t.ok(Buffer.from((await came.happened)!).equals(sealed))

  t.notOk(await ends.mailbox.clear(id), 'it stays for the one that is in the middle')
  slow.gate.open()
  t.ok(Buffer.from((await cameSlowly.happened)!).equals(sealed))
  t.ok(await ends.mailbox.clear(id), 'and no longer')
  t.notOk(await ends.log.has(5))
})

t.test('who was in the middle and went away keeps nothing from being let go', async (t) => {
  const ends = await wire(t)
  const [first, second] = [idOf('film'), idOf('other')]
  for (const id of [first, second]) await ends.mailbox.post(id, randomBytes(150 * CHUNK_BYTES))
  const slow = connect(t, ends.ours, `${t.testdirName}/slow`)
  const begun = event()
  const served = [0, 0]
  ends.log.on('upload', (index: number) => {
    served[index > 150 ? 1 : 0]!++
    if (served.some((count) => count < 2)) return
    slow.gate.shut()
    begun.happen()
  })
  const reader = new MailReader(slow.theirs, ends.mailbox.key, {
    bundle: async (_, fetch) => (await fetch()) !== undefined,
    receipt: async () => {},
    failed: () => {}
  })
  await begun.happened
  t.same(await Promise.all([first, second].map((id) => ends.mailbox.clear(id))), [false, false])
  t.ok(await ends.mailbox.clear(second, { force: true }), 'unless it can’t wait')
  const gone = new Promise((resolve) => ends.log.on('peer-remove', resolve))
  slow.disconnect()
  await gone
  t.ok(await ends.mailbox.clear(first))
  await reader.close()
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

t.test('two receipts for one bundle at the same time are one', async (t) => {
  const logs = new Corestore(t.testdir())
  t.teardown(() => logs.close())
  const mailbox = await Mailbox.open(logs, BEN, () => {})
  await Promise.all([mailbox.acknowledge(receipt('trip')), mailbox.acknowledge(receipt('trip'))])
  const log = logs.get({ name: `mailbox/${BEN}` })
  await log.ready()
  t.equal(log.length, 1)
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
