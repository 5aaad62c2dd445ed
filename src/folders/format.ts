import { isSlug } from '../namespace/slug.js'
import type { Slug } from '../base/ids.js'
import { MAX_COMPATIBILITY, MAX_DESCRIPTION, cut, titleFromName } from './names.js'
import type { Finding } from './frontmatter.js'
import { KEYS, entryOf, lineEnd, quoted, type Entry, type Header } from './header.js'

/** What an exported skill is called and says of itself. */
export interface Wanted {
  readonly slug: Slug
  readonly title: string
  readonly summary: string
}

interface Edit {
  from: number
  to: number
  text: string
}

/**
 * The frontmatter of an exported skill: what it came with, changed only where it isn’t
 * exactly the Agent Skills format or says something else than `wanted`. What has no
 * place among the six keys is kept under `metadata`. Each change of what was written,
 * but for those of `wanted` itself, is a finding; so an import can tell beforehand.
 */
export function formatHeader(header: Header, wanted: Wanted): { text: string; findings: Finding[] } {
  const draft: Draft = { header, edits: [], findings: [], metadata: new Map() }
  formatNameAndDescription(draft, wanted)
  formatTexts(draft)
  moveUnknown(draft)
  formatTitle(draft, wanted)
  formatMetadata(draft)
  return { text: edited(header.text, draft.edits), findings: draft.findings }
}

/** A header on its way out: what is to be changed, and what is to be under `metadata`. */
interface Draft {
  readonly header: Header
  readonly edits: Edit[]
  readonly findings: Finding[]
  readonly metadata: Map<string, string>
}

function find(
  { header, findings }: Draft,
  code: Finding['code'],
  key: string,
  fields: Finding['fields'] = {}
): void {
  findings.push({ code, line: header.lineOf(key), fields: { key, ...fields } })
}

function formatNameAndDescription(draft: Draft, { slug, summary }: Wanted): void {
  const name = entryOf(draft.header.entries, 'name')
  if (!name) find(draft, 'D_NAME_MISSING', 'name')
  else if (name.value !== slug) find(draft, 'D_NAME', 'name', { name: name.value, slug })
  else if (!name.plain) find(draft, 'D_KEY_TEXT', 'name')
  if (name) replace(draft, name, slug)

  const description = entryOf(draft.header.entries, 'description')
  const fits = cut(summary, MAX_DESCRIPTION)
  if (!description) find(draft, 'D_DESCRIPTION_MISSING', 'description')
  else if (!description.plain) find(draft, 'D_KEY_TEXT', 'description')
  if (description) replace(draft, description, fits)
  if (fits !== summary) {
    draft.metadata.set('selkie-summary', summary)
    const fields = { size: summary.length, limit: MAX_DESCRIPTION }
    if (description?.value !== fits) find(draft, 'D_DESCRIPTION_LONG', 'description', fields)
  }

  const start =
    (name ? '' : `name: ${quoted(slug)}\n`) + (description ? '' : `description: ${quoted(fits)}\n`)
  if (start) draft.edits.push({ from: 0, to: 0, text: start })
}

function formatTexts(draft: Draft): void {
  for (const key of ['license', 'compatibility', 'allowed-tools']) {
    const entry = entryOf(draft.header.entries, key)
    if (!entry) continue
    let value = entry.value
    if (key === 'allowed-tools' && entry.kind === 'list') {
      find(draft, 'D_TOOLS_LIST', key)
      value = entry.items.join(' ')
    } else if (key === 'compatibility' && value.length > MAX_COMPATIBILITY) {
      find(draft, 'D_COMPATIBILITY_LONG', key, { limit: MAX_COMPATIBILITY })
      draft.metadata.set('selkie-compatibility', value)
      value = cut(value, MAX_COMPATIBILITY)
    } else if (!entry.plain) {
      find(draft, 'D_KEY_TEXT', key)
    }
    replace(draft, entry, value)
  }
}

/** Keys without a value go; what isn’t one of the six goes under `metadata`. */
function moveUnknown(draft: Draft): void {
  const { header, edits, metadata } = draft
  const old = new Set(entryOf(header.entries, 'metadata')?.entries.map(({ key }) => key))
  for (const entry of header.entries) {
    const { key, value } = entry
    if (value !== '' && KEYS.includes(key)) continue
    if (value !== '') {
      find(draft, 'D_KEY_UNKNOWN', key)
      metadata.set(freeKey(key, old, metadata), value)
    } else if (key !== 'name' && key !== 'description') {
      find(draft, 'D_KEY_EMPTY', key)
    }
    edits.push({ from: entry.from, to: lineEnd(header.text, entry.to), text: '' })
  }
}

function formatTitle(draft: Draft, { slug, title, summary }: Wanted): void {
  const { header, metadata } = draft
  const old = entryOf(header.entries, 'metadata')?.entries ?? []
  if (entryOf(old, 'selkie-summary')) metadata.set('selkie-summary', summary)
  if (title === titleFromName(slug) && !entryOf(old, 'selkie-title')) return
  metadata.set('selkie-title', title)
  const name = entryOf(header.entries, 'name')
  if (name && !isSlug(name.value)) find(draft, 'D_TITLE', 'name', { title })
}

function formatMetadata(draft: Draft): void {
  const { header, edits, metadata } = draft
  const old = entryOf(header.entries, 'metadata')
  if (old?.kind === 'map') {
    for (const entry of old.entries) {
      if (!entry.plain) find(draft, 'D_KEY_TEXT', entry.key)
      replace(draft, entry, metadata.get(entry.key) ?? entry.value)
      metadata.delete(entry.key)
    }
    const last = old.entries.at(-1)!
    const margin = last.from - (header.text.lastIndexOf('\n', last.from - 1) + 1)
    const at = lineEnd(header.text, last.to)
    edits.push({ from: at, to: at, text: lines(metadata, margin) })
  } else if (old) {
    find(draft, 'D_KEY_TEXT', 'metadata')
    metadata.set(freeKey('metadata', new Set(), metadata), old.value)
    edits.push({ from: old.from, to: lineEnd(header.text, old.to), text: `metadata:\n${lines(metadata, 2)}` })
  } else if (metadata.size > 0) {
    const at = header.text.length
    edits.push({ from: at, to: at, text: `metadata:\n${lines(metadata, 2)}` })
  }
}

/** Leaves an entry as it is written where every reader takes it for `value` already. */
function replace({ header, edits }: Draft, { key, value, plain, from, to }: Entry, wanted: string): void {
  if (plain && value === wanted) return
  const lineEnding = header.text[to - 1] === '\n' ? '\n' : ''
  edits.push({ from, to, text: `${quoted(key)}: ${quoted(wanted)}${lineEnding}` })
}

function lines(values: ReadonlyMap<string, string>, margin: number): string {
  return [...values].map(([key, value]) => `${' '.repeat(margin)}${quoted(key)}: ${quoted(value)}\n`).join('')
}

function freeKey(key: string, old: ReadonlySet<string>, taken: ReadonlyMap<string, string>): string {
  let free = key
  for (let n = 2; taken.has(free) || old.has(free); n++) free = `${key}-${n}`
  return free
}

function edited(text: string, edits: Edit[]): string {
  let out = ''
  let end = 0
  for (const edit of edits.sort((a, b) => a.from - b.from || a.to - b.to)) {
    out += text.slice(end, edit.from) + edit.text
    end = edit.to
  }
  return out + text.slice(end)
}
