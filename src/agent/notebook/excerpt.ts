import { wordsOf, type Word } from './words.js'

/** Characters of an excerpt, and of those how many come before its first word that was found. */
const LENGTH = 240
const BEFORE = 60

/**
 * A piece of a text, on one line, where most of the words that were found stand together;
 * its beginning where none of them does.
 *
 * @param terms words as {@link wordsOf} gives them
 */
export function excerpt(text: string, terms: ReadonlySet<string>): string {
  const found = [...wordsOf(text)].filter(({ term }) => terms.has(term))
  const first = densest(found)
  const from = first ? wordStart(text, Math.max(0, first.from - BEFORE)) : 0
  const to = wordEnd(text, from + LENGTH)
  const piece = text.slice(from, to).replace(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${piece}${text.slice(to).trim() ? '…' : ''}`
}

/** The word after which most different ones follow within an excerpt; of several, the first. */
function densest(found: readonly Word[]): Word | undefined {
  const within = new Map<string, number>()
  let best: Word | undefined
  let most = 0
  let last = 0
  for (const first of found) {
    for (; last < found.length && found[last]!.to - first.from <= LENGTH - BEFORE; last++)
      within.set(found[last]!.term, (within.get(found[last]!.term) ?? 0) + 1)
    if (within.size > most) {
      most = within.size
      best = first
    }
    const left = (within.get(first.term) ?? 1) - 1
    if (left > 0) within.set(first.term, left)
    else within.delete(first.term)
  }
  return best ?? found[0]
}

/** The next place where a word begins; the place itself where that is far away. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0
  const space = /\s/.exec(text.slice(at - 1, at + BEFORE))
  return space ? at + space.index : notInside(text, at)
}

/** The last place before where a word has ended; the place itself where that is far away. */
function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.slice(at - BEFORE, at + 1).search(/\s\S*$/)
  return space > 0 ? at - BEFORE + space : notInside(text, at)
}

/** A character may take two places. */
function notInside(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
