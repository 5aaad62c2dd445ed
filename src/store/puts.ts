import { Memory } from './memory.js'

/** What was put between two lengths of a view. */
export interface PutsBetween {
  /** The newest value of each key of a kind that the memory keeps. */
  readonly rows: ReadonlyMap<string, Uint8Array>
  /** The kinds of all keys that were put. */
  readonly kinds: ReadonlySet<string>
  /** The ids of the notes that were put; null where it may be any. */
  readonly notes: ReadonlySet<string> | null
}

/**
 * What apply has put into a view since the memory was last brought up to it, so that it
 * needn’t be read again from the disk.
 */
export class Puts {
  #from = 0
  #to = 0
  #rows = new Map<string, Uint8Array>()
  #kinds = new Set<string>()
  #notes = new Set<string>()

  /** Takes in what a batch has put that brought the view from one length to another. */
  add(from: number, to: number, puts: Iterable<readonly [key: string, value: Uint8Array]>): void {
    // What lies between was put by no one, or was taken back: the order of entries has changed.
    if (from !== this.#to) this.#startAt(from)
    this.#to = to
    for (const [key, value] of puts) {
      const kind = kindOf(key)
      this.#kinds.add(kind)
      if (Memory.keeps(kind)) this.#rows.set(key, value)
      if (kind === 'note') this.#notes.add(idOf(key))
    }
  }

  /** What was put between two lengths; undefined where that isn’t known, or where more was put since. */
  take(from: number, to: number): PutsBetween | undefined {
    if (from < this.#from || to !== this.#to) return undefined
    const taken = { rows: this.#rows, kinds: this.#kinds, notes: this.#notes }
    this.#startAt(to)
    return taken
  }

  #startAt(length: number): void {
    this.#from = length
    this.#to = length
    this.#rows = new Map()
    this.#kinds = new Set()
    this.#notes = new Set()
  }
}

/** The kind of row that a key of the view names. */
export function kindOf(key: string): string {
  return key.split('/', 1)[0]!
}

/** What a key of the view names, without its kind. */
export function idOf(key: string): string {
  return key.slice(kindOf(key).length + 1)
}
