import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FileAnswer } from '../../wire/asking.js'
import type { FromIndex, ToIndex } from './index-thread.js'

/** What is looked for, and where. */
export interface FindRequest {
  /** Real paths, none of them in another. */
  readonly roots: readonly string[]
  readonly query: string
  readonly limit: number
}

interface Waiting {
  readonly resolve: (found: Omit<FileAnswer, 'granted'>) => void
  readonly reject: (error: unknown) => void
}

/** The thread of an index, from outside. */
export class IndexThread {
  readonly #worker: Worker
  readonly #cookies: string | undefined
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  /** Why it has come to its end. */
  #end: Error | undefined

  private constructor(worker: Worker, cookies: string | undefined, onEnd: () => void) {
    this.#worker = worker
    this.#cookies = cookies
    const end = (error: Error): void => {
      this.#end ??= error
      for (const { reject } of this.#waiting.values()) reject(error)
      void this.#tidy()
      onEnd()
    }
    worker.on('message', ({ id, found }: FromIndex) => this.#waiting.get(id)?.resolve(found))
    worker.on('error', end)
    worker.on('exit', () => end(new Error('the thread of the index has ended')))
  }

  /**
   * @param apart folders that it never enters
   * @param onEnd called when it has come to its end, and another is needed
   */
  static async start(apart: readonly string[], onEnd: () => void): Promise<IndexThread> {
    const cookies = await mkdtemp(join(await realpath(tmpdir()), 'selkie-watch-')).catch(() => undefined)
    const real = await Promise.all(apart.map((path) => realpath(path).catch(() => path)))
    const workerData = { cookies, apart: cookies === undefined ? real : [...real, cookies] }
    const worker = new Worker(new URL('./index-thread.js', import.meta.url), { workerData })
    return new IndexThread(worker, cookies, onEnd)
  }

  /** @throws what the signal’s reason is, where it aborts; the index is made all the same */
  async find(request: FindRequest, signal: AbortSignal): Promise<Omit<FileAnswer, 'granted'>> {
    const id = ++this.#asked
    const cancel = (): void => {
      this.#worker.postMessage({ type: 'cancel', id } satisfies ToIndex, [])
      this.#waiting.get(id)?.reject(signal.reason)
    }
    signal.throwIfAborted()
    if (this.#end) throw this.#end
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        signal.addEventListener('abort', cancel, { once: true })
        this.#worker.postMessage({ type: 'find', id, ...request } satisfies ToIndex, [])
      })
    } finally {
      this.#waiting.delete(id)
      signal.removeEventListener('abort', cancel)
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
    await this.#tidy()
  }

  async #tidy(): Promise<void> {
    if (this.#cookies !== undefined) await rm(this.#cookies, { recursive: true, force: true })
  }
}
