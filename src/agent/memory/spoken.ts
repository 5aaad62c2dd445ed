import type { KeptRun } from '../kept-run.js'

/** A line of what was said in a run, and by whom. */
export interface SpokenLine {
  readonly who: 'person' | 'agent'
  readonly text: string
  /** Which utterance of the run it belongs to. */
  readonly utterance: number
}

/**
 * What a run says, line by line: the question, what the model said at its steps, and the
 * answer; no plan, no results. Empty lines are left out, and no line holds a line break.
 */
export function spokenLines({
  question,
  steps,
  answer
}: Pick<KeptRun, 'question' | 'answer'> & { readonly steps: readonly { text: string }[] }): SpokenLine[] {
  const texts = steps.map(({ text }) => text)
  // The last step of a run that is done is its answer.
  const agent = texts.at(-1) === answer ? texts : [...texts, answer]
  const utterances = [{ who: 'person', text: question } as const].concat(
    agent.map((text) => ({ who: 'agent', text }) as never)
  )
  return utterances.flatMap(({ who, text }, utterance) =>
    text
      .toWellFormed()
      .split(LINE_BREAK)
      .filter((line) => line.trim() !== '')
      .map((line) => ({ who, text: line, utterance }))
  )
}

/** What JavaScript’s `.` doesn’t match. */
const LINE_BREAK = /[\n\r\u2028\u2029]/
