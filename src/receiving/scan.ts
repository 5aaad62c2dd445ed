import type { ReviewWarning } from '../api.js'
import type { FileHash, Slug } from '../base/ids.js'
import {
  invisibleIn,
  invisibleInFile,
  invisibleLines,
  namedCharacters,
  type InvisibleLine
} from '../namespace/invisible.js'
import type { Content, SkillFile } from '../namespace/skill.js'

/** How many lines of a skill are told. */
const MOST_FINDINGS = 100

/** What each part of a skill is called. */
const PARTS = { title: ' in its title', summary: ' in its summary', header: ' in its frontmatter', body: '' }

/**
 * What blocks a skill: characters that are invisible or change the direction of
 * reading. What is reviewed must be what a model reads. One finding a line.
 */
export function blockedBy(slug: Slug, content: Content): ReviewWarning[] {
  const places = invisibleIn(content)
  const told = places.slice(0, MOST_FINDINGS).map((place): ReviewWarning => ({
    code: 'W_INVISIBLE',
    message: `${named(place)}${PARTS[place.part]}.`,
    skill: slug,
    ...((place.part === 'body' || place.part === 'header') && { line: place.line })
  }))
  if (places.length > MOST_FINDINGS)
    told.push({ code: 'W_INVISIBLE', message: 'The same in more lines.', skill: slug })
  return told
}

/** What of a skill is worth knowing: what a reader would not see, or not expect. */
export function warningsOf(
  slug: Slug,
  content: Content,
  files: ReadonlyMap<FileHash, Uint8Array>
): ReviewWarning[] {
  const warnings = content.files.flatMap((file) => fileWarnings(slug, file, files.get(file.hash)!))
  // By its letters alone: a review shows the header, and isn’t held up by parsing it.
  if (!content.header?.includes('allowed-tools')) return warnings
  const message =
    'Its frontmatter names allowed-tools. Nothing here grants them; other programs may, from an export.'
  return [{ code: 'W_TOOLS_DECLARED', message, skill: slug }, ...warnings]
}

/** What nobody sees in the word that the sender wrote to the receiver. */
export function noteWarnings(note: string): ReviewWarning[] {
  const [first] = invisibleLines(note)
  return first ? [{ code: 'W_INVISIBLE_NOTE', message: `${named(first)} in the note.` }] : []
}

function fileWarnings(skill: Slug, { path, exec }: SkillFile, bytes: Uint8Array): ReviewWarning[] {
  const warnings: ReviewWarning[] = []
  if (exec)
    warnings.push({ code: 'W_EXEC', message: 'A program: its author’s system executes it.', skill, path })
  if (path.split('/').some((name) => name.startsWith('.')))
    warnings.push({ code: 'W_HIDDEN', message: 'A hidden file: most listings leave it out.', skill, path })
  const first = invisibleInFile(bytes)
  if (first)
    warnings.push({ code: 'W_INVISIBLE_FILE', message: `${named(first)}.`, skill, path, line: first.line })
  return warnings
}

function named(line: InvisibleLine): string {
  return line.characters.length === 1
    ? `An invisible or direction-changing character, ${namedCharacters(line)}`
    : `Invisible or direction-changing characters, ${namedCharacters(line)}`
}
