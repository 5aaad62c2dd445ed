import { parser } from '@lezer/markdown'
import { mentionsIn } from '../namespace/mention.js'
import type { IncomingSkill } from './incoming.js'

/** How the names of a set of skills are looked up from one of them. */
export interface Siblings {
  /** The skill that `name`, in lower case, means; undefined where none came in with it. */
  named(name: string): IncomingSkill | undefined
  /** The skill whose SKILL.md the relative link leads to. */
  linked(link: string): IncomingSkill | undefined
}

/** A place where a text named a skill in a foreign style. */
export interface ForeignMention {
  /** Offset of the `@` that took its place, in the rewritten text. */
  readonly at: number
  readonly skill: IncomingSkill
  /** What stood there. */
  readonly found: string
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly skill: IncomingSkill
}

/**
 * The text with `/name`, `collection:name` and `[text](../name/SKILL.md)` made mentions
 * of the skills that came in with it. Code is left alone, but for an inline span that is
 * exactly one of the first two; so are web addresses, paths and HTML tags.
 */
export function rewriteForeign(
  text: string,
  siblings: Siblings
): { text: string; mentions: ForeignMention[] } {
  const edits = editsOf(text, siblings)
  const first = applied(text, edits)
  // The one grammar judges: what would be no live mention stays as it was.
  const live = livePlaces(first.text)
  const kept = edits.filter((_, i) => live.has(first.mentions[i]!.at))
  if (kept.length === edits.length) return first
  const second = applied(text, kept)
  const alive = livePlaces(second.text)
  return second.mentions.every(({ at }) => alive.has(at)) ? second : { text, mentions: [] }
}

/**
 * Left: nothing that makes it a part of a word, a path, an address or an attribute.
 * Right: as for a mention.
 */
const TOKEN =
  /(?<![\p{L}\p{M}\p{N}_@./\-\\:<~$}#&?%+]|=["']?)(?:\/|([a-z][a-z0-9-]+):)([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)(?![\p{L}\p{M}\p{N}\-_@/:=]|\.[\p{L}\p{N}*])/gu

/** Before a colon, these aren’t collections of skills. */
const SCHEMES = new Set('http https ftp file mailto data urn node npm git ssh localhost'.split(' '))

/** In code, `bug:triage` is rather a label, unless a folder above the skill or its name tells. */
function isCollection(word: string, skill: IncomingSkill, inCode: boolean): boolean {
  if (SCHEMES.has(word)) return false
  return !inCode || skill.slug.includes('-') || skill.location.split(/[\\/]/).includes(word)
}

function editsOf(text: string, siblings: Siblings): Edit[] {
  const edits: Edit[] = []
  const literal: { from: number; to: number }[] = []
  const token = ([whole, collection, name]: RegExpMatchArray, from: number, inCode: boolean): void => {
    const skill = siblings.named(name!.toLowerCase())
    if (!skill || (collection !== undefined && !isCollection(collection, skill, inCode))) return
    edits.push({ from, to: from + whole.length, text: `@${skill.slug}`, skill })
  }

  parser.parse(text).iterate({
    enter: ({ name, from, to, node }) => {
      if (name === 'InlineCode') {
        const [, ticks, inner] = /^(`+)([^`]*)\1$/.exec(text.slice(from, to)) ?? []
        const match = inner && [...inner.matchAll(TOKEN)].find((match) => match[0] === inner)
        if (ticks && match) token(match, from + ticks.length, true)
      } else if (name === 'Link') {
        const url = node.getChild('URL')
        const marks = node.getChildren('LinkMark')
        const skill = url && siblings.linked(text.slice(url.from, url.to))
        // An inline link: its text is between the first two marks.
        if (!skill || marks.length !== 4) return true
        const words = text.slice(marks[0]!.to, marks[1]!.from)
        const isName = [skill.name, skill.slug].includes(words.replace(/^`+|`+$/g, '').trim())
        edits.push({ from, to, text: isName ? `@${skill.slug}` : `${words} (@${skill.slug})`, skill })
      } else if (!LITERAL.has(name)) return true
      literal.push({ from, to })
      return false
    }
  })

  let next = 0
  for (const match of text.matchAll(TOKEN)) {
    const from = match.index
    while (next < literal.length && literal[next]!.to <= from) next++
    const range = literal[next]
    if (!range || range.from >= from + match[0].length) token(match, from, false)
  }
  return edits.sort((a, b) => a.from - b.from)
}

/** Nodes of the Markdown tree whose text isn’t prose. */
const LITERAL = new Set(
  'FencedCode CodeBlock URL Autolink LinkReference LinkLabel LinkTitle HTMLTag Comment CommentBlock'.split(
    ' '
  )
)

function applied(text: string, edits: readonly Edit[]): { text: string; mentions: ForeignMention[] } {
  const mentions: ForeignMention[] = []
  let out = ''
  let end = 0
  for (const edit of edits) {
    out += text.slice(end, edit.from) + edit.text
    mentions.push({
      at: out.length - edit.text.length + edit.text.lastIndexOf('@'),
      skill: edit.skill,
      found: text.slice(edit.from, edit.to)
    })
    end = edit.to
  }
  return { text: out + text.slice(end), mentions }
}

function livePlaces(text: string): Set<number> {
  return new Set(mentionsIn(text).map(({ from }) => from))
}
