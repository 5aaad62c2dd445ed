import { SelkieError } from '../base/errors.js'
import type { Slug } from '../base/ids.js'
import { mentions } from '../namespace/mention.js'
import { toolBySlug } from '../namespace/tool.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'
import type { VersionOf } from './bind.js'

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

/** The handles in the person’s own words: what they name is used, also where no menu has it. */
export function namedByPerson(store: Store, question: string, versionOf: VersionOf): Slug[] {
  return mentions(question).filter((slug) => {
    if (toolBySlug(slug)) return true
    const resolved = store.namespace.resolve(slug)
    return resolved?.kind === 'skill' && versionOf(resolved.skill as StoredSkill) !== undefined
  })
}
