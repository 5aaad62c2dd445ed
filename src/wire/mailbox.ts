import type Corestore from 'corestore'
import type Hypercore from 'hypercore'
import type { BundleId, IdentityKey } from '../base/ids.js'
import { systemError } from '../base/system.js'
import { fromHex, toHex } from '../keys/sodium.js'
import { CHUNK_BYTES, chunksOf, decodeMessage, encodeMessage } from './message.js'
import type { Envelope, Message, Receipt } from './message.js'
import type { Connection } from './swarm.js'

/**
 * What this device has for one contact, in a log that only the contact's devices are
 * told of: sealed bundles and receipts, in order. The log brings integrity, replication
 * and resuming; what it holds is sealed.
 */
export class Mailbox {
  readonly #log: Hypercore
  readonly #places = new Map<BundleId, { first: number; end: number }>()
  readonly #receipts = new Map<BundleId, Receipt>()

  private constructor(log: Hypercore) {
    this.#log = log
  }

  /**
   * Opens the mailbox to a contact, or makes it.
   *
   * @param onSending called when the contact fetches the last block of a bundle
   */
  static async open(
    logs: Corestore,
    contact: IdentityKey,
    onSending: (id: BundleId) => void
  ): Promise<Mailbox> {
    const log = logs.get({ name: `mailbox/${contact}` })
    await log.ready()
    const mailbox = new Mailbox(log)
    for (let index = 0; index < log.length;) {
      const block = await log.get(index)
      const message = block && decodeMessage(block)
      if (message) mailbox.#index(message, index)
      index += 1 + (message?.type === 'bundle' ? chunksOf(message) : 0)
    }
    log.on('upload', (index: number) => {
      for (const [id, { end }] of mailbox.#places) if (index === end - 1) onSending(id)
    })
    return mailbox
  }

  /** Public key of the log, 64 hex digits. */
  get key(): string {
    return toHex(this.#log.key)
  }

  /** Offers this log, and no other, on a connection. */
  replicate(connection: Connection): void {
    this.#log.replicate(connection)
  }

  /** Whether a bundle was put in. */
  has(id: BundleId): boolean {
    return this.#places.has(id)
  }

  /** Puts a sealed bundle in, in one step; one that is in already isn't put in again. */
  async post(id: BundleId, sealed: Uint8Array): Promise<void> {
    if (this.has(id)) return
    const envelope: Envelope = { type: 'bundle', id, bytes: sealed.length }
    const blocks = [encodeMessage(envelope)]
    for (let at = 0; at < sealed.length; at += CHUNK_BYTES) blocks.push(sealed.subarray(at, at + CHUNK_BYTES))
    const { length } = await this.#log.append(blocks)
    this.#index(envelope, length - blocks.length)
  }

  /** Puts a receipt in, unless the last one for that bundle says the same. */
  async acknowledge(receipt: Receipt): Promise<void> {
    const last = this.#receipts.get(receipt.id)
    if (last && last.state === receipt.state && last.problem === receipt.problem) return
    await this.#log.append(encodeMessage(receipt))
    this.#receipts.set(receipt.id, receipt)
  }

  /** Lets go of the bytes of a bundle that has arrived. */
  async clear(id: BundleId): Promise<void> {
    const place = this.#places.get(id)
    if (place) await this.#log.clear(place.first, place.end)
  }

  #index(message: Envelope | Receipt, index: number): void {
    if (message.type === 'receipt') this.#receipts.set(message.id, message)
    else this.#places.set(message.id, { first: index + 1, end: index + 1 + chunksOf(message) })
  }
}

/** What a reader of a contact's mailbox does with what it finds. */
export interface MailHandler {
  /**
   * Takes a bundle in. `fetch` brings its sealed bytes, waiting for the contact as long
   * as it takes; undefined where they aren't what the envelope says. False leaves the
   * bundle where it is, to be offered again by {@link MailReader.retry}.
   */
  bundle(envelope: Envelope, fetch: () => Promise<Uint8Array | undefined>): Promise<boolean>
  receipt(receipt: Receipt): Promise<void>
  /** Reading stopped for a while: the disk is full, say. It goes on at the next message. */
  failed(error: unknown): void
}

/**
 * Blocks that are on their way at once, fewest and most. What is on its way when a
 * connection is cut has to be sent again, and takes memory on both sides.
 */
const INFLIGHT = [8, 64] as const

/** Bundles that are left where they are; with so many, nothing behind them is looked at. */
const MAX_HELD = 64
/** Blocks that are no messages; who has written so many isn't read any further. */
const MAX_STRANGE = 16

/** Follows the mailbox that one device of a contact keeps for this person. */
export class MailReader {
  readonly #log: Hypercore
  readonly #handler: MailHandler
  readonly #held = new Map<number, Envelope>()
  #next = 0
  #strange = 0
  #running: Promise<void> = Promise.resolve()
  #closed = false

  constructor(logs: Corestore, key: string, handler: MailHandler) {
    this.#log = logs.get({ key: fromHex(key), inflightRange: INFLIGHT })
    this.#handler = handler
    this.#log.on('append', () => this.#advance())
    // A block that came and can't be written is dropped, and nothing else tells of it.
    this.#log.on('verification-error', (error: unknown) => systemError(error) && handler.failed(error))
    this.#advance()
  }

  /** Follows the log over a connection too. */
  replicate(connection: Connection): void {
    this.#log.replicate(connection)
  }

  /** Offers again what was left where it is, and goes on where it was stopped. */
  retry(): void {
    this.#then(async () => {
      for (const [index, envelope] of this.#held) {
        if (await this.#offer(index, envelope)) this.#held.delete(index)
      }
    })
    this.#advance()
  }

  /** Stops reading; a fetch that is under way ends without a result. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#log.close()
    await this.#running
  }

  #advance(): void {
    this.#then(async () => {
      await this.#log.ready()
      // Who names one of this device's own logs as theirs has no mail in it.
      if (this.#log.writable) return
      while (this.#next < this.#log.length && this.#held.size < MAX_HELD && this.#strange < MAX_STRANGE) {
        const index = this.#next
        const block = await this.#log.get(index)
        const message = block ? decodeMessage(block) : undefined
        if (message) await this.#take(index, message)
        else await this.#discard(index)
        this.#next = index + 1 + (message?.type === 'bundle' ? chunksOf(message) : 0)
      }
    })
  }

  async #take(index: number, message: Message): Promise<void> {
    if (message.type === 'receipt') await this.#handler.receipt(message)
    else if (!(await this.#offer(index, message))) this.#held.set(index, message)
  }

  /** A block that is no message may be large: it isn't kept. */
  async #discard(index: number): Promise<void> {
    this.#strange++
    await this.#log.clear(index, index + 1)
  }

  async #offer(index: number, envelope: Envelope): Promise<boolean> {
    const first = index + 1
    const end = first + chunksOf(envelope)
    const taken = await this.#handler.bundle(envelope, () => this.#fetch(envelope, first, end))
    if (taken) await this.#log.clear(first, end)
    return taken
  }

  async #fetch(envelope: Envelope, first: number, end: number): Promise<Uint8Array | undefined> {
    // One block first: who lies about their size isn't asked for all of them.
    const probe = await this.#log.get(first)
    if (probe?.length !== Math.min(CHUNK_BYTES, envelope.bytes)) return undefined
    const download = this.#log.download({ start: first, end })
    try {
      const sealed = new Uint8Array(envelope.bytes)
      for (let index = first; index < end; index++) {
        const block = await this.#log.get(index)
        const at = (index - first) * CHUNK_BYTES
        if (block?.length !== Math.min(CHUNK_BYTES, envelope.bytes - at)) return undefined
        sealed.set(block, at)
      }
      return sealed
    } finally {
      download.destroy()
    }
  }

  /** One step after the other; what breaks when the log is closed is no failure. */
  #then(step: () => Promise<void>): void {
    this.#running = this.#running.then(step).catch((error: unknown) => {
      if (!this.#closed) this.#handler.failed(error)
    })
  }
}
