import { isSelkieError, SelkieError } from '../base/errors.js'

/** What the agent is at, so that a node that closes ends it first. */
export class Running {
  readonly #closing = new AbortController()
  readonly #steps = new Set<Promise<unknown>>()

  /**
   * Lets a step run until it is done; its signal aborts with the given one, or when the
   * node closes.
   *
   * @throws SelkieError E_NODE_GONE where the node has closed, E_BROKEN_OFF where the step
   *   rejects because the given signal has aborted
   */
  async run<T>(step: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#closing.signal.throwIfAborted()
    const ended = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal
    const mine = step(ended)
    this.#steps.add(mine)
    try {
      return await mine
    } catch (error) {
      if (signal && error === signal.reason && !isSelkieError(error))
        throw new SelkieError('E_BROKEN_OFF', {}, { cause: error })
      throw error
    } finally {
      this.#steps.delete(mine)
    }
  }

  /** Breaks off what runs, and waits until it has ended. */
  async close(): Promise<void> {
    this.#closing.abort(new SelkieError('E_NODE_GONE'))
    await Promise.allSettled(this.#steps)
  }
}
