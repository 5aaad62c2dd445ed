import type { Kind, TextRead } from './read-text.js'

/** Numbers of a row. */
const LENGTH = 9

/**
 * A file as it was when it was read, as a row of numbers: so that many go from thread to
 * thread at once, and take little room. Times are milliseconds since 1970.
 */
export class ReadRow {
  readonly #rows: Float64Array
  readonly #at: number

  constructor(rows: Float64Array, index: number) {
    this.#rows = rows
    this.#at = index * LENGTH
  }

  get kind(): Kind {
    return this.#whole(0) as Kind
  }

  get size(): number {
    return this.#rows[this.#at + 1]!
  }

  get modified(): number {
    return this.#rows[this.#at + 2]!
  }

  /** When anything about it was changed last, also its name or its permissions. */
  get changed(): number {
    return this.#rows[this.#at + 3]!
  }

  get inode(): number {
    return this.#rows[this.#at + 4]!
  }

  /** How many names it has. */
  get links(): number {
    return this.#whole(5)
  }

  /** Of a held text: the number of its chunk, and where it is there. */
  get chunk(): number {
    return this.#whole(6)
  }

  get offset(): number {
    return this.#whole(7)
  }

  get length(): number {
    return this.#whole(8)
  }

  /** As an integer: stored as what they come as, these would make objects that hold them slow. */
  #whole(index: number): number {
    return this.#rows[this.#at + index]! | 0
  }
}

/** The rows of files that were read. */
export function rowsOf(files: readonly TextRead[]): Float64Array {
  const rows = new Float64Array(files.length * LENGTH)
  for (const [i, { kind, stats, place, length = 0 }] of files.entries()) {
    let at = i * LENGTH
    rows[at++] = kind
    rows[at++] = stats?.size ?? 0
    rows[at++] = stats?.mtimeMs ?? 0
    rows[at++] = stats?.ctimeMs ?? 0
    rows[at++] = stats?.ino ?? 0
    rows[at++] = stats?.nlink ?? 0
    rows[at++] = place?.chunk ?? -1
    rows[at++] = place?.offset ?? 0
    rows[at] = length
  }
  return rows
}
