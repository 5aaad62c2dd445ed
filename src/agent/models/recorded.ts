import { SelkieError } from '../../base/errors.js'
import type { Model, ModelAnswer } from '../model.js'
import { estimateTokens } from './count.js'

/**
 * A model that gives recorded answers in their order, whatever it is asked.
 *
 * @param name the model that gave them
 */
export function recordedModel(name: string, answers: readonly ModelAnswer[]): Model {
  let given = 0
  return {
    name,
    async answer(_request, { onText, signal }) {
      signal.throwIfAborted()
      const answer = answers[given++]
      if (!answer) throw new SelkieError('E_MODEL_RECORD', { count: answers.length })
      if (answer.text) onText?.(answer.text)
      return answer
    },
    count: (text) => Promise.resolve(estimateTokens(text)),
    close: () => Promise.resolve()
  }
}
