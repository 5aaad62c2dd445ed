import MiniSearch, { type SearchResult } from 'minisearch'
import type { NoteShown } from '../../agent-api.js'
import { noteShown } from '../../editing/notes.js'
import { titleOf } from '../../store/note.js'
import type { NoteRow } from '../../store/rows.js'
import type { Store } from '../../store/store.js'
import { wordsOf } from './words.js'

/** Notes that are taken into the index before others get their turn. */
const AT_ONCE = 50
/** Words of a question that are looked for. */
const MAX_WORDS = 24
/** A word is common that so many notes have, and such a share of them. */
const COMMON = 100
const COMMON_SHARE = 0.2

/** A note that was found. */
export interface FoundNote {
  readonly note: NoteShown
  /** Which of its words fit, as they are looked for. */
  readonly terms: ReadonlySet<string>
}

/** What was found, the best first, and how many more fit. */
export interface FoundNotes {
  readonly notes: readonly FoundNote[]
  readonly more: number
}

/**
 * Full-text search over the notes. The index is made at the first search, kept in memory,
 * and brought up to the store before each one.
 */
export class Notebook {
  readonly #store: Store
  readonly #index = new MiniSearch<NoteRow>({
    fields: ['title', 'text'],
    storeFields: ['revision', 'deleted'],
    extractField: (row, field) => (field === 'title' ? titleOf(row.text) : row[field as keyof NoteRow]),
    tokenize: termsOf,
    processTerm: (term) => term,
    searchOptions: {
      tokenize: wordsOfQuestion,
      boost: { title: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length < 5 ? false : term.length < 9 ? 1 : 2)
    }
  })
  readonly #ids = new Set<string>()
  /** In how many notes each word is, or has been before an edit. */
  readonly #counts = new Map<string, number>()
  /** The notes that aren’t in the index as they are; null where it may be any. */
  #stale: Set<string> | null = null
  #catchingUp: Promise<void> = Promise.resolve()
  readonly #noteChange = (kinds: ReadonlySet<string>, notes: ReadonlySet<string> | null): void => {
    if (!kinds.has('note')) return
    if (!notes) this.#stale = null
    else for (const id of notes) this.#stale?.add(id)
  }

  constructor(store: Store) {
    this.#store = store
    store.on('change', this.#noteChange)
  }

  /**
   * The notes that have all words of a question, or where there is none those that have
   * any; a word may be the beginning of one, or misspelt.
   *
   * @param options.deleted looks among the deleted ones instead
   */
  async search(
    question: string,
    { deleted = false, limit = Infinity }: { deleted?: boolean; limit?: number } = {}
  ): Promise<FoundNotes> {
    await this.#catchUp()
    const words = this.#telling(wordsOfQuestion(question)).join(' ')
    const filter = (result: SearchResult): boolean => result['deleted'] === deleted
    const all = this.#index.search(words, { filter, combineWith: 'AND' })
    const fitting = all.length > 0 ? all : this.#index.search(words, { filter })
    const notes: FoundNote[] = []
    for (const { id, terms } of fitting.slice(0, limit)) {
      const row = await this.#store.view.get('note', id as string)
      if (row) notes.push({ note: noteShown(row), terms: new Set(terms) })
    }
    return { notes, more: Math.max(0, fitting.length - limit) }
  }

  /** Forgets the index. */
  close(): void {
    this.#store.off('change', this.#noteChange)
    this.#index.removeAll()
    this.#counts.clear()
  }

  /** The words without those that every fifth note has, where others are left: they tell little and cost most. */
  #telling(words: readonly string[]): readonly string[] {
    const most = Math.max(COMMON, this.#ids.size * COMMON_SHARE)
    const telling = words.filter((word) => (this.#counts.get(word) ?? 0) <= most)
    return telling.length > 0 ? telling : words
  }

  /** Brings the index up to the store, one step after the other. */
  async #catchUp(): Promise<void> {
    const mine = this.#catchingUp.then(() => this.#takeIn())
    this.#catchingUp = mine.catch(() => {})
    return mine
  }

  async #takeIn(): Promise<void> {
    const { view } = this.#store
    const stale = this.#stale
    if (stale?.size === 0) return
    this.#stale = new Set()
    try {
      if (stale) for (const id of stale) this.#put(id, await view.get('note', id))
      else await this.#takeAll()
    } catch (error) {
      this.#stale = null
      throw error
    }
  }

  async #takeAll(): Promise<void> {
    const gone = new Set(this.#ids)
    let taken = 0
    for await (const { row } of this.#store.view.all('note')) {
      gone.delete(row.id)
      if (this.#put(row.id, row) && ++taken % AT_ONCE === 0) await new Promise(setImmediate)
    }
    for (const id of gone) this.#put(id, undefined)
  }

  /** Puts a note as it is into the index; gives whether it wasn’t there so. */
  #put(id: string, row: NoteRow | undefined): boolean {
    const known = this.#index.getStoredFields(id)
    if (known && row && known['revision'] === row.revision && known['deleted'] === row.deleted) return false
    if (known) this.#index.discard(id)
    if (!row) return this.#ids.delete(id)
    this.#index.add(row)
    this.#ids.add(id)
    for (const term of new Set(termsOf(row.text))) this.#counts.set(term, (this.#counts.get(term) ?? 0) + 1)
    return true
  }
}

/** The words of a question, each once. */
function wordsOfQuestion(question: string): string[] {
  return [...new Set(termsOf(question))].slice(0, MAX_WORDS)
}

function termsOf(text: string): string[] {
  return [...wordsOf(text)].map(({ term }) => term)
}
