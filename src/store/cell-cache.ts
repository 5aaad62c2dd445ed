import type Hyperbee from 'hyperbee'
import type { Batch } from 'hyperbee'
import type { Cells } from './table.js'

/** The most cells that are kept, and bytes of one. */
const MAX_CELLS = 10_000
const MAX_BYTES = 4096

/**
 * What apply has lately looked up in a view: ops that follow each other ask for the same
 * rows, and each look into the view is a walk down a tree.
 */
export class CellCache {
  readonly #values = new Map<string, Uint8Array | null>()
  #view: Hyperbee | undefined
  #length = 0

  /**
   * The cells of a view’s batch. Where the view isn’t as the last batch has left it, for
   * the order of entries has changed or that batch failed, nothing is known of it.
   *
   * @param put told of each cell that is put
   */
  over(view: Hyperbee, batch: Batch, put: Map<string, Uint8Array>): Cells {
    if (view !== this.#view || view.core.length !== this.#length) this.#values.clear()
    this.#view = undefined
    return {
      get: async (key) => {
        const known = this.#values.get(key)
        if (known !== undefined) return known && { value: known }
        const cell = await batch.get(key)
        this.#keep(key, cell?.value ?? null)
        return cell
      },
      put: (key, value) => {
        put.set(key, value)
        if (this.#values.has(key)) this.#keep(key, value)
        return batch.put(key, value)
      },
      del: (key) => {
        if (this.#values.has(key)) this.#keep(key, null)
        return batch.del(key)
      },
      createReadStream: (range) => batch.createReadStream(range)
    }
  }

  /** The batch is in the view. */
  flushed(view: Hyperbee): void {
    this.#view = view
    this.#length = view.core.length
  }

  #keep(key: string, value: Uint8Array | null): void {
    if (value && value.length > MAX_BYTES) {
      this.#values.delete(key)
      return
    }
    if (this.#values.size >= MAX_CELLS) this.#values.clear()
    this.#values.set(key, value)
  }
}
