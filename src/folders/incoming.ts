import type { Diagnostic } from '../api.js'
import type { Slug } from '../base/ids.js'
import { MAX_BODY, MAX_HEADER, MAX_SUMMARY, MAX_TITLE } from '../base/limits.js'
import { isSlug } from '../namespace/slug.js'
import { slugFromTitle } from '../namespace/slug-from-title.js'
import { diagnostic, type Place } from './diagnostics.js'
import { firstWords } from './firstwords.js'
import { formatHeader } from './format.js'
import { splitFrontmatter, type Finding } from './frontmatter.js'
import { entryOf, parseHeader, type Header } from './header.js'
import { MAX_DESCRIPTION, cut, titleFromName } from './names.js'
import { unseenIn } from './unseen.js'

/** A file beside SKILL.md. */
export interface IncomingFile {
  /** Relative to the skill’s folder, with `/`; one that a bundle may carry. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Whether its owner could execute it. */
  readonly exec: boolean
}

/** What the text of a SKILL.md says. */
export interface IncomingText {
  /** Its name in the frontmatter, else its folder’s. */
  readonly name: string
  /** The slug that it gets where that is free. */
  readonly slug: Slug
  readonly title: string
  readonly summary: string
  /** As `Content.header`. Null also where an export would write the very same by itself. */
  readonly header: string | null
  /** As it is written, with LF line ends. */
  readonly body: string
  /** The line of SKILL.md that the body begins on, from 1. */
  readonly bodyLine: number
}

/** A skill that comes in from a folder, before its mentions are linked. */
export interface IncomingSkill extends IncomingText {
  /** Of its folder, absolute. */
  readonly location: string
  /** Of its folder, relative to the folder that was named, with `/`, or beginning with what that one is called. */
  readonly folder: string
  /** Of its SKILL.md, likewise. */
  readonly path: string
  /** In the order of their paths, by code unit. */
  readonly files: readonly IncomingFile[]
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads the bytes of a SKILL.md, as leniently as it can be. Undefined where nothing can
 * be used, or where a limit is passed: `diagnostics` then say why.
 *
 * @param folderName the last part of its folder’s path
 */
export function readText(
  bytes: Uint8Array,
  folderName: string,
  place: Place
): { text?: IncomingText; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const say = ({ code, line, fields }: Finding): void =>
    void diagnostics.push(diagnostic(code, { ...place, line }, fields))

  let whole: string
  try {
    whole = utf8.decode(bytes)
  } catch {
    return { diagnostics: [diagnostic('D_NOT_UTF8', place)] }
  }
  if (whole.startsWith('\ufeff')) {
    say({ code: 'D_BOM', line: 1 })
    whole = whole.slice(1)
  }
  if (whole.includes('\r')) {
    say({ code: 'D_CRLF', line: whole.split('\r')[0]!.split('\n').length })
    whole = whole.replace(/\r\n?/g, '\n')
  }

  const split = splitFrontmatter(whole)
  const size = Buffer.byteLength(split.body)
  if (size > MAX_BODY) return { diagnostics: [diagnostic('D_TEXT_SIZE', place, { size, limit: MAX_BODY })] }
  const headerSize = split.header?.length ?? 0
  if (headerSize > MAX_HEADER) {
    return { diagnostics: [diagnostic('D_FRONTMATTER_SIZE', place, { size: headerSize, limit: MAX_HEADER })] }
  }
  split.findings.forEach(say)

  const header = parseHeader(split.header ?? '')
  const name = entryOf(header.entries, 'name')?.value ?? folderName
  const slug = isSlug(name) ? name : slugFromTitle(name)
  const title = titleOf(header, name)
  const description = descriptionOf(header)
  const summary = description ?? firstWords(split.body, MAX_DESCRIPTION) ?? title
  if (description === undefined && split.body.trim() === '') {
    return { diagnostics: [...diagnostics, diagnostic('D_SKILL_EMPTY', place)] }
  }
  const wanted = { slug, title: cut(title, MAX_TITLE), summary: cut(summary, MAX_SUMMARY) }

  if (wanted.title !== title)
    say(inFile({ code: 'D_TITLE_CUT', line: header.lineOf('name'), fields: { limit: MAX_TITLE } }))
  if (wanted.summary !== summary) {
    say(inFile({ code: 'D_SUMMARY_CUT', line: header.lineOf('description'), fields: { limit: MAX_SUMMARY } }))
  }
  if (name !== folderName && split.header !== null) {
    say(inFile({ code: 'D_NAME_FOLDER', line: header.lineOf('name'), fields: { name, folder: folderName } }))
  }
  // What an export would change of it is told now.
  if (split.header !== null)
    [...header.findings, ...formatHeader(header, wanted).findings].map(inFile).forEach(say)

  const own = formatHeader(parseHeader(''), wanted).text
  const kept = split.header === own ? null : split.header
  const content = { ...wanted, header: kept, body: [split.body], files: [] }
  const lineOf = { title: header.lineOf('name'), summary: header.lineOf('description'), header: 0 }
  unseenIn(content, (part, line) =>
    part === 'body' ? split.bodyLine + line - 1 : lineOf[part] + (part === 'header' ? line : 0) + 1
  ).forEach(say)
  return { text: { name, ...wanted, header: kept, body: split.body, bodyLine: split.bodyLine }, diagnostics }
}

function titleOf(header: Header, name: string): string {
  const metadata = entryOf(header.entries, 'metadata')
  return entryOf(metadata?.entries ?? [], 'selkie-title')?.value ?? titleFromName(name)
}

/** The description; in whole where an export had to cut it. */
function descriptionOf(header: Header): string | undefined {
  const description = entryOf(header.entries, 'description')?.value
  const whole = entryOf(entryOf(header.entries, 'metadata')?.entries ?? [], 'selkie-summary')?.value
  return whole !== undefined && cut(whole, MAX_DESCRIPTION) === description ? whole : description
}

/** A finding of the header, its line counted from the file’s first, the `---`. */
function inFile({ line, ...finding }: Finding): Finding {
  return { ...finding, line: line + 1 }
}
