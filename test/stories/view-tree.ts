import { applyEntry } from '../../src/store/entry.js'
import { Table, type Cells } from '../../src/store/table.js'
import type { LogEntry } from './causal-log.js'

/** A cell that a step has put. */
export interface Put {
  readonly key: string
  readonly value: Uint8Array
}

/** The cells of one view: a copy of those that it follows, and what was put since, in order. */
class CopiedCells implements Cells {
  readonly values: Map<string, Uint8Array>
  readonly puts: Put[] = []

  constructor(from: ReadonlyMap<string, Uint8Array>) {
    this.values = new Map(from)
  }

  async get(key: string): Promise<{ value: Uint8Array } | null> {
    const value = this.values.get(key)
    return value ? { value } : null
  }

  async put(key: string, value: Uint8Array): Promise<void> {
    this.values.set(key, value)
    this.puts.push({ key, value })
  }

  async del(key: string): Promise<void> {
    this.values.delete(key)
  }

  async *createReadStream({ gte, lt }: { gte: string; lt: string }): AsyncGenerator<Put> {
    const keys = [...this.values.keys()].filter((key) => key >= gte && key < lt)
    for (const key of keys.sort()) yield { key, value: this.values.get(key)! }
  }
}

/** What a row of entries comes to, and what others that go on from it come to. */
export class View {
  readonly #cells: CopiedCells
  readonly #next = new Map<LogEntry, View>()
  readonly depth: number
  /** What was found out about it, by whoever looked first. */
  readonly known = new Map<string, unknown>()

  private constructor(
    readonly before: View | undefined,
    cells: CopiedCells
  ) {
    this.#cells = cells
    this.depth = before ? before.depth + 1 : 0
  }

  /** A view with nothing before it, that has the cells of another. */
  static first(like?: View): View {
    return new View(undefined, new CopiedCells(like?.values ?? new Map()))
  }

  get table(): Table {
    return new Table(this.#cells)
  }

  get cells(): Cells {
    return this.#cells
  }

  get values(): ReadonlyMap<string, Uint8Array> {
    return this.#cells.values
  }

  /** The view after these entries. Where others came to it before, it is the same one. */
  async after(entries: readonly LogEntry[], logs: Logs): Promise<View> {
    return entries.reduce<Promise<View>>(
      async (view, entry) => (await view).#then(entry, logs),
      Promise.resolve(this)
    )
  }

  /** What was put since an earlier view, in order; undefined where this one doesn’t follow it. */
  putsSince(earlier: View): Put[] | undefined {
    if (earlier === this) return []
    if (!this.before || this.depth <= earlier.depth) return undefined
    const puts = this.before.putsSince(earlier)
    puts?.push(...this.#cells.puts)
    return puts
  }

  /** Everything as one text: two views are the same when their texts are. */
  dump(): string {
    return [...this.values]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}\n`)
      .join('')
  }

  async #then(entry: LogEntry, { keys, base }: Logs): Promise<View> {
    const known = this.#next.get(entry)
    if (known) return known
    const { writer, index, bytes } = entry
    const next = new View(this, new CopiedCells(this.values))
    const log = keys[writer]!
    if (bytes) await applyEntry(next.table, { log, bytes }, base)
    await next.table.put('counted', index + 1, log)
    this.#next.set(entry, next)
    return next
  }
}

/** The public keys of the writers’ logs, and of the base. */
export interface Logs {
  readonly keys: readonly string[]
  readonly base: string
}
