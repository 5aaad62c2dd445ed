import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { doJob, type Done, type Job } from './jobs.js'
import type { Budget, TextRoom } from './text-room.js'

/** Threads that read and search at most, this one among them. */
const MAX_THREADS = 4
/** Jobs that a helper has at once, so that it never waits for this thread. */
const AHEAD = 2

interface Queued {
  readonly job: Job
  readonly done: (result: Done) => void
}

interface Helper {
  readonly worker: Worker
  /** What it has been given, in order. */
  readonly given: Queued[]
}

/** The threads that share the work on an index: this one, and helpers once there is enough to do. */
export class Threads {
  readonly #budget: Budget
  readonly #room: TextRoom
  readonly #helpers: Helper[] = []
  readonly #queue: Queued[] = []

  constructor(budget: Budget, room: TextRoom) {
    this.#budget = budget
    this.#room = room
  }

  /** Starts the helpers, which end with this thread. */
  start(): void {
    const wanted = Math.min(MAX_THREADS, availableParallelism()) - 1
    while (this.#helpers.length < wanted) this.#helpers.push(this.#helper())
  }

  /** Queues a job; `done` is called with what came of it. */
  add(job: Job, done: (result: Done) => void): void {
    this.#queue.push({ job, done })
  }

  /** Gives what is queued to helpers that have little to do. */
  pump(): void {
    for (const { worker, given } of this.#helpers) {
      while (given.length < AHEAD && this.#queue.length > 0) {
        const next = this.#queue.shift()!
        given.push(next)
        worker.ref()
        worker.postMessage(next.job, [])
      }
    }
  }

  /** Does all that is queued, here and in the helpers. */
  async finish(): Promise<void> {
    for (;;) {
      this.pump()
      const mine = this.#queue.shift()
      if (!mine) break
      mine.done(doJob(mine.job, this.#room))
      // Lets the helpers’ answers in, and what the system says of changes.
      await setImmediate()
    }
    for (const { worker, given } of this.#helpers) while (given.length > 0) await once(worker, 'message')
  }

  #helper(): Helper {
    const worker = new Worker(new URL('./helper-thread.js', import.meta.url), { workerData: this.#budget })
    const given: Queued[] = []
    worker.on('message', (result: Done) => {
      given.shift()!.done(result)
      this.pump()
      if (given.length === 0) worker.unref()
    })
    // One that has nothing to do keeps nobody alive.
    worker.unref()
    return { worker, given }
  }
}
