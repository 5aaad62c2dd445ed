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
