import type { Slug, Uid, VersionHash } from '../base/ids.js'
import { contentHere } from '../editing/find.js'
import { isHidden } from '../editing/hidden.js'
import { boundVersion, profileOf } from '../editing/profiles.js'
import { refsOf } from '../namespace/linked.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'
import type { VersionOf } from './bind.js'
import type { MenuEntry } from './menu.js'

/** A profile as it is now: what it offers, and in which versions. */
export interface Profile {
  readonly name: string
  /** The bound skills that are there and not hidden, in the versions that are bound. */
  readonly menu: readonly MenuEntry[]
  /** What the person may name: hidden ones too. */
  readonly offered: ReadonlySet<Slug>
  /**
   * The bound version. What a bound skill mentions and the profile doesn’t bind follows its
   * published one; where it has none, it comes as it is shown, but never to a skill that is
   * bound as published, whatever else mentions it: that gets no drafts.
   */
  readonly versionOf: VersionOf
}

/**
 * A profile by its name.
 *
 * @throws SelkieError E_PROFILE_UNKNOWN, E_VERSION_AWAY
 */
export async function profileNow(store: Store, name: string): Promise<Profile> {
  const { name: known, bindings } = profileOf(store, name)
  const versions = new Map<Uid, VersionHash | undefined>()
  const menu: MenuEntry[] = []
  const offered = new Set<Slug>()
  for (const binding of bindings) {
    const version = (await boundVersion(store, binding)) ?? undefined
    const skill = store.namespace.row(binding.uid) as StoredSkill | undefined
    versions.set(binding.uid, version)
    if (!version || !skill?.enabled || skill.deleted) continue
    const { summary } = await contentHere(store, skill, version)
    offered.add(skill.slug)
    if (await isHidden(store, version)) continue
    menu.push({ slug: skill.slug, summary, kind: 'skill' })
  }
  menu.sort((a, b) => (a.slug < b.slug ? -1 : 1))
  const followers = bindings.filter(({ to }) => to === 'published').map(({ uid }) => uid)
  const noDraft = await mentionedBy(store, followers, (skill) => versions.get(skill.uid) ?? skill.published)
  const versionOf: VersionOf = ({ uid, published, head }) => {
    if (versions.has(uid)) return versions.get(uid)
    return published ?? (noDraft.has(uid) ? undefined : head)
  }
  return { name: known, menu, offered, versionOf }
}

/** Skills and all that they mention, each in its version; what has none leads no further. */
async function mentionedBy(
  store: Store,
  roots: readonly Uid[],
  versionOf: (skill: StoredSkill) => VersionHash | null
): Promise<ReadonlySet<Uid>> {
  // A set goes on iterating over what is added meanwhile.
  const found = new Set(roots)
  for (const uid of found) {
    const skill = store.namespace.row(uid) as StoredSkill | undefined
    const version = skill && versionOf(skill)
    if (!version) continue
    const { body } = await contentHere(store, skill, version)
    for (const ref of refsOf(body)) if ('skill' in ref) found.add(store.namespace.uidOf(ref.skill))
  }
  return found
}
