import { parser, type BlockContext, type InlineContext, type Line } from '@lezer/markdown'

/** A stretch of a Markdown text that is code, in UTF-16 offsets, its fences or backticks included. */
export interface CodeRange {
  readonly from: number
  readonly to: number
  /** Whether it is a code span within a line of text, and no block. */
  readonly inline: boolean
}

/** Quotes and lists within one another; what is deeper is read as plain text. */
const MAX_NESTING = 32
/** Backticks that may open a code span; a longer run is plain text. */
const MAX_BACKTICKS = 80
const BACKTICK = 0x60

/**
 * CommonMark’s blocks, and of its inline syntax what decides where code is: code spans
 * and the backslash. Links and HTML tags are left out, so a backtick inside one counts
 * like any other. That and the two bounds keep the time linear for every text; and
 * letters, digits and hyphens behind an `@` decide nothing, so a rename can't either.
 */
const markdown = parser.configure({
  remove: ['LinkReference', 'Entity', 'HTMLTag', 'Emphasis', 'HardBreak', 'Link', 'Image', 'LinkEnd'],
  parseBlock: [{ name: 'TooDeep', before: 'IndentedCode', parse: plainWhereTooDeep }],
  parseInline: [{ name: 'LongRun', before: 'InlineCode', parse: skipLongRun }]
})

/** Where a Markdown text is code, in order and without overlap. */
export function codeIn(text: string): CodeRange[] {
  const ranges: CodeRange[] = []
  markdown.parse(text).iterate({
    enter: ({ name, from, to }) => {
      const inline = name === 'InlineCode'
      if (!inline && name !== 'FencedCode' && name !== 'CodeBlock') return true
      ranges.push({ from, to, inline })
      return false
    }
  })
  return ranges
}

function plainWhereTooDeep(context: BlockContext, line: Line): boolean {
  if (context.depth <= MAX_NESTING) return false
  const from = context.lineStart + line.pos
  const to = context.lineStart + line.text.length
  context.nextLine()
  context.addElement(context.elt('Paragraph', from, to))
  return true
}

function skipLongRun(context: InlineContext, next: number, from: number): number {
  if (next !== BACKTICK) return -1
  let to = from + 1
  while (context.char(to) === BACKTICK) to++
  return to - from > MAX_BACKTICKS ? to : -1
}
