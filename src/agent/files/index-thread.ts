import { parentPort, workerData } from 'node:worker_threads'
import type { FileAnswer } from '../../wire/asking.js'
import { FileIndex } from './file-index.js'
import { find } from './find.js'
import { Query } from './query.js'

/* The thread that keeps the index of the granted folders, and answers one question after the other. */

/** What it is told. */
export type ToIndex =
  | {
      readonly type: 'find'
      readonly id: number
      readonly roots: readonly string[]
      readonly query: string
      readonly limit: number
    }
  | { readonly type: 'cancel'; readonly id: number }

/** What it answers; nothing to what was cancelled. */
export interface FromIndex {
  readonly id: number
  readonly found: Omit<FileAnswer, 'granted'>
}

const index = new FileIndex(workerData as ConstructorParameters<typeof FileIndex>[0])
const open = new Map<number, AbortController>()
let turn = Promise.resolve()

parentPort!.on('message', (message: ToIndex) => {
  const { id } = message
  if (message.type === 'cancel') return open.get(id)?.abort()
  const stop = new AbortController()
  open.set(id, stop)
  turn = turn
    .then(() => answer(message, stop.signal))
    .finally(() => open.delete(id))
    .then(() => index.prepare(() => open.size === 0))
})

async function answer(
  { id, roots, query, limit }: Extract<ToIndex, { type: 'find' }>,
  signal: AbortSignal
): Promise<void> {
  try {
    const found = await find(index, roots, new Query(query), limit, signal)
    parentPort!.postMessage({ id, found } satisfies FromIndex, [])
  } catch (error) {
    // Anything else ends the thread: what it knows could be wrong.
    if (!signal.aborted) throw error
  }
}
