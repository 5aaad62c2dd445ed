import type { Uid, VersionHash } from '../base/ids.js'
import { contentHere } from '../editing/find.js'
import { boundVersion, profileOf } from '../editing/profiles.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'
import type { VersionOf } from './bind.js'
import type { MenuEntry } from './menu.js'

/** A profile as it is now: what it offers, and in which versions. */
export interface Profile {
  readonly name: string
  /** The bound skills that are there, in the versions that are bound. */
  readonly menu: readonly MenuEntry[]
  /** The bound version; of what a bound skill mentions the published one, where there is one. */
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
  for (const binding of bindings) {
    const version = (await boundVersion(store, binding)) ?? undefined
    const skill = store.namespace.row(binding.uid) as StoredSkill | undefined
    versions.set(binding.uid, version)
    if (!version || !skill?.enabled || skill.deleted) continue
    const { summary } = await contentHere(store, skill, version)
    menu.push({ slug: skill.slug, summary, kind: 'skill' })
  }
  menu.sort((a, b) => (a.slug < b.slug ? -1 : 1))
  const versionOf: VersionOf = ({ uid, published, head }) =>
    versions.has(uid) ? versions.get(uid) : (published ?? head)
  return { name: known, menu, versionOf }
}
