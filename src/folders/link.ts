import { dirname, resolve } from 'node:path'
import type { Diagnostic } from '../api.js'
import type { Uid } from '../base/ids.js'
import type { LinkedBody, Ref, RefOf } from '../namespace/linked.js'
import { mentionsIn } from '../namespace/mention.js'
import { isSlug } from '../namespace/slug.js'
import { diagnostic } from './diagnostics.js'
import { rewriteForeign, type Siblings } from './foreign.js'
import { lineAt } from './frontmatter.js'
import { isSkillText } from './find.js'
import type { IncomingSkill } from './incoming.js'

/** What linking must know of the node. */
export interface LinkingTo {
  /** The uid that a skill of the set gets, whatever slug it gets. */
  uidOf(skill: IncomingSkill): Uid
  /** The namespace before this import. */
  readonly refOf: RefOf
}

/**
 * Links the bodies of skills that come in together. A name means a skill of the set
 * first, then what the namespace has; what means nothing is escaped. Everything that is
 * shown otherwise than it was written is reported with its line.
 *
 * @returns `bodies` in the order of the skills
 */
export function linkFolders(
  skills: readonly IncomingSkill[],
  to: LinkingTo
): { bodies: LinkedBody[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const named = byName(skills, diagnostics)
  const located = new Map(skills.map((skill) => [skill.location, skill]))
  const bodies = skills.map((skill) => linkOne(skill, siblingsOf(skill, named, located), to, diagnostics))
  return { bodies, diagnostics }
}

function linkOne(
  skill: IncomingSkill,
  siblings: Siblings,
  to: LinkingTo,
  diagnostics: Diagnostic[]
): LinkedBody {
  const { text, mentions: foreign } = rewriteForeign(skill.body, siblings)
  const byPlace = new Map(foreign.map((mention) => [mention.at, mention]))
  const body: (string | Ref)[] = []
  let before = ''
  let end = 0
  let lines = skill.bodyLine
  let counted = 0
  for (const { from, to: behind, slug } of mentionsIn(text)) {
    lines += lineAt(text.slice(counted, from), from - counted) - 1
    counted = from
    const place = { path: skill.path, line: lines }
    const mention = byPlace.get(from)
    const meant = mention?.skill ?? siblings.named(slug)
    const ref = meant ? { skill: to.uidOf(meant) } : to.refOf(slug)
    const name = meant?.slug ?? slug
    const found = mention?.found ?? text.slice(from, behind)
    if (mention) diagnostics.push(diagnostic('D_LINKED', place, { found, name }))
    else if (!ref) diagnostics.push(diagnostic('D_MENTION_ESCAPED', place, { name: found.slice(1) }))
    else if (found !== `@${name}`) diagnostics.push(diagnostic('D_MENTION_SHOWN', place, { found, name }))
    before += text.slice(end, from)
    end = ref ? behind : from
    if (!ref) before += '\\'
    else {
      if (before) body.push(before)
      body.push(ref)
      before = ''
    }
  }
  before += text.slice(end)
  if (before) body.push(before)
  return body
}

/** The skills by every name that they go by: in the frontmatter first, then of the folder. */
function byName(skills: readonly IncomingSkill[], diagnostics: Diagnostic[]): Map<string, IncomingSkill[]> {
  const named = new Map<string, IncomingSkill[]>()
  for (const skill of skills) {
    const same = named.get(skill.slug)
    if (same) diagnostics.push(diagnostic('D_NAME_TWICE', { path: skill.path }, { name: skill.slug }))
    named.set(skill.slug, [...(same ?? []), skill])
  }
  const own = new Set(named.keys())
  for (const skill of skills) {
    const folder = skill.location.split(/[\\/]/).at(-1)!.toLowerCase()
    if (isSlug(folder) && !own.has(folder)) named.set(folder, [...(named.get(folder) ?? []), skill])
  }
  return named
}

function siblingsOf(
  skill: IncomingSkill,
  all: ReadonlyMap<string, readonly IncomingSkill[]>,
  located: ReadonlyMap<string, IncomingSkill>
): Siblings {
  return {
    named: (name) => nearest(skill, all.get(name) ?? []),
    linked: (link) => {
      const path = decoded(link.replace(/^<|>$/g, '').replace(/#.*$/, ''))
      if (path === undefined || /^[a-z][a-z0-9+.-]*:|^\//i.test(path)) return undefined
      const target = resolve(skill.location, path)
      return isSkillText(target.slice(dirname(target).length + 1)) ? located.get(dirname(target)) : undefined
    }
  }
}

function decoded(link: string): string | undefined {
  try {
    return decodeURIComponent(link)
  } catch {
    return undefined
  }
}

/** The candidate that shares the longest way from the root with a skill; of equals, the first. */
function nearest(skill: IncomingSkill, candidates: readonly IncomingSkill[]): IncomingSkill | undefined {
  const way = skill.location.split(/[\\/]/)
  let best: { candidate: IncomingSkill; shared: number } | undefined
  for (const candidate of candidates) {
    const differs = candidate.location.split(/[\\/]/).findIndex((part, i) => part !== way[i])
    const shared = differs === -1 ? Infinity : differs
    if (!best || shared > best.shared) best = { candidate, shared }
  }
  return best?.candidate
}
