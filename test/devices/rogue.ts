import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import messages, { type OplogMessage } from 'autobase/lib/messages.js'
import c from 'compact-encoding'
import Corestore from 'corestore'
import type Hypercore from 'hypercore'
import type { Test } from 'tap'
import { signCard } from '../../src/keys/card.js'
import { signWith } from '../../src/keys/device.js'
import { removalOf } from '../../src/keys/removal.js'
import { fromHex, toHex } from '../../src/keys/sodium.js'
import { WRITER, writerBytes } from '../../src/store/apply-devices.js'
import { newBase, type Base } from '../../src/store/base.js'
import type { Op } from '../../src/store/ops.js'
import { Puts } from '../../src/store/puts.js'
import { Store } from '../../src/store/store.js'
import { brokenIn } from '../store/invariants.js'
import { person } from '../vectors/people.js'

/** Whose devices these are: two honest ones, one that isn’t, and one that was removed. */
export const ana = person('Ana', 4)
export const [LAPTOP, DESKTOP, ROGUE, REMOVED] = [0, 1, 2, 3] as const
export const KEY = new Uint8Array(32).fill(7)
const TIME = 1_760_000_000

type Logs = readonly [laptop: Corestore, desktop: Corestore, rogue: Corestore]

const PLACE = 'a'.repeat(64)

/** Two honest devices that share a store with a rogue one, in one process. */
export class Trio {
  readonly #logs: Logs
  readonly #folder: string
  readonly #t: Test
  #laptop!: Store
  #desktop!: Store
  #more = 0
  #cut!: () => void

  private constructor(t: Test, folder: string) {
    this.#t = t
    this.#folder = folder
    this.#logs = ['laptop', 'desktop', 'rogue'].map(
      (name) => new Corestore(join(folder, name))
    ) as unknown as Logs
  }

  /** Devices that have met; the rogue one is in the store, and appends nothing yet. */
  static async meet(t: Test, ...ops: readonly Op[]): Promise<Trio> {
    const folder = await mkdtemp(join(tmpdir(), 'selkie-test-'))
    const trio = new Trio(t, folder)
    t.teardown(() => trio.close())
    const [first, second] = trio.#logs
    const laptop = await Store.found(first, PLACE, KEY)
    const { base } = laptop
    trio.#take(laptop, await Store.join(second, { place: base, base, encryption: toHex(KEY) }))
    await laptop.append(found(), device(DESKTOP), device(ROGUE), ...ops)
    await trio.letIn(DESKTOP, trio.desktop.log)
    trio.join()
    await trio.until(() => Promise.resolve(trio.desktop.writable))
    return trio
  }

  get laptop(): Store {
    return this.#laptop
  }

  get desktop(): Store {
    return this.#desktop
  }

  /** Closes the honest devices’ stores and opens them again. */
  async restart(): Promise<void> {
    const { base } = this.laptop
    for (const store of [this.laptop, this.desktop]) await store.close()
    const [first, second] = this.#logs
    const encryption = toHex(KEY)
    const laptop = await Store.open(first, { place: PLACE, base, encryption })
    this.#take(laptop, await Store.open(second, { place: base, base, encryption }))
  }

  async close(): Promise<void> {
    for (const store of [this.laptop, this.desktop]) await store.close()
    for (const logs of this.#logs) await logs.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  #take(laptop: Store, desktop: Store): void {
    this.#laptop = laptop
    this.#desktop = desktop
    for (const store of [laptop, desktop]) {
      store.on('broken', (error) => this.#t.fail('a store has come to its end', { error }))
    }
  }

  /** The base that the rogue device appends to as an honest one does, but whatever it likes. */
  async rogue(): Promise<Base> {
    const base = newBase(this.#logs[2], this.laptop.base, fromHex(this.laptop.base), KEY, new Puts())
    this.#t.teardown(() => base.close())
    await base.ready()
    await this.letIn(ROGUE, toHex(base.local.key))
    this.link(this.#logs[2], this.#logs[0])
    if (!base.writable) await once(base, 'writable')
    return base
  }

  /**
   * A log of the rogue device that it writes block by block, as no Autobase would; both
   * honest devices get it.
   */
  async rawLog(options: object = {}): Promise<RawLog> {
    const { log, connect } = await this.rawLogs(options)
    connect('laptop')
    connect('desktop')
    return log
  }

  /** A log that the honest devices get once they are connected with where it lies. */
  async rawLogs(
    options: object = {}
  ): Promise<{ readonly log: RawLog; readonly connect: (to: 'laptop' | 'desktop') => void }> {
    const logs = new Corestore(join(this.#folder, `more-${++this.#more}`))
    this.#t.teardown(() => logs.close())
    const log = logs.get({ name: 'log', encryption: { key: KEY }, ...options }) as RawLog
    await log.ready()
    await this.letIn(ROGUE, toHex(log.key))
    return { log, connect: (to) => void this.link(logs, this.#logs[to === 'laptop' ? 0 : 1]) }
  }

  async letIn(which: number, log: string): Promise<void> {
    await this.laptop.append(writer(this.laptop.base, which, log))
  }

  /** Connects the honest devices. */
  join(): void {
    this.#cut = this.link(this.#logs[0], this.#logs[1])
  }

  /** Ends the connection of the honest devices. */
  cut(): void {
    this.#cut()
  }

  /** Connects two devices, until the end or until it is cut. */
  link(one: Corestore, other: Corestore): () => void {
    const cut = connect(one, other)
    this.#t.teardown(cut)
    return cut
  }

  /** Waits until something holds that can only come to hold when a store has changed. */
  async until(holds: () => Promise<boolean>): Promise<void> {
    for (;;) {
      const stop = new AbortController()
      const events = ['change', 'writable', 'unreadable']
      const change = Promise.race(
        [this.laptop, this.desktop].flatMap((store) => events.map((name) => once(store, name, stop)))
      )
      change.catch(() => {})
      try {
        if (await holds()) return
        await change
      } finally {
        stop.abort()
      }
    }
  }

  /** Waits until both honest devices have so many entries of a log. */
  async heard(log: Hypercore, length = log.length): Promise<void> {
    const key = toHex(log.key)
    await this.until(async () => {
      const heard = [this.laptop, this.desktop].map(({ view }) => view.get('counted', key))
      return (await Promise.all(heard)).every((count) => (count ?? 0) >= length)
    })
  }

  /** Waits until both honest devices have found that a log can’t be read on. */
  async given(log: Hypercore): Promise<void> {
    const key = toHex(log.key)
    await this.until(() =>
      Promise.resolve([this.laptop, this.desktop].every(({ unreadable }) => unreadable.has(key)))
    )
  }

  /**
   * All that the honest devices have, once they have the same; but how much of it came
   * from which log, and what they hold against the rogue device.
   */
  async shown(): Promise<string> {
    let shown = ''
    await this.until(async () => {
      shown = await dump(this.laptop)
      return shown === (await dump(this.desktop))
    })
    for (const { view } of [this.laptop, this.desktop]) {
      const broken = await brokenIn(view)
      if (broken.length > 0) throw new Error(broken.join('\n'))
      for (const { signer } of [ana.devices[LAPTOP]!, ana.devices[DESKTOP]!]) {
        if ((await view.get('device', signer.key))!.refused > 0)
          throw new Error('an honest device is accused')
      }
    }
    return shown
  }

  /** How often each honest device has refused what the rogue one wrote. */
  async refused(): Promise<number[]> {
    const key = ana.devices[ROGUE]!.signer.key
    const rows = [this.laptop, this.desktop].map(({ view }) => view.get('device', key))
    return (await Promise.all(rows)).map((row) => row!.refused)
  }
}

/** Connects what two devices have, until it is cut. */
export function connect(one: Corestore, other: Corestore): () => void {
  const [mine, theirs] = [one.replicate(true), other.replicate(false)]
  for (const stream of [mine, theirs]) stream.on('error', () => {})
  mine.pipe(theirs).pipe(mine)
  return () => void mine.destroy()
}

/** A log with what only a rogue device does to it. */
export type RawLog = Hypercore & {
  readonly keyPair: { readonly publicKey: Buffer }
  truncate(length: number): Promise<void>
}

/** The view as text, without the rows that tell who wrote. */
async function dump({ view }: Store): Promise<string> {
  const rogue = `device/${ana.devices[ROGUE]!.signer.key}`
  let text = ''
  for await (const { key, value } of view.everything()) {
    if (!key.startsWith('counted/') && key !== rogue)
      text += `${key} ${Buffer.from(value).toString('base64')}\n`
  }
  return text
}

/** Founds Ana’s store on a device, which is the first. */
export function found(founder: number = LAPTOP): Op {
  const { identity, name, root, devices, attestations } = ana
  const [device, attestation] = [devices[founder]!, attestations[founder]!]
  const card = {
    identity,
    name,
    life: 1,
    number: 3,
    devices: [{ name: 'first', sealing: toHex(device.sealing.publicKey), attestation }],
    removed: [removalOf(root, devices[REMOVED]!.signer.key)]
  }
  return { type: 'found', name, card: signCard(card, root).bytes, attestation, time: TIME }
}

/** Adds a device of Ana’s. */
export function device(which: number): Extract<Op, { type: 'device' }> {
  const sealing = toHex(ana.devices[which]!.sealing.publicKey)
  return {
    type: 'device',
    name: `device ${which}`,
    sealing,
    attestation: ana.attestations[which]!,
    time: TIME
  }
}

/** Lets in a log that a device of Ana’s calls its own. */
export function writer(base: string, which: number, log: string): Extract<Op, { type: 'writer' }> {
  const { signer } = ana.devices[which]!
  const signature = signWith(signer, WRITER, writerBytes(base, log))
  return { type: 'writer', device: signer.key, log, signature }
}

/** A block of a log, as Autobase reads it. */
export function block(
  value: Uint8Array | null,
  node: Partial<OplogMessage['node']> = {},
  more: Partial<OplogMessage> = {}
): Buffer {
  return c.encode(messages.OplogMessage, {
    version: 2,
    checkpoint: null,
    digest: null,
    optimistic: false,
    trace: null,
    node: { heads: [], batch: 1, value: value && Buffer.from(value), ...node },
    ...more
  })
}
