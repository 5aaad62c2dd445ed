import { parser } from '@lezer/markdown'
import type { Slug } from '../base/ids.js'
import { isSlug } from './slug.js'

/** An `@slug` in a text: where it stands (UTF-16 offsets, the `@` included) and what it names. */
export interface Mention {
  readonly from: number
  readonly to: number
  readonly slug: Slug
}

/**
 * `@` and a whole slug. Not behind an alphanumeric or one of `_ @ . / - \`; not before
 * an alphanumeric, `-`, `_`, `@`, `/`, or a dot that an alphanumeric follows. A backtick
 * in front is let through here and judged with the code spans below.
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

  const code = codeRanges(text, candidates)
  let next = 0
  return candidates.filter(({ from, to }) => {
    while (next < code.length && code[next]!.to <= from) next++
    const range = code[next]
    if (!range || range.from > from) return text[from - 1] !== '`'
    return range.inline && isExactly(text, range, from, to)
  })
}

/** The slugs that a text mentions, once each, in first-seen order. */
export function mentions(text: string): Slug[] {
  return [...new Set(mentionsIn(text).map((mention) => mention.slug))]
}

/** The text with the live mentions of `slugs` made literal: `\\@slug`. */
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

interface CodeRange {
  from: number
  to: number
  inline: boolean
}

/**
 * Where the text is code. The parser sees every candidate as `@x`: so no name, however
 * long, can change how the text around it is read, and a rename can't either.
 */
function codeRanges(text: string, candidates: readonly Mention[]): CodeRange[] {
  let skeleton = ''
  let end = 0
  const cuts: { at: number; shift: number }[] = []
  let shift = 0
  for (const { from, to } of candidates) {
    skeleton += text.slice(end, from) + '@x'
    end = to
    shift += to - from - 2
    cuts.push({ at: skeleton.length, shift })
  }
  skeleton += text.slice(end)

  let cut = 0
  const original = (position: number): number => {
    while (cut < cuts.length && cuts[cut]!.at <= position) cut++
    return position + (cut > 0 ? cuts[cut - 1]!.shift : 0)
  }

  const ranges: CodeRange[] = []
  parser.parse(skeleton).iterate({
    enter: ({ name, from, to }) => {
      const inline = name === 'InlineCode'
      if (!inline && name !== 'FencedCode' && name !== 'CodeBlock') return true
      ranges.push({ from: original(from), to: original(to), inline })
      return false
    }
  })
  return ranges
}

/** Whether an inline span is backticks around that mention and nothing else. */
function isExactly(text: string, range: CodeRange, from: number, to: number): boolean {
  const before = text.slice(range.from, from)
  return before.length === range.to - to && /^`+$/.test(before)
}
