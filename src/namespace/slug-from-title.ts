import { createRequire } from 'node:module'
import type * as Transliteration from 'transliteration'
import type { Slug } from '../base/ids.js'
import { MAX_SLUG } from '../base/limits.js'
import { trimmed } from './slug.js'

const load = createRequire(import.meta.url)

/**
 * The slug that a title gives before anyone else has taken it: transliterated to
 * ASCII, lower-cased, every run of other characters one hyphen, at most 64 characters.
 * A title that leaves nothing gives `skill`.
 */
export function slugFromTitle(title: string): Slug {
  const words = ascii(title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return trimmed(words, MAX_SLUG) || ('skill' as Slug)
}

/** The tables of all scripts take 5 MB, and are loaded for the first title that isn’t ASCII. */
function ascii(title: string): string {
  if (!/[^\0-\x7f]/.test(title)) return title
  const { transliterate } = load('transliteration') as typeof Transliteration
  return transliterate(title)
}
