import type { Slug, ToolName, Uid } from '../base/ids.js'
import { mentionsIn } from './mention.js'
import { isSlug } from './slug.js'
import { toolByName, toolBySlug } from './tool.js'

/** What a mention stands for: a skill by its uid, or a tool by its name. */
export type Ref = { readonly skill: Uid } | { readonly tool: ToolName }

/**
 * A body as it is stored: text and references in turn. No slug is in it, so no rename
 * can touch it. Canonical: no empty text, no two texts side by side, and no text that
 * the grammar would read as a mention.
 */
export type LinkedBody = readonly (string | Ref)[]

/** The slug that a skill has here and now. */
export type SlugOf = (uid: Uid) => Slug

/** The skill or tool that a slug names here and now, or undefined. */
export type RefOf = (slug: Slug) => Ref | undefined

/** The body with today's slugs filled in. */
export function shown(body: LinkedBody, slugOf: SlugOf): string {
  return body.map((part) => (typeof part === 'string' ? part : `@${slugOfRef(part, slugOf)}`)).join('')
}

/**
 * A text as a person wrote it, with its mentions made references. What resolves to
 * nothing comes back in `unknown`, once each in first-seen order, and stays text.
 */
export function linked(text: string, refOf: RefOf): { body: LinkedBody; unknown: Slug[] } {
  const body: (string | Ref)[] = []
  const unknown = new Set<Slug>()
  let end = 0
  for (const mention of mentionsIn(text)) {
    const ref = refOf(mention.slug)
    if (!ref) {
      unknown.add(mention.slug)
      continue
    }
    if (mention.from > end) body.push(text.slice(end, mention.from))
    body.push(ref)
    end = mention.to
  }
  if (end < text.length) body.push(text.slice(end))
  return { body, unknown: [...unknown] }
}

/** The references of a body, once each, in first-seen order. */
export function refsOf(body: LinkedBody): Ref[] {
  const refs = new Map<string, Ref>()
  for (const part of body) {
    if (typeof part !== 'string') refs.set(refKey(part), part)
  }
  return [...refs.values()]
}

/** A reference as one string, for maps: `skill:<uid>` or `tool:<name>`. */
export function refKey(ref: Ref): string {
  return 'skill' in ref ? `skill:${ref.skill}` : `tool:${ref.tool}`
}

/**
 * Whether a body is canonical: shown and parsed again, it is the same. The skills get
 * stand-in slugs, for the answer doesn't depend on names.
 */
export function isCanonical(body: LinkedBody): boolean {
  const standIns = new Map<Uid, Slug>()
  const uids = new Map<Slug, Uid>()
  const slugOf: SlugOf = (uid) => {
    let slug = standIns.get(uid)
    if (!slug) {
      slug = `skill-${standIns.size}` as Slug
      standIns.set(uid, slug)
      uids.set(slug, uid)
    }
    return slug
  }
  for (const part of body) {
    if (typeof part !== 'string' && 'tool' in part && !toolByName(part.tool)) return false
  }
  const text = shown(body, slugOf)
  const again = linked(text, (slug) => {
    const uid = uids.get(slug)
    if (uid) return { skill: uid }
    const tool = toolBySlug(slug)
    return tool && { tool: tool.name }
  })
  return again.unknown.length === 0 && sameBody(body, again.body)
}

/** Whether two bodies are the same, part by part. */
export function sameBody(a: LinkedBody, b: LinkedBody): boolean {
  return (
    a.length === b.length &&
    a.every((part, i) => {
      const other = b[i]!
      if (typeof part === 'string' || typeof other === 'string') return part === other
      return refKey(part) === refKey(other)
    })
  )
}

function slugOfRef(ref: Ref, slugOf: SlugOf): string {
  if ('skill' in ref) return slugOf(ref.skill)
  const slug = toolByName(ref.tool)?.slug
  if (!slug || !isSlug(slug)) throw new TypeError(`no tool ${ref.tool}`)
  return slug
}
