import { SelkieError } from '../base/errors.js'

/** Characters of a request. */
const MAX_QUESTION = 64 * 1024

/**
 * A request as a run takes it.
 *
 * @throws SelkieError E_ASK_EMPTY, E_TEXT_LIMIT
 */
export function checkedQuestion(text: string): string {
  const question = text.trim()
  if (question === '') throw new SelkieError('E_ASK_EMPTY')
  if (question.length > MAX_QUESTION)
    throw new SelkieError('E_TEXT_LIMIT', { what: 'request', size: question.length, limit: MAX_QUESTION })
  return question
}
