import type { ModelMessage } from './model.js'
import type { Turn } from './transcript.js'

/** Characters of what was said before that a model is told again. */
const MAX_HISTORY = 64 * 1024
/** In place of an answer that never came: not every model takes an empty one. */
const NO_ANSWER = '(There was no answer.)'

/**
 * A conversation so far, as a model is told it: the newest of it where it is long.
 *
 * @param turns the oldest first
 */
export function historyOf(turns: readonly Turn[]): { messages: ModelMessage[]; truncations: string[] } {
  const messages: ModelMessage[] = []
  let left = MAX_HISTORY
  let told = 0
  for (const { question, answer } of turns.toReversed()) {
    left -= question.length + answer.length
    if (left < 0) break
    told++
    messages.unshift(
      { role: 'user', text: question },
      { role: 'assistant', text: answer || NO_ANSWER, calls: [] }
    )
  }
  const forgotten = turns.length - told
  const truncations =
    forgotten === 0
      ? []
      : [`Of this conversation the model was told the newest ${told} of ${turns.length} turns.`]
  return { messages, truncations }
}
