/** A line of what was said in a run, and by whom. */
export interface SpokenLine {
  readonly who: 'person' | 'agent'
  readonly text: string
  /** Which of the texts it is from. */
  readonly utterance: number
}

/**
 * What was said in a run, line by line. Empty lines are left out, and no line holds what
 * JavaScript’s `.` doesn’t match.
 *
 * @param said the question first, then what the model said
 */
export function spokenLines(said: readonly string[]): SpokenLine[] {
  return said.flatMap((text, utterance) =>
    text
      .split(/[\n\r\u2028\u2029]/)
      .filter((line) => /\S/.test(line))
      .map((line) => ({ who: utterance === 0 ? 'person' : 'agent', text: line, utterance }))
  )
}

/** Where a line is in bytes: from one of them to before another. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Where the same lines are in the UTF-8 of one text, in which every line break is made `\n`. */
export function linesOfUtf8(text: Buffer): Span[] {
  for (const other of OTHER_BREAKS)
    // Each byte one: what is between them is an empty line.
    for (let at = text.indexOf(other); at >= 0; at = text.indexOf(other, at))
      text.fill(NEWLINE, at, at + other.length)
  const lines: Span[] = []
  for (let from = 0; from < text.length;) {
    const next = text.indexOf(NEWLINE, from)
    const to = next < 0 ? text.length : next
    if (!isBlank(text, from, to)) lines.push({ from, to })
    from = to + 1
  }
  return lines
}

export const NEWLINE = 0x0a
const OTHER_BREAKS = ['\r', '\u2028', '\u2029'].map((text) => Buffer.from(text))

/** Bytes that a space of any kind begins with. */
const SPACES = new Set(
  '\t\v\f \u00a0\u1680\u2000\u3000\ufeff'.split('').map((space) => Buffer.from(space)[0])
)

function isBlank(text: Buffer, from: number, to: number): boolean {
  // Few lines are looked at any closer.
  return from === to || (SPACES.has(text[from]) && !/\S/.test(text.toString('utf8', from, to)))
}
