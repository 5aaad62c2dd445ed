import { digestOf } from './digest.js'
import { readText, textOnce } from './read-text.js'
import { placesOf } from './scan.js'
import type { TextRoom } from './text-room.js'

/** A part of a chunk's texts: all up to `used` bytes. */
export interface Part {
  readonly shared: SharedArrayBuffer
  readonly used: number
}

/** What a thread may be asked, as it goes from one to another. */
export type Job =
  /** To read files and hold their texts. */
  | { readonly type: 'read'; readonly paths: readonly string[] }
  /** Where a word is in chunks. */
  | { readonly type: 'scan'; readonly word: string; readonly parts: readonly Part[] }
  /** Which of the words are in files that aren’t held. */
  | { readonly type: 'seek'; readonly words: readonly string[]; readonly paths: readonly string[] }
  /** What the texts of files that aren’t held may hold. */
  | { readonly type: 'digest'; readonly paths: readonly string[] }

/** What it answers. */
export interface Done {
  /** Of `read`: {@link ROW} numbers for each file. */
  readonly rows?: Float64Array
  /** Chunks that the thread has made for it; the ones that it filled before are full. */
  readonly fresh?: readonly FreshChunk[]
  /** Of `scan`: the places in each part. */
  readonly places?: readonly (readonly number[])[]
  /** Of `seek`: for each file a bit for each word. */
  readonly masks?: readonly number[]
  /** Of `digest`: one for each file; of a file without a text, that of an empty one. */
  readonly digests?: readonly Uint32Array[]
}

export interface FreshChunk {
  readonly chunk: number
  readonly shared: SharedArrayBuffer
  readonly before: number
}

/** Numbers of a file that was read: kind, size, modified, changed, inode, links, chunk, offset, length. */
export const ROW = 9

/** Does a job in this thread. */
export function doJob(job: Job, room: TextRoom): Done {
  if (job.type === 'read') return readAll(job.paths, room)
  if (job.type === 'digest') return { digests: job.paths.map((path) => digestOf(textOnce(path) ?? NO_TEXT)) }
  if (job.type === 'seek') {
    const words = job.words.map((word) => Buffer.from(word))
    return { masks: job.paths.map((path) => maskOf(words, textOnce(path))) }
  }
  const word = Buffer.from(job.word)
  return { places: job.parts.map(({ shared, used }) => placesOf(word, Buffer.from(shared, 0, used))) }
}

const NO_TEXT = new Uint8Array()

/** Which of the words a folded text holds, a bit for each. */
function maskOf(words: readonly Buffer[], text: Buffer | undefined): number {
  let mask = 0
  for (const [i, word] of words.entries()) if (text?.includes(word)) mask |= 1 << i
  return mask
}

function readAll(paths: readonly string[], room: TextRoom): Done {
  const rows = new Float64Array(paths.length * ROW)
  for (const [i, path] of paths.entries()) {
    const { kind, stats, place, length = 0 } = readText(path, room)
    rows[i * ROW] = kind
    if (!stats) continue
    const { size, mtimeMs, ctimeMs, ino, nlink } = stats
    rows.set(
      [size, mtimeMs, ctimeMs, ino, nlink, place?.chunk ?? -1, place?.offset ?? 0, length],
      i * ROW + 1
    )
  }
  return { rows, fresh: takeFresh(room) }
}

/** The chunks that a room has made since this was asked last. */
export function takeFresh(room: TextRoom): FreshChunk[] {
  const { fresh } = room
  room.fresh = []
  return fresh.map(({ bytes, ...each }) => ({ ...each, shared: bytes.buffer as SharedArrayBuffer }))
}
