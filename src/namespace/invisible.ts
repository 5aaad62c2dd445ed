import { textOf } from '../base/text-of.js'
import type { Content } from './skill.js'

/** A line of a text that holds characters which nobody sees. */
export interface InvisibleLine {
  /** From 1. */
  readonly line: number
  /** Each once, as `U+200B`. */
  readonly characters: readonly string[]
}

/** Such a line, and the part of a skill that it is in. */
export interface InvisiblePlace extends InvisibleLine {
  readonly part: 'title' | 'summary' | 'header' | 'body'
}

/**
 * Where a skill holds characters that nobody sees. What is reviewed must be what a
 * model reads, so such a skill isn’t taken over as it is.
 */
export function invisibleIn({ title, summary, header, body }: Content): InvisiblePlace[] {
  // A reference shows as letters: one stands for it.
  const text = body.map((part) => (typeof part === 'string' ? part : 'x')).join('')
  const parts = { title, summary, header: header ?? '', body: text }
  return (['title', 'summary', 'header', 'body'] as const).flatMap((part) =>
    invisibleLines(parts[part]).map((found) => ({ part, ...found }))
  )
}

/** One more than anybody is told of, and as many characters as are looked at for it. */
const MOST_LINES = 101
const MOST_CHARACTERS = 10_000

/**
 * The lines of a text that hold characters which nobody sees: the first 101 at most. A
 * text that is full of them is given up early: to refuse it, one is enough.
 */
export function invisibleLines(text: string): InvisibleLine[] {
  const found = new Map<number, Set<string>>()
  let line = 1
  let at = 0
  let seen = 0
  for (const { 0: character, index } of text.matchAll(INVISIBLE)) {
    for (let end = text.indexOf('\n', at); end !== -1 && end < index; end = text.indexOf('\n', at)) {
      line++
      at = end + 1
    }
    if (++seen > MOST_CHARACTERS || (found.size === MOST_LINES && !found.has(line))) break
    found.set(line, (found.get(line) ?? new Set()).add(codePoint(character)))
  }
  return [...found].map(([line, characters]) => ({ line, characters: [...characters] }))
}

/** The first such line of a file; undefined where there is none, or it isn’t text. */
export function invisibleInFile(bytes: Uint8Array): InvisibleLine | undefined {
  // The line ends of other systems are no more than that.
  return invisibleLines((textOf(bytes) ?? '').replaceAll('\r\n', '\n'))[0]
}

/** Characters that a person is told of one line. */
const MOST_NAMED = 8

/** `U+200B, U+202E`, and how many more there are. */
export function namedCharacters({ characters }: InvisibleLine): string {
  const more = characters.length - MOST_NAMED
  return `${characters.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/**
 * Characters that show nothing or turn the reading direction: all that Unicode calls
 * ignorable, controls, line separators. What emoji and some scripts are written with is
 * left out: a variation selector behind, or a joiner between, characters that show.
 */
const INVISIBLE =
  /(?![\n\t]|(?<=[\p{L}\p{M}\p{N}\p{P}\p{S}])[\ufe0e\ufe0f]|(?<=[\p{L}\p{M}\p{S}\ufe0f])[\u200c\u200d](?=[\p{L}\p{M}\p{S}]))[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/gu

function codePoint(char: string): string {
  return `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
