import { wordlist } from '@scure/bip39/wordlists/english.js'
import { isSelkieError } from '../base/errors.js'
import { rootFrom } from '../keys/identity.js'

/**
 * What keeps the words that were typed from being an identity’s, without repeating any;
 * undefined where nothing does.
 */
export function wordsFault(typed: string): string | undefined {
  try {
    rootFrom(typed)
    return undefined
  } catch (error) {
    if (!isSelkieError(error, 'E_WORDS')) throw error
  }
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length !== 24) return `There must be 24 words, and there are ${words.length}.`
  const strange = words.flatMap((word, i) => (wordlist.includes(word) ? [] : [i + 1]))
  if (strange.length > 0) return `Not in the list of words that there are: number ${strange.join(', ')}.`
  return 'These are words of the list, but not of an identity: check them and their order.'
}
