import { SelkieError } from '../base/errors.js'
import type { Slug } from '../base/ids.js'
import { mentions } from '../namespace/mention.js'
import type { Profile } from './profile.js'

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
    throw new SelkieError('E_TEXT_LIMIT', {
      what: 'request',
      size: `${question.length} characters`,
      limit: `${MAX_QUESTION} characters`,
      or: ''
    })
  return question
}

/**
 * The handles in the person’s own words: what they name is used, also where no menu has it.
 * In a profile, only what that offers.
 */
export function namedByPerson(question: string, profile: Profile | undefined): Slug[] {
  const named = mentions(question)
  return profile ? named.filter((slug) => profile.offered.has(slug)) : named
}
