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
  #isOver = false

  private constructor(worker: Worker, cookies: string | undefined) {
    this.#worker = worker
    this.#cookies = cookies
    worker.on('message', ({ id, found }: FromIndex) => this.#waiting.get(id)?.resolve(found))
    worker.on('error', (error) => this.#end(error))
    worker.on('exit', () => this.#end(new Error('the thread of the index has ended')))
  }

  /** @param apart folders that it never enters */
  static async start(apart: readonly string[]): Promise<IndexThread> {
    const cookies = await mkdtemp(join(await realpath(tmpdir()), 'selkie-watch-')).catch(() => undefined)
    const real = await Promise.all(apart.map((path) => realpath(path).catch(() => path)))
    const workerData = { cookies, apart: cookies === undefined ? real : [...real, cookies] }
    return new IndexThread(new Worker(new URL('./index-thread.js', import.meta.url), { workerData }), cookies)
  }

  /** Whether it has come to its end, and another is needed. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** @throws what the signal’s reason is, where it aborts; the index is made all the same */
  async find(request: FindRequest, signal: AbortSignal): Promise<Omit<FileAnswer, 'granted'>> {
    const id = ++this.#asked
    const cancel = (): void => {
      this.#worker.postMessage({ type: 'cancel', id } satisfies ToIndex, [])
      this.#waiting.get(id)?.reject(signal.reason)
    }
    signal.throwIfAborted()
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
    if (this.#cookies) await rm(this.#cookies, { recursive: true, force: true })
  }

  #end(error: unknown): void {
    this.#isOver = true
    for (const { reject } of this.#waiting.values()) reject(error)
  }
}
