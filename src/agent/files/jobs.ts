import { digestOf } from './digest.js'
import { rowsOf } from './read-row.js'
import { readText, textOnce } from './read-text.js'
import { placeOf, placesOf } from './scan.js'
import type { RoomChanges, TextRoom } from './text-room.js'

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
  /** Of `read`: see {@link rowsOf}. */
  readonly rows?: Float64Array
  /** What it did to the room of the thread. */
  readonly room?: RoomChanges
  /** Of `scan`: the places in each part. */
  readonly places?: readonly (readonly number[])[]
  /** Of `seek`: for each file a bit for each word. */
  readonly masks?: readonly number[]
  /** Of `digest`: one for each file; of a file without a text, that of an empty one. */
  readonly digests?: readonly Uint32Array[]
}

/** Does a job in this thread. */
export function doJob(job: Job, room: TextRoom): Done {
  if (job.type === 'read') {
    const rows = rowsOf(job.paths.map((path) => readText(path, room)))
    return { rows, room: room.changes() }
  }
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
  for (const [i, word] of words.entries()) if (text && placeOf(word, text) >= 0) mask |= 1 << i
  return mask
}
