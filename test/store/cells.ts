import type { Cells } from '../../src/store/table.js'

/** A view in memory: what apply needs of one, and nothing that it doesn’t. */
export class MemoryCells implements Cells {
  readonly #values = new Map<string, Uint8Array>()

  async get(key: string): Promise<{ value: Uint8Array } | null> {
    const value = this.#values.get(key)
    return value ? { value } : null
  }

  async put(key: string, value: Uint8Array): Promise<void> {
    this.#values.set(key, value)
  }

  async del(key: string): Promise<void> {
    this.#values.delete(key)
  }

  async *createReadStream({ gte, lt }: { gte: string; lt: string }): AsyncGenerator<{
    key: string
    value: Uint8Array
  }> {
    for (const key of this.keys()) {
      if (key >= gte && key < lt) yield { key, value: this.#values.get(key)! }
    }
  }

  /** Every key, in order. */
  keys(): string[] {
    return [...this.#values.keys()].sort()
  }

  /** Everything as one text: two views are the same when their texts are. */
  dump(): string {
    return this.keys()
      .map((key) => `${key} ${Buffer.from(this.#values.get(key)!).toString('base64')}\n`)
      .join('')
  }
}
