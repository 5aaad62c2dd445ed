const MiB = 1024 * 1024

/** Bytes of a chunk; a text that needs more gets one of its own, as many times as long. */
export const CHUNK = 4 * MiB
/** Bytes of a short text. */
const SHORT = 1024
/** Bytes of text that are held, all threads together. */
export const ROOM = 256 * MiB

/** Room that all threads share, known to all of them by its number. */
export interface Shared {
  readonly chunk: number
  readonly bytes: Buffer
}

/** A place for a text in a chunk, of which `bytes` is the whole. */
export interface Place extends Shared {
  readonly offset: number
}

/** What the threads share: how many chunks may still be made, and how many were. */
export type Budget = Int32Array<SharedArrayBuffer>

export function newBudget(room = ROOM): Budget {
  return new Int32Array(new SharedArrayBuffer(8)).fill(room / CHUNK, 0, 1)
}

/** Gives the room of a chunk back in which nothing lies any more. */
export function giveBack(budget: Budget, bytes: Buffer): void {
  Atomics.add(budget, 0, bytes.length / CHUNK)
}

/**
 * Room for texts, of one thread: chunks that all threads can read, filled one after the
 * other. A text begins at a multiple of four and ends with a zero byte, which no text has.
 */
export class TextRoom {
  readonly #budget: Budget
  #filling: Shared = { chunk: -1, bytes: Buffer.alloc(0) }
  #used = 0
  /** Chunks that were made since they were last taken over, and which was filled before. */
  fresh: (Shared & { readonly before: number })[] = []

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Whether only the shortest texts may still find a place. */
  get isFull(): boolean {
    return this.#filling.bytes.length - this.#used < SHORT && Atomics.load(this.#budget, 0) === 0
  }

  /** A place for so many bytes, which nothing holds until it is kept; undefined where no room is left. */
  place(length: number): Place | undefined {
    // Rounded up, so that it can be gone through in fours.
    const needed = (length + 4) & ~3
    if (needed > this.#filling.bytes.length - this.#used) {
      const count = Math.ceil(needed / CHUNK)
      if (Atomics.sub(this.#budget, 0, count) < count) {
        Atomics.add(this.#budget, 0, count)
        return undefined
      }
      const bytes = Buffer.from(new SharedArrayBuffer(count * CHUNK))
      const before = this.#filling.chunk
      this.#filling = { chunk: Atomics.add(this.#budget, 1, 1), bytes }
      this.#used = 0
      this.fresh.push({ ...this.#filling, before })
    }
    const { chunk, bytes } = this.#filling
    return { chunk, bytes, offset: this.#used }
  }

  /** Keeps what was written to the place that was given last. */
  keep({ bytes, offset }: Place, length: number): void {
    this.#used = (offset + length + 4) & ~3
    // What was read here before and not kept would look like a text.
    bytes.fill(0, offset + length, this.#used)
  }
}
