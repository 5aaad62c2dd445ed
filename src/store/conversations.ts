import type Hypercore from 'hypercore'
import { SelkieError } from '../base/errors.js'
import { decodeOwn, encode } from '../base/msgpack.js'
import { keyedHash } from '../keys/sodium.js'
import type { Self } from './self.js'
import { refuseFull, SPARE, SPARE_AFTER } from './space.js'

/** Bytes of the largest block that a log takes. */
export const MAX_BLOCK = 15 * 1024 * 1024

/** What the log says of a run: that it has begun, or how it has ended. */
export interface Head {
  readonly type: 'begin' | 'end'
  readonly id: string
  /** What was said: the question, then the model’s texts. */
  readonly said: readonly string[]
  /** The rest of the run as JSON, without its calls. */
  readonly run: string
  /** Places of the runs that have begun by then and not ended. */
  readonly open: readonly number[]
}

/** A head as it is stored: its texts as UTF-8, so that a search needn’t decode what it passes over. */
export type StoredHead = Omit<Head, 'said'> & { readonly said: readonly Uint8Array[] }

type Kept = Pick<Head, 'said' | 'run'>

/** Heads that are read at once. */
const BATCH = 32

const NOTHING = new Uint8Array()

/**
 * What this device has talked about, in a log of its own that only grows. A run has two
 * entries, one when it begins and one when it ends; what was begun and never ended, as in
 * a process that was killed, is ended as it began when the log is next opened. An entry is
 * two blocks, the calls of the run and its head, so that heads are read without the calls.
 */
export class Conversations {
  readonly #log: Hypercore
  readonly #folder: string
  /** Runs that go on, by their ids: where they begin. */
  readonly #open = new Map<string, number>()
  #appending: Promise<unknown> = Promise.resolve()

  private constructor(log: Hypercore, folder: string) {
    this.#log = log
    this.#folder = folder
  }

  /**
   * Opens the log of this device, or makes it. It is encrypted under a key from the secret
   * by which the device reads what is sealed to it: that is as old as the device, so that
   * the log stays readable in every epoch of the store, and nobody else has it.
   *
   * @throws SelkieError E_STORE_KEY where the log was written under another key
   */
  static async open({ logs, device }: Pick<Self, 'logs' | 'device'>): Promise<Conversations> {
    const key = keyedHash(device.sealing.secretKey, 'selkie/conversations/v1')
    const log = logs.get({ name: 'conversations', encryption: { key } })
    await log.ready()
    const conversations = new Conversations(log, logs.storage.path)
    if (conversations.length > 0) await conversations.#endInterrupted()
    return conversations
  }

  /** How many entries there are. */
  get length(): number {
    return this.#log.length / 2
  }

  /**
   * Notes that a run begins. Settles when it is in the log.
   *
   * @throws SelkieError E_DISK_FULL
   */
  async begin(id: string, kept: Kept): Promise<void> {
    await this.#inTurn(async () => {
      const place = this.length
      await this.#append({ type: 'begin', id, ...kept, open: [...this.#open.values(), place] })
      this.#open.set(id, place)
    })
  }

  /**
   * Notes how a run has ended.
   *
   * @param calls encoded, at most {@link MAX_BLOCK} bytes
   * @returns its place
   */
  async end(id: string, kept: Kept, calls: Uint8Array): Promise<number> {
    return this.#inTurn(async () => {
      const place = this.length
      const open = [...this.#open].filter(([other]) => other !== id).map(([, begun]) => begun)
      await this.#append({ type: 'end', id, ...kept, open }, calls)
      this.#open.delete(id)
      return place
    })
  }

  /** The head at a place. */
  async head(place: number): Promise<Head> {
    return decodeHead(await this.#block(2 * place + 1))
  }

  /** The encoded calls of the run that has ended at a place. */
  calls(place: number): Promise<Uint8Array> {
    return this.#block(2 * place)
  }

  /** Some encoded heads: from the newest before a place on backwards, not below `down`. */
  async encoded(before: number, down = 0): Promise<{ place: number; bytes: Uint8Array }[]> {
    const count = Math.min(BATCH, before - down)
    const places = Array.from({ length: count }, (_, n) => before - 1 - n)
    return Promise.all(places.map(async (place) => ({ place, bytes: await this.#block(2 * place + 1) })))
  }

  /** The heads from the newest on backwards. */
  async *backwards(): AsyncGenerator<Head> {
    for (let before = this.length; before > 0; before -= BATCH)
      for (const { bytes } of await this.encoded(before)) yield decodeHead(bytes)
  }

  /** Whoever closes the logs calls this first. */
  async close(): Promise<void> {
    await this.#appending
    await this.#log.close()
  }

  /** Of this device’s runs only those can go on that this process has begun. */
  async #endInterrupted(): Promise<void> {
    const { open } = await this.#last()
    const begun = await Promise.all(open.map((place) => this.head(place)))
    for (const [n, { id }] of begun.entries()) this.#open.set(id, open[n]!)
    for (const { id, said, run } of begun) await this.end(id, { said, run }, NOTHING)
  }

  /** A log that is read under a wrong key gives bytes that mean nothing. */
  async #last(): Promise<Head> {
    try {
      const head = await this.head(this.length - 1)
      if (Array.isArray(head.open)) return head
    } catch (cause) {
      throw new SelkieError('E_STORE_KEY', {}, { cause })
    }
    throw new SelkieError('E_STORE_KEY')
  }

  async #block(index: number): Promise<Uint8Array> {
    return (await this.#log.get(index, { wait: false }))!
  }

  async #append(head: Head, calls: Uint8Array = NOTHING): Promise<void> {
    const encoded = encodeHead(head)
    const spare = head.type === 'begin' ? SPARE : SPARE_AFTER
    await refuseFull(this.#folder, calls.length + encoded.length, spare)
    await this.#log.append([calls, encoded])
  }

  /** One after the other: an entry says which runs are open by then. */
  async #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const mine = this.#appending.then(step)
    this.#appending = mine.catch(() => {})
    return mine
  }
}

/** A head as {@link Conversations} writes it. */
export function encodeHead(head: Head): Uint8Array {
  return encode({ ...head, said: head.said.map((text) => Buffer.from(text)) } satisfies StoredHead)
}

/** The head of bytes that {@link Conversations} has read. */
export function decodeHead(bytes: Uint8Array): Head {
  const head = decodeOwn(bytes) as StoredHead
  return { ...head, said: head.said.map((text) => Buffer.from(text).toString()) }
}
