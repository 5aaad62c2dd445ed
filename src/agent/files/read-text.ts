import { isAscii } from 'node:buffer'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import { fold, textOf } from './fold.js'
import type { Place, TextRoom } from './text-room.js'

/** Bytes of a file up to which its text is searched. */
export const MAX_TEXT = 16 * 1024 * 1024

/** What became of a file that was to be read. */
export const Kind = {
  /** It isn’t there any more, or isn’t a file. */
  gone: 0,
  unreadable: 1,
  /** Its folded text lies in a chunk. */
  held: 2,
  /** There was no room for its text: it is read when it is searched. */
  away: 3,
  /** It has no text: empty or binary. */
  none: 4,
  /** It has more text than is searched. */
  large: 5
} as const
export type Kind = (typeof Kind)[keyof typeof Kind]

/** A file as it was when it was read. */
export interface TextRead {
  readonly kind: Kind
  readonly stats?: Stats
  /** Of a held one. */
  readonly place?: Place
  readonly length?: number
}

// A swap between looking and opening must neither follow a link nor wait on a pipe.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** Bytes by whose zeros a file is known as binary that is too large to be read. */
const HEAD = 64 * 1024

/** Reads a file into the room that there is, folded. */
export function readText(path: string, room: TextRoom): TextRead {
  if (room.isFull) return looked(path)
  return opened(path, (fd, stats) => {
    const place = room.place(stats.size + 1)
    if (!place) return { kind: Kind.away, stats }
    const text = folded(place, fill(fd, place.bytes, place.offset, stats.size + 1))
    if (!text) return { kind: Kind.none, stats }
    const isThere = text.buffer === place.bytes.buffer
    const held = isThere ? place : room.place(text.length)
    if (!held) return { kind: Kind.away, stats }
    if (!isThere) text.copy(held.bytes, held.offset)
    room.keep(held, text.length)
    return { kind: Kind.held, stats, place: held, length: text.length }
  })
}

/**
 * Reads the folded text of a file that isn’t held; undefined where it has none. It is good
 * until the next is read.
 */
export function textOnce(path: string): Buffer | undefined {
  let text: Buffer | undefined
  opened(path, (fd, stats) => {
    if (stats.size >= scratch.bytes.length) scratch = newScratch(stats.size * 2)
    text = folded(scratch, fill(fd, scratch.bytes, 0, stats.size + 1))
    return { kind: Kind.none }
  })
  return text
}

type Space = Omit<Place, 'chunk'>

let scratch = newScratch(64 * 1024)

function newScratch(size: number): Space {
  const memory = new ArrayBuffer((size + 4) & ~3)
  return { bytes: Buffer.from(memory), words: new Int32Array(memory), offset: 0 }
}

/** What a file is before it is read. */
function looked(path: string): TextRead {
  try {
    const stats = lstatSync(path)
    if (!stats.isFile()) return { kind: Kind.gone }
    // Whether those that are too large have a text has to be looked up.
    return stats.size > MAX_TEXT ? opened(path, () => ({ kind: Kind.none })) : { kind: Kind.away, stats }
  } catch (error) {
    return refused(error)
  }
}

/** Opens a regular file of no more text than is searched. */
function opened(path: string, read: (fd: number, stats: Stats) => TextRead): TextRead {
  let fd: number | undefined
  try {
    fd = openSync(path, FLAGS)
    const stats = fstatSync(fd)
    if (!stats.isFile()) return { kind: Kind.gone }
    if (stats.size <= MAX_TEXT) return read(fd, stats)
    const head = Buffer.alloc(HEAD)
    return { kind: head.subarray(0, fill(fd, head, 0, HEAD)).includes(0) ? Kind.none : Kind.large, stats }
  } catch (error) {
    return refused(error)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function refused(error: unknown): TextRead {
  const { code = '' } = error as NodeJS.ErrnoException
  return { kind: GONE.has(code) ? Kind.gone : Kind.unreadable }
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'])

/** Reads a file of `most - 1` bytes, or of `most` where it has grown; gives how many there were. */
function fill(fd: number, bytes: Buffer, offset: number, most: number): number {
  let length = 0
  // Most systems give all at once, and asking once more for nothing takes as long.
  while (length < most - 1) {
    const read = readSync(fd, bytes, offset + length, most - length, length)
    if (read === 0) break
    length += read
  }
  return length
}

/** Folds a text, in place where it is ASCII; undefined where it is none. */
function folded({ bytes, words, offset }: Space, length: number): Buffer | undefined {
  const text = bytes.subarray(offset, offset + length)
  if (length === 0 || text.includes(0)) return undefined
  if (!isAscii(text)) return Buffer.from(fold(textOf(text)))
  const end = Math.ceil((offset + length) / 4)
  // What lies behind the text must not be carried into it.
  bytes.fill(0, offset + length, end * 4)
  lower(words, offset / 4, end)
  return text
}

/** Lower-cases ASCII, four letters at a time. */
function lower(words: Int32Array, start: number, end: number): void {
  for (let i = start; i < end; i++) {
    const word = words[i]!
    // The high bit of each sum says whether its letter is at least “A”, or beyond “Z”.
    const upper = (word + 0x3f3f3f3f) ^ (word + 0x25252525)
    words[i] = word | ((upper & 0x80808080) >>> 2)
  }
}
