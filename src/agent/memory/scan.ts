import { fold } from './fold.js'
import type { Packed, Section } from './packed.js'
import type { Pattern } from './pattern.js'
import { required } from './required.js'

/** A line that matches: the entry that it is from, its number there, and where in it the match begins. */
export interface Found {
  readonly place: number
  readonly number: number
  readonly at: number
}

/**
 * The first lines that a pattern matches, the newest entry first, and within an entry in
 * their order. Each line is matched for itself.
 *
 * @param chunks the newest first
 */
export function scan(chunks: readonly Packed[], pattern: Pattern, limit: number): Found[] {
  const look = looker(chunks, pattern)
  const found: Found[] = []
  for (const { ascii, other } of chunks) {
    const here = [...look(ascii, 'latin1'), ...look(other, 'utf8')]
    here.sort((a, b) => b.place - a.place || a.number - b.number)
    found.push(...here.slice(0, limit - found.length))
    if (found.length === limit) break
  }
  return found
}

type Look = (section: Section, encoding: 'latin1' | 'utf8') => Found[]

/** How to go about a pattern: by texts that it requires, where those are rare enough. */
function looker(chunks: readonly Packed[], { source, flags }: Pattern): Look {
  const isLoose = flags === 'iu'
  const shares = sharesOf(chunks, isLoose)
  const needleOf = (text: string): Needle => needle(Buffer.from(isLoose ? fold(text) : text), shares)
  const needed = required(source, (text) => needleOf(text).cost)
  const regex = new RegExp(source, flags)
  if (needed && needed.cost < WORTH_IT) {
    const needles = needed.texts.map((text) => needleOf(text).bytes)
    return (section, encoding) => byNeedles(section, encoding, regex, needles, isLoose)
  }
  if (SEES_BREAKS.test(source)) return (section, encoding) => byLines(section, encoding, regex)
  const over = new RegExp(source, `gm${flags}`)
  return (section, encoding) =>
    encoding === 'latin1' ? byText(section, over) : byLines(section, encoding, regex)
}

/** Nanoseconds a byte: what it takes to match, without needles. */
const WORTH_IT = 2
/** Nanoseconds to go on at a needle’s first byte, and to match a line. */
const STOP = 10
const MATCH = 300

interface Needle {
  readonly bytes: Buffer
  /** Nanoseconds a byte, about. */
  readonly cost: number
}

/**
 * The end of a text that is found the quickest: the search goes from one byte that is like
 * the first of the needle to the next, so that should be a rare one.
 */
function needle(text: Buffer, shares: Float64Array): Needle {
  let first = 0
  for (let n = 1; n < text.length - 1; n++) if (shares[text[n]!]! < shares[text[first]!]!) first = n
  const bytes = text.subarray(first)
  const matches = bytes.reduce((product, byte) => product * shares[byte]!, 1)
  return { bytes, cost: STOP * shares[bytes[0]!]! + MATCH * matches }
}

/** How much of the text each byte makes up, by the newest of it. */
function sharesOf(chunks: readonly Packed[], isLoose: boolean): Float64Array {
  const counts = new Float64Array(256).fill(1)
  let all = 256
  for (const { ascii, other } of chunks.slice(0, 1)) {
    for (const { text, folded } of [ascii, other]) {
      const sample = (isLoose ? folded : text).subarray(0, SAMPLE)
      for (const byte of sample) counts[byte]!++
      all += sample.length
    }
  }
  return counts.map((count) => count / all)
}

const SAMPLE = 32 * 1024

/** Lines that have a needle in them are matched, and no others. */
function byNeedles(
  section: Section,
  encoding: 'latin1' | 'utf8',
  regex: RegExp,
  needles: readonly Buffer[],
  isLoose: boolean
): Found[] {
  const text = bufferOf(isLoose ? section.folded : section.text)
  const starts = isLoose ? section.foldedStarts : section.starts
  const lines = new Set<number>()
  for (const needle of needles) {
    for (let at = text.indexOf(needle); at >= 0;) {
      const line = lineAt(starts, at)
      lines.add(line)
      at = text.indexOf(needle, starts[line + 1])
    }
  }
  const bytes = bufferOf(section.text)
  return [...lines].flatMap((line) => {
    const whole = bytes.toString(encoding, section.starts[line], section.starts[line + 1]! - 1)
    const at = regex.exec(whole)?.index
    return at === undefined ? [] : [foundIn(section, line, at)]
  })
}

/** Every line is matched. */
function byLines(section: Section, encoding: 'latin1' | 'utf8', regex: RegExp): Found[] {
  const lines = bufferOf(section.text).toString(encoding).split('\n')
  // Behind the last line break there is none.
  lines.pop()
  return lines.flatMap((line, n) => {
    const at = regex.exec(line)?.index
    return at === undefined ? [] : [foundIn(section, n, at)]
  })
}

/**
 * Matches the text as a whole, in which a byte is a character, and goes on at the next line
 * after each match. For patterns that can’t tell a line break from the end of the text.
 */
function byText(section: Section, over: RegExp): Found[] {
  const text = bufferOf(section.text).toString('latin1')
  const found: Found[] = []
  over.lastIndex = 0
  for (let match = over.exec(text); match && match.index < text.length; match = over.exec(text)) {
    const line = lineAt(section.starts, match.index)
    found.push(foundIn(section, line, match.index - section.starts[line]!))
    over.lastIndex = section.starts[line + 1]!
  }
  return found
}

/**
 * What may match a line break, or see what lies behind one: looks around, negated classes,
 * and escapes but for `\d`, `\w`, `\b` and of characters that mean something.
 */
// oxlint-disable-next-line no-control-regex
const SEES_BREAKS = /[\0-\x1f]|\(\?<?[=!]|\[\^|\\(?![dwbB])\w/u

function foundIn(section: Section, line: number, at: number): Found {
  return { place: section.places[line]!, number: section.numbers[line]!, at }
}

/** The line that a byte belongs to. */
function lineAt(starts: Uint32Array, at: number): number {
  let [low, high] = [0, starts.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= at) low = middle
    else high = middle
  }
  return low
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
