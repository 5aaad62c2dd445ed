import { isAscii } from 'node:buffer'
import { fold, foldUtf8 } from './fold.js'
import { linesOfUtf8, NEWLINE, type Span } from './spoken.js'

/** What was said in a run: the place of its entry, and each text as UTF-8. */
export interface Said {
  readonly place: number
  readonly texts: readonly Buffer[]
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
  /** Lines of texts of ASCII alone, in which a byte is a character, and of the others. */
  readonly ascii: Section
  readonly other: Section
}

/**
 * Packs the lines of entries, which come with the newest first. The texts become unusable.
 */
export function pack(from: number, to: number, entries: readonly Said[]): Packed {
  const [ascii, other] = [new Lines(), new Lines()]
  for (const { place, texts } of entries) {
    let number = 0
    for (const text of texts) {
      const lines = isAscii(text) ? ascii : other
      for (const line of linesOfUtf8(text)) lines.add(place, number++, text, line)
    }
  }
  return { from, to, ascii: ascii.section(), other: other.section() }
}

/** Bytes of memory. */
export function sizeOf({ ascii, other }: Packed): number {
  const size = ({ text, folded, starts }: Section): number => text.length + folded.length + 16 * starts.length
  return size(ascii) + size(other)
}

/** Gathers the lines of a section. */
class Lines {
  readonly #starts = [0]
  readonly #places: number[] = []
  readonly #numbers: number[] = []
  /** Lines that follow each other in their text are one part, for few large parts are copied faster. */
  readonly #parts: { text: Buffer; from: number; to: number }[] = []

  add(place: number, number: number, text: Buffer, { from, to }: Span): void {
    this.#places.push(place)
    this.#numbers.push(number)
    this.#starts.push(this.#starts.at(-1)! + to - from + 1)
    const last = this.#parts.at(-1)
    if (last?.text === text && last.to + 1 === from) last.to = to
    else this.#parts.push({ text, from, to })
  }

  section(): Section {
    const text = shared(this.#starts.at(-1)!)
    let at = 0
    for (const { text: source, from, to } of this.#parts) {
      text.set(source.subarray(from, to), at)
      at += to - from
      text[at++] = NEWLINE
    }
    const starts = numbers(this.#starts)
    return {
      text,
      starts,
      ...folding(text, starts),
      places: numbers(this.#places),
      numbers: numbers(this.#numbers)
    }
  }
}

function folding(text: Buffer, starts: Uint32Array): Pick<Section, 'folded' | 'foldedStarts'> {
  const folded = shared(text.length)
  if (foldUtf8(text, folded)) return { folded, foldedStarts: starts }
  const bytes = Buffer.from(fold(text.toString()))
  const resized = shared(bytes.length)
  resized.set(bytes)
  const ends = [0]
  for (let n = 1; n < starts.length; n++) ends.push(bytes.indexOf(NEWLINE, ends.at(-1)) + 1)
  return { folded: resized, foldedStarts: numbers(ends) }
}

/** Bytes in memory of whole words. */
function shared(size: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(4 * Math.ceil(size / 4)), 0, size)
}

function numbers(values: readonly number[]): Uint32Array {
  const array = new Uint32Array(new SharedArrayBuffer(4 * values.length))
  array.set(values)
  return array
}
