import type Corestore from 'corestore'
import type Hypercore from 'hypercore'
import { systemError } from '../base/system.js'
import { fromHex } from '../keys/sodium.js'
import { download } from '../store/download.js'
import { CHUNK_BYTES, chunksOf, decodeMessage, type Envelope, type Receipt } from './message.js'
import { Slots } from './slots.js'
import type { Connection } from './swarm.js'

/**
 * Brings the sealed bytes of a bundle that is offered, waiting for the contact as long as
 * it takes; undefined where they aren't what the envelope says. Rejects with the reason of
 * `signal` once that says stop, and when the reader is closed.
 */
export type Fetch = (signal?: AbortSignal) => Promise<Uint8Array | undefined>

/** What a reader of a contact's mailbox does with what it finds. */
export interface MailHandler {
  /**
   * Takes a bundle in. False leaves it where it is, to be offered again by
   * {@link MailReader.retry}. Called in the order of the mailbox, and for the next one
   * before it is done with the last.
   */
  bundle(envelope: Envelope, fetch: Fetch): Promise<boolean>
  receipt(receipt: Receipt): Promise<void>
  /** Something went wrong: the disk is full, say. It is tried again at the next message. */
  failed(error: unknown): void
}

/**
 * Blocks that are on their way at once, fewest and most. What is on its way when a
 * connection is cut has to be sent again, and takes memory on both sides.
 */
const INFLIGHT = [8, 64] as const

/** Bundles that are waited for or left where they are; with so many, nothing behind them is looked at. */
const MAX_OPEN = 64
/** Blocks that are no messages; who has written so many isn't read any further. */
const MAX_STRANGE = 16

/** Bundles that are whole in memory at once, whoever they come from. */
const inMemory = new Slots(2)

interface Offer {
  readonly index: number
  readonly envelope: Envelope
  /** Settles when the handler is done with it for now; undefined while it isn't asked. */
  running: Promise<void> | undefined
  /** Whether it is to be offered once more, whatever the handler says now. */
  again: boolean
  hasFailed: boolean
}

/**
 * Follows the mailbox that one device of a contact keeps for this person. Bundles are
 * fetched side by side: one whose bytes nobody has just now stands in no one's way.
 */
export class MailReader {
  readonly #log: Hypercore
  readonly #handler: MailHandler
  readonly #offers = new Map<number, Offer>()
  readonly #closing = new AbortController()
  #next = 0
  #strange = 0
  #reading: Promise<void> = Promise.resolve()

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
    for (const offer of this.#offers.values()) this.#offer(offer)
    this.#advance()
  }

  /** Stops reading; a fetch that is under way ends without a result. */
  async close(): Promise<void> {
    this.#closing.abort()
    // What was taken is let go of first.
    for (const { running } of this.#offers.values()) await running
    await this.#log.close()
    await this.#reading
  }

  /** One step after the other; what breaks when the log is closed is no failure. */
  #advance(): void {
    this.#reading = this.#reading.then(() => this.#read()).catch((error: unknown) => this.#fail(error))
  }

  #fail(error: unknown): void {
    if (!this.#closing.signal.aborted) this.#handler.failed(error)
  }

  async #read(): Promise<void> {
    await this.#log.ready()
    // Who names one of this device's own logs as theirs has no mail in it.
    if (this.#log.writable) return
    for (const offer of this.#offers.values()) if (offer.hasFailed) this.#offer(offer)
    while (this.#next < this.#log.length && this.#offers.size < MAX_OPEN && this.#strange < MAX_STRANGE) {
      const index = this.#next
      const block = await this.#log.get(index)
      const message = block ? decodeMessage(block) : undefined
      if (message?.type === 'receipt') await this.#handler.receipt(message)
      else if (message) this.#open(index, message)
      else await this.#discard(index)
      this.#next = index + 1 + (message?.type === 'bundle' ? chunksOf(message) : 0)
    }
  }

  /** A block that is no message may be large: it isn't kept. */
  async #discard(index: number): Promise<void> {
    this.#strange++
    await this.#log.clear(index, index + 1)
  }

  #open(index: number, envelope: Envelope): void {
    const offer: Offer = { index, envelope, running: undefined, again: false, hasFailed: false }
    this.#offers.set(index, offer)
    this.#offer(offer)
  }

  #offer(offer: Offer): void {
    if (this.#closing.signal.aborted) return
    if (offer.running) offer.again = true
    else offer.running = this.#handOver(offer)
  }

  async #handOver(offer: Offer): Promise<void> {
    const { index, envelope } = offer
    const first = index + 1
    const end = first + chunksOf(envelope)
    offer.hasFailed = false
    try {
      do {
        offer.again = false
        if (!(await this.#isTaken(envelope, first, end))) continue
        await this.#log.clear(first, end)
        this.#offers.delete(index)
        // There may have been too many to go on.
        this.#advance()
      } while (offer.again && this.#offers.has(index))
    } catch (error) {
      offer.hasFailed = true
      this.#fail(error)
    } finally {
      offer.running = undefined
    }
  }

  async #isTaken(envelope: Envelope, first: number, end: number): Promise<boolean> {
    const slots: (() => void)[] = []
    const fetch: Fetch = async (signal) => {
      const stop = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
      if (!(await this.#bring(envelope, first, end, stop))) return undefined
      // It is held until the handler is done: so is what it has fetched.
      slots.push(await inMemory.take())
      stop.throwIfAborted()
      return this.#assemble(envelope, first, end)
    }
    try {
      return await this.#handler.bundle(envelope, fetch)
    } finally {
      for (const leave of slots) leave()
    }
  }

  /** Brings the blocks onto the disk, which takes no memory: they may be long in coming. */
  async #bring(envelope: Envelope, first: number, end: number, stop: AbortSignal): Promise<boolean> {
    const fits = (index: number, bytes: number): boolean => bytes === sizeAt(envelope, index - first)
    // One block first: who lies about their size isn't asked for all of them.
    if (!(await download(this.#log, { start: first, end: first + 1 }, fits, stop))) return false
    return download(this.#log, { start: first, end }, fits, stop)
  }

  async #assemble(envelope: Envelope, first: number, end: number): Promise<Uint8Array | undefined> {
    const sealed = new Uint8Array(envelope.bytes)
    for (let index = first; index < end; index++) {
      const block = await this.#log.get(index, { wait: false })
      if (block?.length !== sizeAt(envelope, index - first)) return undefined
      sealed.set(block, (index - first) * CHUNK_BYTES)
    }
    return sealed
  }
}

/** Bytes of a block of a bundle. */
function sizeAt({ bytes }: Envelope, chunk: number): number {
  return Math.min(CHUNK_BYTES, bytes - chunk * CHUNK_BYTES)
}
