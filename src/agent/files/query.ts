import { sep } from 'node:path'
import { fold, wordsOf } from './fold.js'
import type { FileEntry, Folder } from './folder.js'

/** Words of a query: each takes a bit of a number. */
export const MAX_WORDS = 30

/** A query, taken apart. A file fits where its path and its text together hold all words. */
export class Query {
  /** Folded, once each. */
  readonly words: readonly string[]
  /** The same in UTF-8. */
  readonly bytes: readonly Buffer[]
  /** A bit for each word. */
  readonly every: number
  readonly #slashed: number
  readonly #whole: string

  constructor(query: string) {
    this.words = wordsOf(query)
    this.bytes = this.words.map((word) => Buffer.from(word))
    this.every = 2 ** this.words.length - 1
    this.#slashed = this.words.reduce((mask, word, i) => (word.includes('/') ? mask | (1 << i) : mask), 0)
    this.#whole = fold(query.replaceAll('"', '').trim())
  }

  /** Which words something folded holds, a bit for each. */
  in(folded: string): number {
    let mask = 0
    for (let i = 0; i < this.words.length; i++) if (folded.includes(this.words[i]!)) mask |= 1 << i
    return mask
  }

  /** Which words the path of each file in a folder holds. */
  inFolder(folder: Folder): (entry: FileEntry) => number {
    const shared = this.in(folder.folded)
    if (this.#slashed === 0) return ({ folded }) => shared | this.in(folded)
    // Words with a slash may also mean what the granted folder lies in.
    const whole = `${fold(folder.path).replaceAll(sep, '/')}/`
    return ({ folded }) => shared | this.in(folded) | (this.in(whole + folded) & this.#slashed)
  }

  /** Whether a folded name is just what was asked for, with its ending or without. */
  isName(folded: string): boolean {
    const dot = folded.lastIndexOf('.')
    return folded === this.#whole || (dot > 0 && folded.slice(0, dot) === this.#whole)
  }
}
