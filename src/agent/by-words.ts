import MiniSearch from 'minisearch'
import type { Slug } from '../base/ids.js'
import type { MenuEntry } from './menu.js'

/** Of the best match’s score, what another one must have to be named beside it. */
const CLOSE = 0.5
const MOST = 3
/** Characters of a word that may be spelt otherwise: beyond, the index takes memory by their square. */
const LONGEST = 32

/** The skills of a menu whose words fit a request best, the best first; none where none fits. */
export function byWords(menu: readonly MenuEntry[], request: string): Slug[] {
  const index = new MiniSearch<MenuEntry & { words: string }>({
    idField: 'slug',
    fields: ['words', 'summary'],
    searchOptions: { boost: { words: 2 }, prefix: (term) => term.length > 3, fuzzy: fuzziness }
  })
  index.addAll(
    menu
      .filter(({ kind }) => kind === 'skill')
      .map((entry) => ({ ...entry, words: entry.slug.replaceAll('-', ' ') }))
  )
  const found = index.search(request)
  const least = (found[0]?.score ?? 0) * CLOSE
  return found
    .filter(({ score }) => score >= least)
    .slice(0, MOST)
    .map(({ id }) => id as Slug)
}

/** A typing error or a plural, in words that are long enough for that. */
function fuzziness(term: string): number | false {
  return term.length > 4 && term.length <= LONGEST ? 0.2 : false
}
