const MiB = 1024 * 1024

/** Bytes of a chunk; a text that needs more gets one of its own, as many times as long. */
export const CHUNK = 16 * MiB
/** Bytes of a chunk that aren’t worth waiting for a text that is short enough. */
const LITTLE = 64 * 1024
/** Bytes of text that are held, all threads together. */
export const ROOM = 256 * MiB

/** Room that all threads share, known to all of them by its number. */
export interface Shared {
  readonly chunk: number
  readonly bytes: Buffer
}

/** A place for a text in a chunk, of which `bytes` is the whole, and `words` the same in fours. */
export interface Place extends Shared {
  readonly words: Int32Array
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

const NONE: Omit<Place, 'offset'> = { chunk: -1, bytes: Buffer.alloc(0), words: new Int32Array() }

/**
 * Room for texts, of one thread: chunks that all threads can read, filled one after the
 * other. A text begins at a multiple of four and ends with a zero byte, which no text has.
 */
export class TextRoom {
  readonly #budget: Budget
  #filling = NONE
  #used = 0
  #made: Shared[] = []
  #left: number[] = []

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Whether there is no room, not even for a short text. */
  get isFull(): boolean {
    return this.#filling === NONE && Atomics.load(this.#budget, 0) === 0
  }

  /** A place for so many bytes, which nothing holds until it is kept; undefined where no room is left. */
  place(length: number): Place | undefined {
    // Rounded up, so that it can be gone through in fours.
    const needed = (length + 4) & ~3
    const rest = this.#filling.bytes.length - this.#used
    if (needed > rest) {
      const count = Math.ceil(needed / CHUNK)
      if (Atomics.sub(this.#budget, 0, count) < count) {
        Atomics.add(this.#budget, 0, count)
        if (rest < LITTLE) this.#leave()
        return undefined
      }
      this.#leave()
      const shared = new SharedArrayBuffer(count * CHUNK)
      const bytes = Buffer.from(shared)
      this.#filling = { chunk: Atomics.add(this.#budget, 1, 1), bytes, words: new Int32Array(shared) }
      this.#made.push(this.#filling)
    }
    const { chunk, bytes, words } = this.#filling
    return { chunk, bytes, words, offset: this.#used }
  }

  /** Keeps what was written to the place that was given last. */
  keep({ bytes, offset }: Place, length: number): void {
    this.#used = (offset + length + 4) & ~3
    // What was read here before and not kept would look like a text.
    bytes.fill(0, offset + length, this.#used)
  }

  /** What has changed since this was asked last. */
  changes(): RoomChanges {
    const made = this.#made.map(({ chunk, bytes }) => ({ chunk, shared: bytes.buffer as SharedArrayBuffer }))
    const left = this.#left
    this.#made = []
    this.#left = []
    return { made, left }
  }

  #leave(): void {
    if (this.#filling !== NONE) this.#left.push(this.#filling.chunk)
    this.#filling = NONE
    this.#used = 0
  }
}

/** What becomes of a thread’s room: chunks that it has made, and those that it won’t fill any more. */
export interface RoomChanges {
  readonly made: readonly { readonly chunk: number; readonly shared: SharedArrayBuffer }[]
  readonly left: readonly number[]
}
