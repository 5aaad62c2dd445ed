import type Corestore from 'corestore'
import type Hypercore from 'hypercore'
import type { BundleId, IdentityKey } from '../base/ids.js'
import { toHex } from '../keys/sodium.js'
import { nameIn } from '../store/generation.js'
import { refuseFull, SPARE_AFTER } from '../store/space.js'
import { CHUNK_BYTES, chunksOf, decodeMessage, encodeMessage } from './message.js'
import type { Envelope, Receipt } from './message.js'
import type { Connection } from './swarm.js'

/**
 * What this device has for one contact, in a log that only the contact's devices are
 * told of: sealed bundles and receipts, in order. The log brings integrity, replication
 * and resuming; what it holds is sealed.
 */
export class Mailbox {
  readonly #log: Hypercore
  readonly #folder: string
  readonly #onSending: (id: BundleId) => void
  readonly #places = new Map<BundleId, Place>()
  readonly #receipts = new Map<BundleId, Receipt>()

  private constructor(log: Hypercore, folder: string, onSending: (id: BundleId) => void) {
    this.#log = log
    this.#folder = folder
    this.#onSending = onSending
  }

  /**
   * Opens the mailbox to a contact, or makes it.
   *
   * @param onSending called when a device of the contact was given every block of a bundle; not
   *   where it had some from before: its receipt says the same soon
   */
  static async open(
    logs: Corestore,
    contact: IdentityKey,
    onSending: (id: BundleId) => void
  ): Promise<Mailbox> {
    const log = logs.get({ name: await nameIn(logs, `mailbox/${contact}`) })
    await log.ready()
    const mailbox = new Mailbox(log, logs.storage.path, onSending)
    for (let index = 0; index < log.length;) {
      const block = await log.get(index)
      const message = block && decodeMessage(block)
      if (message) mailbox.#index(message, index)
      index += 1 + (message?.type === 'bundle' ? chunksOf(message) : 0)
    }
    log.on('upload', (index: number, _bytes: number, peer: object) => mailbox.#serve(index, peer))
    log.on('peer-remove', (peer: object) => {
      for (const { served } of mailbox.#places.values()) served.delete(peer)
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

  /**
   * Puts a sealed bundle in, in one step; one that is in already isn't put in again.
   *
   * @throws SelkieError E_DISK_FULL
   */
  async post(id: BundleId, sealed: Uint8Array): Promise<void> {
    await refuseFull(this.#folder, sealed.length, SPARE_AFTER)
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
    // Noted ahead of it: the next to say the same doesn't wait for this one.
    this.#receipts.set(receipt.id, receipt)
    try {
      await refuseFull(this.#folder, 0, SPARE_AFTER)
      await this.#log.append(encodeMessage(receipt))
    } catch (error) {
      if (last) this.#receipts.set(receipt.id, last)
      else this.#receipts.delete(receipt.id)
      throw error
    }
  }

  /**
   * Lets go of the bytes of a bundle that has arrived. A device of the contact that is in
   * the middle of fetching them keeps them: asking for dozens of blocks that are gone, it
   * would take nothing more over that connection.
   *
   * @param force for what can't wait any longer
   * @returns whether they are gone
   */
  async clear(id: BundleId, { force = false } = {}): Promise<boolean> {
    const place = this.#places.get(id)
    if (!place) return true
    if (place.served.size > 0 && !force) return false
    await this.#log.clear(place.first, place.end)
    return true
  }

  #serve(index: number, peer: object): void {
    for (const [id, { first, end, served }] of this.#places) {
      if (index < first || index >= end) continue
      const count = (served.get(peer) ?? 0) + 1
      if (count < end - first) served.set(peer, count)
      else {
        served.delete(peer)
        this.#onSending(id)
      }
    }
  }

  #index(message: Envelope | Receipt, index: number): void {
    if (message.type === 'receipt') this.#receipts.set(message.id, message)
    else
      this.#places.set(message.id, {
        first: index + 1,
        end: index + 1 + chunksOf(message),
        served: new Map()
      })
  }
}

/** Where a bundle's blocks are, and how many of them went to whom that doesn't have all of them yet. */
interface Place {
  readonly first: number
  readonly end: number
  readonly served: Map<object, number>
}
