import { EventEmitter } from 'node:events'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { DeviceKey } from '../base/ids.js'
import { signWith } from '../keys/device.js'
import { mergeRemovals } from '../keys/removal.js'
import { isNewWriter, isWriter, WRITER, writerBytes } from '../store/apply-devices.js'
import { epochAfter, writeLaterEpoch, type Epoch } from '../store/epoch.js'
import type { Op } from '../store/ops.js'
import type { Self } from '../store/self.js'
import { Store } from '../store/store.js'
import {
  isKeyOf,
  isKin,
  readSuccession,
  removedBy,
  standingOf,
  type SignedSuccession
} from '../store/succession.js'
import type { Channel } from '../wire/channel.js'
import { exchangeGreetings, type Greeting } from '../wire/greeting.js'
import type { Connection } from '../wire/swarm.js'
import { carryOver } from './carry.js'
import { refound } from './refound.js'

/** Who wants to know what becomes of this device among the others. */
export interface SiblingsHandler {
  /** Other devices than before belong to this person now. */
  membersChanged(): void
  /** Something failed that no one waits for. */
  failed(error: unknown): void
}

/** Milliseconds after which a device that was taken in and isn’t there counts as gone. */
const PATIENCE = 60_000

/** A base, and the store that is open in it. */
interface Life {
  readonly epoch: Epoch
  readonly store: Store
}

/** A device that is connected, and the last that it has said of each base, by its log there. */
interface Heard {
  readonly device: DeviceKey
  readonly channel: Channel<Greeting>
  readonly greetings: Map<string, Greeting>
}

/**
 * This device among its person’s others: with each that is connected it shares all logs;
 * it lets them in to append; and where one knows of a later epoch, it follows: opens the
 * new base, waits until it may append to it, carries over what it has said meanwhile, and
 * goes on there. Two epochs that were founded apart it unites.
 */
export class Siblings {
  readonly #self: Self
  readonly #handler: SiblingsHandler
  readonly #channels = new Map<Connection, Heard>()
  /** Emits a device when it hangs up. */
  readonly #closings = new EventEmitter()
  #epoch: Epoch
  /** The epoch that this device is on its way to. */
  #next: Life | undefined
  /** All that the root has removed, as far as this device has heard: also before it can follow. */
  readonly #removed: Set<DeviceKey>
  #running: Promise<void> = Promise.resolve()

  constructor(self: Self, epoch: Epoch, handler: SiblingsHandler) {
    this.#self = self
    this.#epoch = epoch
    this.#handler = handler
    this.#removed = removedBy(epoch.record)
    self.store.on('unreadable', (log) => this.#run(() => this.#accuse(log)))
    for (const log of self.store.unreadable) this.#run(() => this.#accuse(log))
  }

  /** The one that this device lives in. */
  get epoch(): Epoch {
    return this.#epoch
  }

  /** Whether this device has learned that it is no longer one of this person’s. */
  get isRemoved(): boolean {
    return this.#removed.has(this.#self.device.signer.key)
  }

  /** The other devices, without those that are known to be removed. */
  members(): Set<DeviceKey> {
    const { memory } = this.#self.store
    const devices = new Set([...memory.devices.keys(), ...(this.#next?.store.memory.devices.keys() ?? [])])
    for (const device of [this.#self.device.signer.key, ...this.#removed]) devices.delete(device)
    return this.isRemoved ? new Set() : devices
  }

  /** Takes over a connection to another device of this person. */
  meet(connection: Connection, device: DeviceKey): void {
    const greetings = new Map<string, Greeting>()
    const channel = exchangeGreetings(connection, (theirs) =>
      this.#run(async () => {
        greetings.set(theirs.log, theirs)
        try {
          await this.#hear(device, theirs)
        } catch (error) {
          if (isSelkieError(error, 'E_SUCCESSION')) connection.destroy()
          throw error
        }
      })
    )
    if (!channel) return
    this.#channels.set(connection, { device, channel, greetings })
    connection.on('close', () => {
      this.#channels.delete(connection)
      this.#closings.emit(device)
    })
    this.#self.logs.replicate(connection)
    for (const life of this.#lives()) {
      life.store.attend(connection)
      channel.send(this.#greeting(life, device))
    }
  }

  /**
   * Goes on with an epoch that this device has founded itself, as after a removal.
   *
   * @param found founds it, within a turn
   */
  async moveTo(found: (epoch: Epoch) => Promise<Epoch>): Promise<void> {
    await this.#then(async () => {
      await this.#self.store.turn(async () => {
        this.#epoch = await found(this.#epoch)
      })
      this.#noteRemoved(this.#epoch.record)
      await this.#dropNext()
      this.#showEpoch()
    })
  }

  /**
   * Settles when a device has hung up that was let in to append; or when it was gone for a
   * while before it was, as where it was stopped halfway.
   */
  async parted(device: DeviceKey): Promise<void> {
    const { store } = this.#self
    const isIn = async (): Promise<boolean> => {
      for await (const { row } of store.view.all('writer')) if (row.includes(device)) return true
      return false
    }
    while (!(await isIn()) || this.#isConnected(device)) {
      const stopped = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(!this.#isConnected(device)), PATIENCE)
        timer.unref()
        const look = (): void => {
          clearTimeout(timer)
          resolve(false)
        }
        store.once('change', look)
        this.#closings.once(device, look)
      })
      if (stopped) return
    }
  }

  /** Stops following; whoever closes the logs calls this first. */
  async close(): Promise<void> {
    await this.#running
    await this.#dropNext()
  }

  #isConnected(device: DeviceKey): boolean {
    return [...this.#channels.values()].some((each) => each.device === device)
  }

  get #newest(): SignedSuccession {
    return (this.#next?.epoch ?? this.#epoch).record
  }

  #lives(): Life[] {
    const current = { epoch: this.#epoch, store: this.#self.store }
    return this.#next ? [current, this.#next] : [current]
  }

  #greeting({ epoch, store }: Life, to: DeviceKey): Greeting {
    const { base, record, encryption } = epoch
    const { log } = store
    return {
      record: record.bytes,
      // Only who belongs to a base is told its key; that is known once it has begun.
      encryption: store.memory.devices.has(to) ? encryption : null,
      log,
      signature: signWith(this.#self.device.signer, WRITER, writerBytes(base, log))
    }
  }

  async #hear(device: DeviceKey, theirs: Greeting): Promise<void> {
    const record = readSuccession(theirs.record)
    if (theirs.encryption && !isKeyOf(record, theirs.encryption)) throw new SelkieError('E_SUCCESSION')
    if (!isKin(this.#newest, record) || !this.#isByOneOfUs(record)) return
    this.#noteRemoved(record)
    if (this.isRemoved) return
    switch (standingOf(this.#newest, record)) {
      case 'same':
        // An epoch that is on its way lets others in once this device is in itself.
        if (record.succession.base === this.#epoch.base) await this.#letIn(device, theirs)
        else if (theirs.encryption) await this.#follow(record, theirs.encryption)
        return
      case 'later':
        return this.#follow(record, theirs.encryption)
      case 'apart':
        return this.#unite(device, record)
      case 'earlier':
        return
    }
  }

  #isByOneOfUs({ by, succession }: SignedSuccession): boolean {
    return (
      by === succession.identity ||
      this.#lives().some(({ store }) => store.memory.devices.has(succession.founder))
    )
  }

  async #letIn(device: DeviceKey, { log, signature }: Greeting): Promise<void> {
    const { store } = this.#self
    const op: Extract<Op, { type: 'writer' }> = { type: 'writer', device, log, signature }
    if (!store.writable || !store.memory.devices.has(device) || !isWriter(store.base, op)) return
    await store.turn(async () => {
      if (await isNewWriter(store.view, op)) await store.append(op)
    })
  }

  async #follow(record: SignedSuccession, encryption: string | null): Promise<void> {
    const { base } = record.succession
    if (!encryption || this.#next?.epoch.base === base) return
    await this.#dropNext()
    const epoch = epochAfter(this.#epoch, { place: base, base, encryption }, record)
    const store = await Store.join(this.#self.logs, epoch)
    this.#next = { epoch, store }
    store.on('change', () => this.#arriveSoon(store))
    store.on('writable', () => this.#arriveSoon(store))
    for (const [connection] of this.#channels) store.attend(connection)
    this.#showEpoch()
    await this.#arrive()
  }

  #arriveSoon(store: Store): void {
    if (this.#next?.store === store) this.#run(() => this.#arrive())
  }

  /** Goes on in the next epoch, where this device may append to it. */
  async #arrive(): Promise<void> {
    const next = this.#next
    if (!next || !(await next.store.isEntered())) return
    const { store, paths, device } = this.#self
    await store.turn(async () => {
      await carryOver(store, next.store, next.epoch.former)
      await writeLaterEpoch(paths.keyfile, next.epoch, device.sealing)
      await store.become(next.store)
      this.#epoch = next.epoch
      this.#next = undefined
    })
    this.#showEpoch()
    // What one has said on the way couldn’t be answered then.
    const greetings = [...this.#channels.values()].flatMap(({ device, greetings }) =>
      [...greetings.values()].map((theirs) => ({ device, theirs }))
    )
    for (const { device, theirs } of greetings) await this.#hear(device, theirs)
  }

  /**
   * Of two devices that meet with removals of their own the one with the lower key founds
   * the epoch of both; the other follows.
   */
  async #unite(other: DeviceKey, record: SignedSuccession): Promise<void> {
    const { device, store } = this.#self
    const removed = mergeRemovals(this.#newest.succession.removed, record.succession.removed)
    if (this.#next || other < device.signer.key) return
    await store.turn(async () => {
      this.#epoch = await refound(this.#self, this.#epoch, device.signer, removed)
    })
    this.#showEpoch()
  }

  async #accuse(log: string): Promise<void> {
    const { memory, view } = this.#self.store
    for (const device of (await view.get('writer', log)) ?? []) {
      const { name } = memory.devices.get(device)!
      this.#handler.failed(new SelkieError('E_DEVICE_LOG', { name }))
    }
  }

  #noteRemoved(record: SignedSuccession): void {
    const before = this.#removed.size
    for (const device of removedBy(record)) this.#removed.add(device)
    if (this.#removed.size > before) this.#handler.membersChanged()
  }

  /** Says again to everyone where this device is. */
  #showEpoch(): void {
    this.#handler.membersChanged()
    for (const { device, channel } of this.#channels.values()) {
      for (const life of this.#lives()) channel.send(this.#greeting(life, device))
    }
  }

  async #dropNext(): Promise<void> {
    const next = this.#next
    this.#next = undefined
    await next?.store.close()
  }

  #run(step: () => Promise<void>): void {
    this.#then(step).catch((error: unknown) => this.#handler.failed(error))
  }

  /** One step after the other. */
  async #then(step: () => Promise<void>): Promise<void> {
    const mine = this.#running.then(step)
    this.#running = mine.catch(() => {})
    return mine
  }
}
