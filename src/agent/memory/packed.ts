import { fold, isAscii } from './fold.js'

/** A line of the log: the entry it is from, its number there, and its text. */
export interface Line {
  readonly place: number
  readonly number: number
  readonly text: string
}

/**
 * Lines as they are searched: their UTF-8, each with a line break at its end; the same
 * folded; and for each line where it begins in both, and which it is. It is in shared
 * memory, so that it outlives the thread that has packed it.
 */
export interface Section {
  readonly text: Uint8Array
  readonly folded: Uint8Array
  /** One more than there are lines: the last is where the text ends. */
  readonly starts: Uint32Array
  readonly foldedStarts: Uint32Array
  readonly places: Uint32Array
  readonly numbers: Uint32Array
}

/** The lines of entries `from` to before `to`, the newest entry first. */
export interface Packed {
  readonly from: number
  readonly to: number
  /** Lines of ASCII alone, in which a byte is a character, and the others. */
  readonly ascii: Section
  readonly other: Section
}

/** Packs lines, which come with the newest entry first. */
export function pack(from: number, to: number, lines: readonly Line[]): Packed {
  const isPlain = lines.map(({ text }) => isAscii(text))
  return {
    from,
    to,
    ascii: section(lines.filter((_, n) => isPlain[n])),
    other: section(lines.filter((_, n) => !isPlain[n]))
  }
}

/** Bytes of memory. */
export function sizeOf({ ascii, other }: Packed): number {
  const size = ({ text, folded, starts }: Section): number => text.length + folded.length + 16 * starts.length
  return size(ascii) + size(other)
}

function section(lines: readonly Line[]): Section {
  const joined = [...lines.map(({ text }) => text), ''].join('\n')
  const text = shared(joined)
  const folded = shared(fold(joined))
  return {
    text,
    folded,
    starts: startsOf(text, lines.length),
    foldedStarts: startsOf(folded, lines.length),
    places: numbers(lines.map(({ place }) => place)),
    numbers: numbers(lines.map(({ number }) => number))
  }
}

function shared(text: string): Buffer {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  return bytes
}

function startsOf(text: Buffer, count: number): Uint32Array {
  const starts = numbers([0], count + 1)
  for (let n = 1; n <= count; n++) starts[n] = text.indexOf(NEWLINE, starts[n - 1]) + 1
  return starts
}

function numbers(values: readonly number[], length = values.length): Uint32Array {
  const array = new Uint32Array(new SharedArrayBuffer(4 * length))
  array.set(values)
  return array
}

const NEWLINE = 0x0a
