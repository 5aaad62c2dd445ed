import { Worker } from 'node:worker_threads'
import { SelkieError } from '../../base/errors.js'
import type { Done, FromThread, Job, PackJob, Scanned, ScanJob } from './jobs.js'
import type { Packed } from './packed.js'

interface Waiting {
  readonly resolve: (done: Done) => void
  readonly reject: (error: unknown) => void
}

/** A thread, and when it is there. */
interface Running {
  readonly worker: Worker
  readonly ready: Promise<void>
}

/**
 * Packs and searches in a thread of its own, where no pattern holds up this one, and ends
 * that thread where a pattern takes too long. It starts when there is something to do, and
 * doesn’t keep a process alive that waits for nothing.
 */
export class Searcher {
  #running: Running | undefined
  /** Of its jobs, in order. */
  #waiting: Waiting[] = []
  #isClosed = false

  async pack(job: PackJob): Promise<Packed> {
    const done = await this.#do({ pack: job }, [job.bytes.buffer as ArrayBuffer])
    return (done as { packed: Packed }).packed
  }

  /**
   * @param patience milliseconds
   * @throws SelkieError E_PATTERN_SLOW where it takes longer, or more room than there is;
   *   the reason of the signal where it aborts
   */
  async scan(job: ScanJob, patience: number, signal: AbortSignal): Promise<Scanned> {
    await this.#run().ready
    signal.throwIfAborted()
    const slow = (): SelkieError => new SelkieError('E_PATTERN_SLOW', { pattern: job.pattern.text })
    const onAbort = (): void => void this.#end(signal.reason)
    const timer = setTimeout(() => void this.#end(slow()), patience)
    signal.addEventListener('abort', onAbort)
    try {
      const done = await this.#do({ scan: job })
      if ('noRoom' in done) throw slow()
      return (done as { scanned: Scanned }).scanned
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Ends the thread; the next job starts another. */
  stop(): void {
    void this.#end(new Error('The search was stopped.'))
  }

  /** Ends the thread for good, and settles when it has ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end(new Error('The memory was closed.'))
  }

  async #do(job: Job, given: readonly ArrayBuffer[] = []): Promise<Done> {
    const { worker } = this.#run()
    worker.ref()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      worker.postMessage(job, given)
    })
  }

  #run(): Running {
    if (this.#isClosed) throw new Error('The memory is closed.')
    return (this.#running ??= this.#start())
  }

  #start(): Running {
    const worker = new Worker(new URL('search-thread.js', import.meta.url))
    const ready = new Promise<void>((resolve, reject) => {
      worker.on('message', (told: FromThread) => {
        if (told === 'ready') return resolve()
        if (this.#running?.worker !== worker) return
        this.#waiting.shift()!.resolve(told)
        if (this.#waiting.length === 0) worker.unref()
      })
      // A failure of its own, or no memory left for it.
      worker.on('error', (error) => {
        reject(error)
        if (this.#running?.worker === worker) void this.#end(error)
      })
      worker.on('exit', () => reject(new Error('The search was stopped.')))
    })
    // Only a scan waits for it.
    ready.catch(() => {})
    return { worker, ready }
  }

  async #end(reason: unknown): Promise<void> {
    const running = this.#running
    this.#running = undefined
    for (const { reject } of this.#waiting.splice(0)) reject(reason)
    await running?.worker.terminate()
  }
}
