import type { Chunk, FileEntry } from './folder.js'
import { giveBack, type Budget, type RoomChanges, type TextRoom } from './text-room.js'

/** The held texts of all threads. */
export class Chunks {
  readonly #chunks = new Map<number, Chunk>()
  readonly #budget: Budget
  readonly #room: TextRoom

  constructor(budget: Budget, room: TextRoom) {
    this.#budget = budget
    this.#room = room
  }

  all(): Chunk[] {
    return [...this.#chunks.values()]
  }

  /** Notes what has become of a thread’s room. */
  note({ made, left }: RoomChanges): void {
    for (const { chunk: number, shared } of made) {
      const chunk = { number, bytes: Buffer.from(shared), offsets: [], entries: [], used: 0, live: 0 }
      this.#chunks.set(number, { ...chunk, isLeft: false })
    }
    for (const number of left) this.#chunks.get(number)!.isLeft = true
  }

  /** Notes where the text of a file lies; those of one chunk come in the order of their places. */
  put(entry: FileEntry, number: number, offset: number, length: number): void {
    const chunk = this.#chunks.get(number)!
    this.remove(entry)
    entry.chunk = chunk
    entry.offset = offset
    entry.length = length
    chunk.offsets.push(offset)
    chunk.entries.push(entry)
    chunk.used = offset + length + 1
    chunk.live += length + 1
  }

  /** Forgets the text of a file. */
  remove(entry: FileEntry): void {
    if (entry.chunk) entry.chunk.live -= entry.length + 1
    entry.chunk = undefined
  }

  /** The text of a file that is held. */
  textOf({ chunk, offset, length }: FileEntry): Buffer | undefined {
    return chunk?.bytes.subarray(offset, offset + length)
  }

  /** The file whose text is at a place; undefined where it is gone. */
  at(chunk: Chunk, place: number): FileEntry | undefined {
    let [low, high] = [0, chunk.offsets.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (chunk.offsets[middle]! <= place) low = middle
      else high = middle
    }
    const entry = chunk.entries[low]
    return isAt(entry, chunk, low) ? entry : undefined
  }

  /** Gives back the room of chunks most of which is gone; what is left in them moves. */
  tidy(): void {
    for (const chunk of this.all()) {
      if (!chunk.isLeft || chunk.live >= chunk.used / 2) continue
      const entries = chunk.entries.filter((entry, i) => isAt(entry, chunk, i))
      const texts = entries.map((entry) => Buffer.from(this.textOf(entry)!))
      this.#chunks.delete(chunk.number)
      giveBack(this.#budget, chunk.bytes)
      for (const [i, entry] of entries.entries()) this.#move(entry, texts[i]!)
    }
  }

  #move(entry: FileEntry, text: Buffer): void {
    // There is more room than it had before.
    const place = this.#room.place(text.length)!
    text.copy(place.bytes, place.offset)
    this.#room.keep(place, text.length)
    this.note(this.#room.changes())
    this.put(entry, place.chunk, place.offset, text.length)
  }
}

function isAt(entry: FileEntry | undefined, chunk: Chunk, i: number): entry is FileEntry {
  return entry?.chunk === chunk && entry.offset === chunk.offsets[i]
}
