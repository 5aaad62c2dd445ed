import type { Slug, ToolName, Uid, VersionHash } from '../base/ids.js'
import { contentHere } from '../editing/find.js'
import { isHidden } from '../editing/hidden.js'
import { shownBody } from '../editing/present.js'
import { refsOf, type Ref } from '../namespace/linked.js'
import { toolsFrom } from '../namespace/tools-from.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'

/** A skill that a run follows, in which version. */
export interface BoundSkill {
  readonly slug: Slug
  readonly uid: Uid
  readonly title: string
  readonly version: VersionHash
  /** Tools that it or what it mentions declares, in first-seen order. */
  readonly tools: () => readonly ToolName[]
}

/** What a plan comes to. */
export interface Binding {
  /** The skills that were named and all that they mention, named ones first. */
  readonly skills: readonly BoundSkill[]
  /** In the order of first appearance. */
  readonly tools: readonly ToolName[]
  /** Skills that were named or mentioned, and aren’t part of the run. */
  readonly leftOut: readonly LeftOut[]
}

/**
 * Why a skill isn’t part of a run: the run may have no version of it, or it isn’t for models
 * and is only mentioned.
 */
export interface LeftOut {
  readonly slug: Slug
  readonly why: 'no-version' | 'hidden'
}

/** The version in which a run has a skill; undefined where the run may not have it. */
export type VersionOf = (skill: StoredSkill) => VersionHash | undefined

/** The shown version of every skill. */
export const shownVersion: VersionOf = ({ head }) => head

/** A skill in its version: what it is called there, and what it mentions. */
interface Read extends Omit<BoundSkill, 'tools'> {
  readonly refs: readonly Ref[]
}

/**
 * Binds what a plan names: tools as they are, enabled skills with all that they mention,
 * in the versions of this run. A hidden skill is bound only where it is named itself: to
 * mention it opens it no more than it does in a folder.
 *
 * @throws SelkieError E_VERSION_AWAY where the text of one isn’t here
 */
export async function bind(store: Store, roots: readonly Ref[], versionOf: VersionOf): Promise<Binding> {
  const read = new Map<Uid, Read>()
  const leftOut: LeftOut[] = []
  // The named ones first; a set goes on iterating over what is added meanwhile.
  const named = roots.flatMap((ref) => ('skill' in ref ? [store.namespace.uidOf(ref.skill)] : []))
  const open = new Set(named)
  const reached = new Set(named)
  for (const uid of reached) {
    const row = store.namespace.row(uid) as StoredSkill | undefined
    if (!row || row.deleted || !row.enabled) continue
    const skill = await readSkill(store, row, versionOf)
    if (!skill || (!open.has(uid) && (await isHidden(store, skill.version)))) {
      leftOut.push({ slug: row.slug, why: skill ? 'hidden' : 'no-version' })
      continue
    }
    read.set(uid, skill)
    for (const ref of skill.refs) if ('skill' in ref) reached.add(store.namespace.uidOf(ref.skill))
  }
  const find = (uid: Uid): Read | undefined => read.get(store.namespace.uidOf(uid))
  const skills = [...read.values()].map(({ slug, uid, title, version }) => {
    return { slug, uid, title, version, tools: () => toolsFrom([{ skill: uid }], find) }
  })
  return { skills, tools: toolsFrom(roots, find), leftOut }
}

/**
 * What a bound skill says, with today’s slugs.
 *
 * @throws SelkieError E_VERSION_AWAY
 */
export async function bodyOf(store: Store, { uid, version }: BoundSkill): Promise<string> {
  const row = store.namespace.row(uid) as StoredSkill
  return shownBody(store, await contentHere(store, row, version))
}

async function readSkill(store: Store, row: StoredSkill, versionOf: VersionOf): Promise<Read | undefined> {
  const version = versionOf(row)
  if (version === undefined) return undefined
  const { slug, uid, head } = row
  // Of the shown version the row says it all.
  if (version === head) return { slug, uid, title: row.title, version, refs: row.refs }
  const { title, body } = await contentHere(store, row, version)
  return { slug, uid, title, version, refs: refsOf(body) }
}
