import type { Slug } from '../base/ids.js'
import { codeIn, type CodeRange } from './code.js'
import { isSlug } from './slug.js'

/** An `@slug` in a text: where it stands (UTF-16 offsets, the `@` included) and what it names. */
export interface Mention {
  readonly from: number
  readonly to: number
  readonly slug: Slug
}

/**
 * `@` and a whole slug. Not behind an alphanumeric or one of `_ @ . / - \`; not before
 * an alphanumeric, `-`, `_`, `@`, `/`, or a dot that an alphanumeric follows.
 */
const CANDIDATE =
  /(?<![\p{L}\p{M}\p{N}_@./\-\\])@([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)(?![\p{L}\p{M}\p{N}\-_@/]|\.[\p{L}\p{N}])/gu

/**
 * The live mentions of a Markdown text, in order. Code is literal, but for an inline
 * span that is exactly one mention. Linear in the length of the text.
 */
export function mentionsIn(text: string): Mention[] {
  const candidates = [...text.matchAll(CANDIDATE)]
    .map((match) => ({
      from: match.index,
      to: match.index + match[0].length,
      slug: match[1]!.toLowerCase()
    }))
    .filter((mention): mention is Mention => isSlug(mention.slug))
  if (candidates.length === 0) return []

  const code = codeIn(text)
  let next = 0
  return candidates.filter(({ from, to }) => {
    while (next < code.length && code[next]!.to <= from) next++
    const range = code[next]
    if (!range || range.from > from) return true
    return range.inline && isExactly(text, range, from, to)
  })
}

/** The slugs that a text mentions, once each, in first-seen order. */
export function mentions(text: string): Slug[] {
  return [...new Set(mentionsIn(text).map((mention) => mention.slug))]
}

/** The text with the live mentions of `slugs` made literal: `\@slug`. */
export function escapeMentions(text: string, slugs: ReadonlySet<Slug>): string {
  let out = ''
  let end = 0
  for (const { from, slug } of mentionsIn(text)) {
    if (!slugs.has(slug)) continue
    out += `${text.slice(end, from)}\\`
    end = from
  }
  return out + text.slice(end)
}

/** Whether an inline span is backticks around that mention and nothing else. */
function isExactly(text: string, range: CodeRange, from: number, to: number): boolean {
  const before = text.slice(range.from, from)
  return before.length === range.to - to && /^`+$/.test(before)
}
