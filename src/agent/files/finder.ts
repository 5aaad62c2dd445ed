import type { FileAnswer } from '../../wire/asking.js'
import { isWithin } from '../granted.js'
import type { Grants } from '../grants.js'
import { IndexThread } from './thread.js'

/** Milliseconds without a question after which the index is let go. */
const IDLE = 15 * 60 * 1000

const NOTHING: FileAnswer = { granted: false, hits: [], problems: [], more: false }

/**
 * Finds files in the granted folders of this device. An index of them is made at the first
 * question, in a thread of its own; it is let go when nothing is granted any more, or
 * nobody has asked for a while.
 */
export class FileFinder {
  readonly #grants: Pick<Grants, 'files'>
  readonly #apart: readonly string[]
  #thread: Promise<IndexThread> | undefined
  #idle: NodeJS.Timeout | undefined
  #asking = 0

  /** @param options.apart folders that are never searched, as a node’s own home: keys are in it */
  constructor(grants: Pick<Grants, 'files'>, options: { readonly apart?: readonly string[] } = {}) {
    this.#grants = grants
    this.#apart = options.apart ?? []
  }

  /**
   * Files whose path and text hold all words of a query, the best first, at most `limit`:
   * as they are on the disk now, in what is granted now.
   *
   * @throws what the signal’s reason is, where it aborts
   */
  async find(
    query: string,
    { limit, signal }: { readonly limit: number; readonly signal: AbortSignal }
  ): Promise<FileAnswer> {
    const roots = outermost(this.#grants.files)
    if (roots.length === 0) {
      await this.release()
      return NOTHING
    }
    clearTimeout(this.#idle)
    this.#asking++
    try {
      const thread = await (this.#thread ??= this.#start())
      const found = await thread.find({ roots, query, limit }, signal)
      // What was taken back meanwhile isn’t told.
      const granted = this.#grants.files
      const hits = found.hits.filter(({ path }) => granted.some((root) => isWithin(path, root)))
      return { ...found, granted: true, hits }
    } finally {
      if (--this.#asking === 0) this.#idle = setTimeout(() => void this.release(), IDLE).unref()
    }
  }

  /** Lets the index go; the next question makes another. */
  async release(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await (await thread)?.close()
  }

  async close(): Promise<void> {
    await this.release()
  }

  #start(): Promise<IndexThread> {
    const thread = IndexThread.start(this.#apart, () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    return thread
  }
}

/** Of folders that lie in one another, those that hold the others. */
function outermost(folders: readonly string[]): string[] {
  return folders.filter((one) => !folders.some((other) => other !== one && isWithin(one, other)))
}
