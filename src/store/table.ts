import { decodeOwn, encode } from '../base/msgpack.js'
import type { ContentHash } from '../base/ids.js'
import { keyOf, type RowOf } from './rows.js'

/** What apply needs of the view: keys to bytes, in order. A Hyperbee batch is one. */
export interface Cells {
  get(key: string): Promise<{ readonly value: Uint8Array } | null>
  put(key: string, value: Uint8Array): Promise<void>
  del(key: string): Promise<void>
  createReadStream(range: {
    gte: string
    lt: string
  }): AsyncIterable<{ readonly key: string; readonly value: Uint8Array }>
}

/** The kinds of rows that have a codec; contents are kept as their own bytes. */
export type Kind = keyof RowOf

/**
 * The view as rows. Reading one that isn't there gives undefined; values come from
 * this node's own apply and are not checked again.
 */
export class Table {
  readonly #cells: Cells

  constructor(cells: Cells) {
    this.#cells = cells
  }

  async get<K extends Kind>(kind: K, ...name: Parameters<(typeof keyOf)[K]>): Promise<RowOf[K] | undefined> {
    const cell = await this.#cells.get(key(kind, name))
    return cell ? (decodeOwn(cell.value) as RowOf[K]) : undefined
  }

  async put<K extends Kind>(kind: K, row: RowOf[K], ...name: Parameters<(typeof keyOf)[K]>): Promise<void> {
    await this.#cells.put(key(kind, name), encode(row))
  }

  async del<K extends Kind>(kind: K, ...name: Parameters<(typeof keyOf)[K]>): Promise<void> {
    await this.#cells.del(key(kind, name))
  }

  /** Every row of a kind whose key begins with `prefix`, in the order of their keys. */
  async *all<K extends Kind>(kind: K, prefix = ''): AsyncGenerator<{ name: string; row: RowOf[K] }> {
    const start = `${kind}/`
    const range = { gte: start + prefix, lt: `${start}${prefix}\u{10ffff}` }
    for await (const cell of this.#cells.createReadStream(range)) {
      yield { name: cell.key.slice(start.length), row: decodeOwn(cell.value) as RowOf[K] }
    }
  }

  /** Every row there is, as its key and its bytes. */
  async *everything(): AsyncGenerator<{ readonly key: string; readonly value: Uint8Array }> {
    yield* this.#cells.createReadStream({ gte: '', lt: '\u{10ffff}' })
  }

  /** The encoded content of a hash. */
  async content(hash: ContentHash): Promise<Uint8Array | undefined> {
    const cell = await this.#cells.get(keyOf.content(hash))
    return cell?.value
  }

  /** Puts a row as another view had it. */
  async putBytes(key: string, value: Uint8Array): Promise<void> {
    await this.#cells.put(key, value)
  }

  async putContent(hash: ContentHash, encoded: Uint8Array): Promise<void> {
    await this.#cells.put(keyOf.content(hash), encoded)
  }
}

function key<K extends Kind>(kind: K, name: Parameters<(typeof keyOf)[K]>): string {
  return (keyOf[kind] as (...name: Parameters<(typeof keyOf)[K]>) => string)(...name)
}
