import { parseDocument, type Document } from 'yaml'
import type { DiagnosticCode } from './diagnostics.js'
import type { Finding } from './frontmatter.js'

/**
 * How many lists and maps a text may open. The parser recurses, and thousands of levels
 * end the process in a way that can’t be caught.
 */
const MAX_OPENED = 500

// Lines end with a line feed alone, as in YAML: `^`, `$` and `.` would also stop at U+2028.

/**
 * A frontmatter that YAML refuses, line by line made one that it takes: tabs become
 * spaces, a value that can’t stand as it is gets quotes, and what still can’t be read
 * becomes a comment. Each change is a finding with its line.
 */
export function mend(header: string): { text: string; findings: Finding[] } {
  const findings: Finding[] = []
  let line = 1
  const text = header
    .split(/(?<![^\n])(?=[A-Za-z_][\w-]*:)/)
    .map((block) => {
      const { text, code } = mendBlock(block)
      if (code) findings.push({ code, line })
      line += block.split('\n').length - 1
      return text
    })
    .join('')
  return { text, findings }
}

/** The YAML of a text with every scalar a string, or undefined where it isn’t one valid document. */
export function parsed(text: string): Document.Parsed | undefined {
  // A BOM is skipped before the first key and is a character after it; but lines move.
  if (/(?<![^\n])\ufeff/.test(text) || opensTooMany(text)) return undefined
  // Failsafe: `version: 2.0` stays “2.0”.
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' })
  return document.errors.length === 0 ? document : undefined
}

function opensTooMany(text: string): boolean {
  return (
    (text.replace(/(?<![^\n])#[^\r\n]*/g, '').match(/[[{]|(?:^|\s)[-?](?=\s)/g)?.length ?? 0) > MAX_OPENED
  )
}

function mendBlock(block: string): { text: string; code?: DiagnosticCode } {
  if (parsed(block) && (/^[A-Za-z_][\w-]*:\s/.test(block) || isComment(block))) return { text: block }

  const spaced = block.replace(/(?<![^\n])[ \t]+/g, (indent) => indent.replaceAll('\t', '  '))
  if (spaced !== block && parsed(spaced)) return { text: spaced, code: 'D_YAML_TAB' }

  const byLine = spaced.replace(
    /(?<![^\n])( *)([A-Za-z_][\w-]*):[ \t]*(\S[^\n]*)/g,
    (whole, indent: string, key: string, value: string) =>
      parsed(`${key}: ${value}\n`) && whole.includes(': ')
        ? whole
        : `${indent}${key}: ${JSON.stringify(value.trim())}`
  )
  if (parsed(byLine)) return { text: byLine, code: 'D_YAML_QUOTED' }

  const entry = /^([A-Za-z_][\w-]*):([^]*)$/.exec(spaced)
  if (entry && !opensTooMany(block)) {
    const value = entry[2]!
      .trim()
      .split(/\s*\n\s*/)
      .join(' ')
    return { text: `${entry[1]}: ${JSON.stringify(value)}\n`, code: 'D_YAML_QUOTED' }
  }
  return { text: commented(block), code: 'D_YAML_LOST' }
}

/** Whether a text holds nothing but blank lines and comments, wherever in a document it stands. */
export function isComment(text: string): boolean {
  return /^(?:[ \t]*(?:#[^\n]*)?(?:\n|$))*$/.test(text)
}

/** Each line that isn’t empty, as a comment. */
export function commented(text: string): string {
  return text.replace(/(?<![^\n])(?=[^\n])/g, '# ')
}
