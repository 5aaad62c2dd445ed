import { SelkieError } from '../base/errors.js'
import type { Slug } from '../base/ids.js'
import { MAX_SLUG } from '../base/limits.js'

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Whether `text` is a slug: `[a-z0-9]+(-[a-z0-9]+)*`, at most 64 characters. */
export function isSlug(text: string): text is Slug {
  return text.length <= MAX_SLUG && SLUG.test(text)
}

/**
 * The slug that a person typed, with or without its `@`, in any case.
 *
 * @throws SelkieError E_SLUG_FORM
 */
export function slugOf(typed: string): Slug {
  const slug = typed.replace(/^@/, '').toLowerCase()
  if (!isSlug(slug)) throw new SelkieError('E_SLUG_FORM', { slug: typed })
  return slug
}

/**
 * `wanted`, `wanted-2`, `wanted-3`, … without end. The base is cut where the number
 * would make it longer than 64 characters.
 */
export function* slugsLike(wanted: Slug): Generator<Slug, never> {
  yield wanted
  for (let n = 2; ; n++) {
    const suffix = `-${n}`
    yield (trimmed(wanted, MAX_SLUG - suffix.length) + suffix) as Slug
  }
}

/** The first of {@link slugsLike} that `taken` denies. */
export function freeSlug(wanted: Slug, taken: (slug: Slug) => boolean): Slug {
  const slugs = slugsLike(wanted)
  for (;;) {
    const slug = slugs.next().value
    if (!taken(slug)) return slug
  }
}

/** A text without the hyphens that it begins and ends with, at most so many characters. */
export function trimmed(text: string, length: number): Slug {
  return text.replace(/^-+/, '').slice(0, length).replace(/-+$/, '') as Slug
}
