import type { Diagnostic } from '../api.js'
import { invisibleIn, invisibleInFile, namedCharacters } from '../namespace/invisible.js'
import type { Content } from '../namespace/skill.js'
import { diagnostic } from './diagnostics.js'
import type { Finding } from './frontmatter.js'

/** How many lines of a skill are told. */
const MOST_LINES = 100

/**
 * The lines of a SKILL.md that hold characters which nobody sees, each once: what would
 * keep whoever is sent the skill from taking it in.
 *
 * @param lineOf the line of the file on which a line of a part is, both from 1
 */
export function unseenIn(
  content: Content,
  lineOf: (part: keyof Pick<Content, 'title' | 'summary' | 'header' | 'body'>, line: number) => number
): Finding[] {
  const findings = new Map<number, Finding>()
  const places = invisibleIn(content)
  const written = places.filter(({ part }) => part === 'header' || part === 'body')
  const seen = new Set(written.flatMap(({ characters }) => characters))
  for (const place of places) {
    const { part, line: within, characters } = place
    // Title and summary are taken from the others: what is seen there isn’t told again.
    if (!written.includes(place) && characters.every((each) => seen.has(each))) continue
    const line = lineOf(part, within)
    if (findings.size === MOST_LINES && !findings.has(line))
      return [...findings.values(), { code: 'D_INVISIBLE_MORE', line }]
    const fields = { characters: namedCharacters(place) }
    if (!findings.has(line)) findings.set(line, { code: 'D_INVISIBLE', line, fields })
  }
  return [...findings.values()]
}

/** Such characters in a file beside SKILL.md, by the first line that holds any. */
export function unseenInFile(path: string, bytes: Uint8Array): Diagnostic | undefined {
  const first = invisibleInFile(bytes)
  return (
    first &&
    diagnostic('D_INVISIBLE_FILE', { path, line: first.line }, { characters: namedCharacters(first) })
  )
}
