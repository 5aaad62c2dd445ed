import { decodeOwn } from '../../base/msgpack.js'
import type { StoredHead } from '../../store/conversations.js'
import { pack, type Packed } from './packed.js'
import type { Pattern } from './pattern.js'
import { scan, type Found } from './scan.js'

/** Encoded heads of the entries `from` to before `to`, the newest first. */
export interface PackJob {
  readonly from: number
  readonly to: number
  readonly bytes: Uint8Array
  /** How many bytes each has. */
  readonly sizes: readonly number[]
}

/** Which lines match: at most `limit`, of chunks with the newest first. */
export interface ScanJob {
  readonly chunks: readonly Packed[]
  readonly pattern: Pattern
  readonly limit: number
}

/** What was found, and how long that took. */
export interface Scanned {
  readonly found: readonly Found[]
  readonly milliseconds: number
}

export type Job = { readonly pack: PackJob } | { readonly scan: ScanJob }

/** What becomes of a job: `noRoom` where the engine has none for the pattern, or for matching it. */
export type Done = { readonly packed: Packed } | { readonly scanned: Scanned } | { readonly noRoom: true }

/** What the thread says: first that it is there, then what became of each job. */
export type FromThread = 'ready' | Done

/** Does a job in this thread. */
export function doJob(job: Job): Done {
  if ('pack' in job) return { packed: packed(job.pack) }
  const { chunks, pattern, limit } = job.scan
  const start = performance.now()
  try {
    const found = scan(chunks, pattern, limit)
    return { scanned: { found, milliseconds: performance.now() - start } }
  } catch (error) {
    // The engine compiles a pattern only when it first matches it.
    if (error instanceof RangeError || error instanceof SyntaxError) return { noRoom: true }
    throw error
  }
}

/** What was said in runs is where they end: of one that goes on the person knows it anyway. */
function packed({ from, to, bytes, sizes }: PackJob): Packed {
  let at = 0
  const entries = sizes.map((size, n) => {
    const { type, said } = decodeOwn(bytes.subarray(at, at + size)) as StoredHead
    at += size
    return { place: to - 1 - n, texts: type === 'end' ? said.map(asBuffer) : [] }
  })
  return pack(from, to, entries)
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
