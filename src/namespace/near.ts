import { distance } from 'fastest-levenshtein'
import type { Slug } from '../base/ids.js'
import { TOOLS } from './tool.js'

/**
 * Up to three of the slugs, and of the tools’, that are spelt much like `slug`: two
 * letters, or a third of them, would have to change, or one begins with the other.
 */
export function closest(slug: Slug, slugs: Iterable<Slug>): Slug[] {
  const allowed = Math.max(2, Math.floor(slug.length / 3))
  const near: { candidate: Slug; off: number }[] = []
  for (const candidate of [...slugs, ...TOOLS.map((tool) => tool.slug)]) {
    const off = distance(slug, candidate)
    const begins = candidate.startsWith(`${slug}-`) || slug.startsWith(`${candidate}-`)
    if (off <= allowed || begins) near.push({ candidate, off })
  }
  near.sort((a, b) => a.off - b.off || (a.candidate < b.candidate ? -1 : 1))
  return near.slice(0, 3).map(({ candidate }) => candidate)
}
