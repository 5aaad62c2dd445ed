import type { Conversations } from '../../store/conversations.js'
import type { PackJob } from './jobs.js'
import { sizeOf, type Packed } from './packed.js'
import type { Pattern } from './pattern.js'
import type { Found } from './scan.js'
import { Searcher } from './searcher.js'

const MiB = 1024 * 1024

/** What a search may take. */
export interface MemoryLimits {
  /** Milliseconds of matching. */
  readonly patience: number
  /** Bytes of what was said, packed, that are held between searches. */
  readonly room: number
  /** Milliseconds without a search after which none are. */
  readonly rest: number
}

const LIMITS: MemoryLimits = { patience: 5000, room: 256 * MiB, rest: 10 * 60_000 }

/** Bytes of heads that are packed at once. */
const CHUNK = MiB

/**
 * What was said in this device’s runs, to be searched. What was packed for one search is
 * held for the next, the newest of it; what is older is read again each time.
 */
export class Memory {
  readonly #log: Conversations
  readonly #limits: MemoryLimits
  readonly #searcher = new Searcher()
  /** The newest first, without gaps. */
  #held: Packed[] = []
  #searching: Promise<unknown> = Promise.resolve()
  #resting: NodeJS.Timeout | undefined

  constructor(log: Conversations, limits: Partial<MemoryLimits> = {}) {
    this.#log = log
    this.#limits = { ...LIMITS, ...limits }
  }

  /**
   * Lines that match, the newest run first, and within a run in their order.
   *
   * @throws SelkieError E_PATTERN_SLOW; the reason of the signal where it aborts
   */
  async search(pattern: Pattern, limit: number, signal: AbortSignal): Promise<Found[]> {
    const mine = this.#searching.then(() => this.#search(pattern, limit, signal))
    this.#searching = mine.catch(() => {})
    return mine
  }

  /** Lets go of everything; a search that goes on is broken off. */
  async close(): Promise<void> {
    await this.#searcher.close()
    await this.#searching
    clearTimeout(this.#resting)
    this.#held = []
  }

  async #search(pattern: Pattern, limit: number, signal: AbortSignal): Promise<Found[]> {
    const { patience, rest } = this.#limits
    clearTimeout(this.#resting)
    const found: Found[] = []
    let left = patience
    const look = async (chunks: readonly Packed[]): Promise<void> => {
      const job = { chunks, pattern, limit: limit - found.length }
      const scanned = await this.#searcher.scan(job, left, signal)
      found.push(...scanned.found)
      left -= scanned.milliseconds
    }
    try {
      await this.#catchUp()
      if (this.#held.length > 0) await look(this.#held)
      let before = this.#held.at(-1)?.from ?? this.#log.length
      let ahead = found.length < limit ? this.#read(before) : undefined
      while (before > 0 && found.length < limit) {
        const job = await ahead!
        before = job.from
        // It is read while this is packed and searched.
        ahead = this.#read(before)
        ahead.catch(() => {})
        const packed = await this.#searcher.pack(job)
        this.#hold(packed)
        await look([packed])
      }
      return found
    } finally {
      this.#resting = setTimeout(() => this.#letGo(), rest).unref()
    }
  }

  /** Nobody has searched for a while. */
  #letGo(): void {
    this.#held = []
    this.#searcher.stop()
  }

  /** Packs what has been said since. A chunk that isn’t full is packed anew with it. */
  async #catchUp(): Promise<void> {
    const { length } = this.#log
    const newest = this.#held[0]
    if (!newest || newest.to === length) return
    const isFull = sizeOf(newest) > CHUNK
    const down = isFull ? newest.to : newest.from
    const packed: Packed[] = []
    for (let before = length; before > down; before = packed.at(-1)!.from)
      packed.push(await this.#searcher.pack(await this.#read(before, down)))
    this.#held = [...packed, ...this.#held.slice(isFull ? 0 : 1)]
    while (this.#size() > this.#limits.room) this.#held.pop()
  }

  /** The newest heads before a place that make up a chunk, not below `down`. */
  async #read(before: number, down = 0): Promise<PackJob> {
    const heads: Uint8Array[] = []
    let size = 0
    while (size < CHUNK && before - heads.length > down) {
      for (const { bytes } of await this.#log.encoded(before - heads.length, down)) {
        heads.push(bytes)
        size += bytes.length
      }
    }
    return { from: before - heads.length, to: before, ...joined(heads, size) }
  }

  #hold(packed: Packed): void {
    const oldest = this.#held.at(-1)
    const follows = !oldest || packed.to === oldest.from
    if (follows && this.#size() + sizeOf(packed) <= this.#limits.room) this.#held.push(packed)
  }

  #size(): number {
    return this.#held.reduce((sum, packed) => sum + sizeOf(packed), 0)
  }
}

/** Heads one after the other, in memory that can go to another thread as it is. */
function joined(heads: readonly Uint8Array[], size: number): { bytes: Uint8Array; sizes: number[] } {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const head of heads) {
    bytes.set(head, at)
    at += head.length
  }
  return { bytes, sizes: heads.map(({ length }) => length) }
}
