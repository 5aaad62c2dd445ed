import type { Listed, Saved, Switched } from '../api.js'
import { SelkieError } from '../base/errors.js'
import type { Slug } from '../base/ids.js'
import { asHandles } from '../namespace/as-handles.js'
import { slugOf } from '../namespace/slug.js'
import type { StoredSkill } from '../store/rows.js'
import type { Self } from '../store/self.js'
import { deletedSkill } from './deleted.js'
import { contentHere, liveSkill, namedVersion } from './find.js'
import { isHidden } from './hidden.js'
import { listed, saved } from './present.js'
import { refuseDangling } from './save.js'

/**
 * Gives a skill another slug. One row changes; every body that mentions it shows the
 * new name from then on.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_SLUG_FORM, E_SLUG_TAKEN
 */
export async function renameSkill(
  self: Self,
  typed: string,
  to: string
): Promise<{ uid: string; from: string; slug: string; mentionedBy: string[] }> {
  return self.store.turn(async () => {
    const { store } = self
    const { uid, slug: from } = liveSkill(store, typed)
    const slug = slugOf(to)
    const other = store.namespace.resolve(slug)
    const isOther = other && !(other.kind === 'skill' && other.skill.uid === uid)
    if (isOther) throw new SelkieError('E_SLUG_TAKEN', { slug, kind: other.kind })
    if (slug !== from) await store.append({ type: 'rename', uid, slug })
    return { uid, from, slug, mentionedBy: slugs(store.namespace.mentionersOf(uid)) }
  })
}

/**
 * Deletes a skill that no other mentions. A tombstone stays, and its versions with it.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_MENTIONED
 */
export async function deleteSkill(self: Self, typed: string): Promise<{ uid: string; slug: string }> {
  return self.store.turn(async () => {
    const { uid, slug } = liveSkill(self.store, typed)
    const by = slugs(self.store.namespace.mentionersOf(uid))
    if (by.length > 0) throw new SelkieError('E_MENTIONED', { slug, by: asHandles(by) })
    await self.store.append({ type: 'delete', uid })
    return { uid, slug }
  })
}

/**
 * Brings a deleted skill back, under its last slug or the first free one after it. Of
 * several that had the slug, the first digits of its uid say which.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_NOT_DELETED, E_RESTORE_WHICH, E_RESTORE_UID, E_DANGLES
 */
export async function restoreSkill(self: Self, typed: string, uid?: string): Promise<Saved> {
  return self.store.turn(async () => {
    const { store } = self
    const row = await deletedSkill(store, slugOf(typed), uid)
    refuseDangling(
      store,
      row.refs.filter((ref) => !('skill' in ref) || store.namespace.uidOf(ref.skill) !== row.uid)
    )
    await store.append({ type: 'restore', uid: row.uid })
    return saved(store, store.namespace.row(row.uid) as StoredSkill)
  })
}

/**
 * Points at a version as the published one; unless named, the shown one. What follows it
 * are drafts, until it is published anew.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_VERSION_UNKNOWN, E_VERSION_AWAY
 */
export async function publishVersion(
  self: Self,
  typed: string,
  version?: string
): Promise<{ uid: string; slug: string; version: string }> {
  return self.store.turn(async () => {
    const { store } = self
    const row = liveSkill(store, typed)
    const named = await namedVersion(store, row, version ?? row.head)
    await contentHere(store, row, named.hash)
    await store.append({ type: 'publish', uid: row.uid, version: named.hash })
    const { published } = store.namespace.row(row.uid) as StoredSkill
    // The past of a skill that this one stands in for is in its log, but not its own.
    if (published !== named.hash) {
      throw new SelkieError('E_VERSION_UNKNOWN', { slug: row.slug, version: named.hash.slice(0, 12) })
    }
    return { uid: row.uid, slug: row.slug, version: named.hash }
  })
}

/** Enables a skill or makes it inert, also for those that mention it. */
export async function setEnabled(self: Self, typed: string, enabled: boolean): Promise<Switched> {
  return self.store.turn(async () => {
    const { namespace } = self.store
    const { uid } = liveSkill(self.store, typed)
    await self.store.append({ type: 'enable', uid, enabled })
    const skill = listed(self.store, namespace.row(uid) as StoredSkill)
    return { ...skill, mentionedBy: slugs(namespace.mentionersOf(uid)) }
  })
}

/**
 * Offers a skill in the planner's menu, or takes it out.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_SKILL_HIDDEN where it says that it isn't for models
 */
export async function setAdvertised(self: Self, typed: string, advertised: boolean): Promise<Listed> {
  return self.store.turn(async () => {
    const { uid, slug, head } = liveSkill(self.store, typed)
    if (advertised && (await isHidden(self.store, head))) throw new SelkieError('E_SKILL_HIDDEN', { slug })
    await self.store.append({ type: 'advertise', uid, advertised })
    return listed(self.store, self.store.namespace.row(uid) as StoredSkill)
  })
}

function slugs(rows: readonly { slug: Slug }[]): Slug[] {
  return rows.map((row) => row.slug)
}
