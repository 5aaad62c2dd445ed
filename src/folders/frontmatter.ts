import type { ErrorFields } from '../base/errors.js'
import type { DiagnosticCode } from './diagnostics.js'

/** A problem of one text, before it is known which file the text is. */
export interface Finding {
  readonly code: DiagnosticCode
  /** From 1. */
  readonly line: number
  readonly fields?: ErrorFields
}

/** A SKILL.md in its two parts. Joined by `joined`, they give the text back. */
export interface Split {
  /** The lines between the two `---` lines, each with its line end; null where there are none. */
  readonly header: string | null
  /** All behind the closing line, a leading empty line included. */
  readonly body: string
  /** The line of the file that the body begins on, from 1. */
  readonly bodyLine: number
  readonly findings: readonly Finding[]
}

/**
 * Parts a text with LF line ends. A frontmatter in another language than YAML is left
 * out and never run; one that nothing closes ends before the first empty line. What
 * begins with `---` closes it, for some readers ask no more: no line of a header does.
 */
export function splitFrontmatter(text: string): Split {
  const findings: Finding[] = []
  const open = /^(\s*)---([^\n]*)(?:\n|$)/.exec(text)
  const language = open?.[2]!.trim() ?? ''
  if (!open || !/^\w*$/.test(language)) {
    return { header: null, body: text, bodyLine: 1, findings: [{ code: 'D_FRONTMATTER_MISSING', line: 1 }] }
  }
  if (open[1] !== '' || (language === '' && open[2] !== ''))
    findings.push({ code: 'D_FRONTMATTER_FENCE', line: 1 })

  const from = open[0].length
  const close = /^---(?:-*[ \t]*(?:\n|$(?![^])))?/m.exec(text.slice(from))
  let to: number
  let bodyAt: number
  if (close) {
    to = from + close.index
    bodyAt = to + close[0].length
    if (close[0] !== '---\n') findings.push({ code: 'D_FRONTMATTER_FENCE', line: lineAt(text, to) })
  } else {
    const empty = text.slice(from).search(/^[ \t]*$/m)
    to = bodyAt = empty === -1 ? text.length : from + empty
    findings.push({ code: 'D_FRONTMATTER_OPEN', line: 1 })
  }
  const body = text.slice(bodyAt)
  const bodyLine = lineAt(text, bodyAt)
  if (language !== '' && language !== 'yaml' && language !== 'yml') {
    findings.push({ code: 'D_FRONTMATTER_LANGUAGE', line: 1, fields: { language } })
    return { header: null, body, bodyLine, findings }
  }
  if (language !== '') findings.push({ code: 'D_FRONTMATTER_FENCE', line: 1 })
  const header = text.slice(from, to)
  return { header: header === '' || header.endsWith('\n') ? header : `${header}\n`, body, bodyLine, findings }
}

/** A SKILL.md of its two parts. */
export function joined(header: string, body: string): string {
  return `---\n${header}---\n${body}`
}

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
