import type { Slug, ToolName, Uid, VersionHash } from '../base/ids.js'
import { contentHere } from '../editing/find.js'
import { shownBody } from '../editing/present.js'
import { refsOf, type Ref } from '../namespace/linked.js'
import type { SkillRow } from '../namespace/skill.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'

/** A skill that a run follows: which version, what it says here, what it declares. */
export interface BoundSkill {
  readonly slug: Slug
  readonly uid: Uid
  readonly title: string
  readonly version: VersionHash
  /** With today’s slugs. */
  readonly body: string
  /** Tools that it or what it mentions declares, in first-seen order. */
  readonly tools: readonly ToolName[]
}

/** What a plan comes to. */
export interface Binding {
  /** The skills that were named and all that they mention, named ones first. */
  readonly skills: readonly BoundSkill[]
  /** In the order of first appearance. */
  readonly tools: readonly ToolName[]
}

/** The version in which a run has a skill; undefined where the run may not have it. */
export type VersionOf = (skill: StoredSkill) => VersionHash | undefined

/** The shown version of every skill. */
export const shownVersion: VersionOf = ({ head }) => head

interface Read {
  readonly row: SkillRow
  readonly version: VersionHash
  readonly title: string
  readonly body: string
  readonly refs: readonly Ref[]
}

/** What handles stand for here, in their order; those that name nothing are left out. */
export function refsHere(store: Store, handles: readonly Slug[]): Ref[] {
  return handles.flatMap((slug) => store.namespace.refOf(slug) ?? [])
}

/**
 * Binds what a plan names: tools as they are, enabled skills with all that they mention,
 * in the versions of this run.
 *
 * @throws SelkieError E_VERSION_AWAY where the text of one isn’t here
 */
export async function bind(store: Store, roots: readonly Ref[], versionOf: VersionOf): Promise<Binding> {
  const known = new Map<Uid, Read | undefined>()
  const read = async (uid: Uid): Promise<Read | undefined> => {
    const row = store.namespace.row(uid) as StoredSkill | undefined
    if (!row || row.deleted || !row.enabled) return undefined
    if (!known.has(row.uid)) known.set(row.uid, await readSkill(store, row, versionOf))
    return known.get(row.uid)
  }
  const tools = new Set<ToolName>()
  const skills: BoundSkill[] = []
  for (const ref of roots) {
    if ('tool' in ref) tools.add(ref.tool)
    else for (const tool of await toolsOf([ref], read)) tools.add(tool)
  }
  // The named ones first; a map goes on iterating over what is added meanwhile.
  const named = new Set(roots.flatMap((ref) => ('skill' in ref ? [ref.skill] : [])))
  const done = new Set<Uid>()
  for (const uid of named) {
    const skill = await read(uid)
    if (!skill || done.has(skill.row.uid)) continue
    done.add(skill.row.uid)
    const { row, version, title, body, refs } = skill
    const declared = await toolsOf([{ skill: row.uid }], read)
    skills.push({ slug: row.slug, uid: row.uid, title, version, body, tools: declared })
    for (const ref of refs) if ('skill' in ref) named.add(ref.skill)
  }
  return { skills, tools: [...tools] }
}

async function readSkill(store: Store, row: StoredSkill, versionOf: VersionOf): Promise<Read | undefined> {
  const version = versionOf(row)
  if (version === undefined) return undefined
  const content = await contentHere(store, row, version)
  return { row, version, title: content.title, body: shownBody(store, content), refs: refsOf(content.body) }
}

/** As the namespace’s `toolsForPlan`: depth first, once each, in the order of first appearance. */
async function toolsOf(
  roots: readonly Ref[],
  read: (uid: Uid) => Promise<Read | undefined>
): Promise<ToolName[]> {
  const tools = new Set<ToolName>()
  const seen = new Set<Uid>()
  // On a stack of its own: a chain may be as long as the namespace.
  const stack: Iterator<Ref, void>[] = [roots.values()]
  while (stack.length > 0) {
    const { done, value: ref } = stack.at(-1)!.next()
    if (done) {
      stack.pop()
    } else if ('tool' in ref) {
      tools.add(ref.tool)
    } else {
      const skill = await read(ref.skill)
      if (!skill || seen.has(skill.row.uid)) continue
      seen.add(skill.row.uid)
      stack.push(skill.refs.values())
    }
  }
  return [...tools]
}
