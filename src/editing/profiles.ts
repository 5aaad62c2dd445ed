import type { BindTo, ProfileShown } from '../agent-api.js'
import { SelkieError, isSelkieError } from '../base/errors.js'
import type { Uid, VersionHash } from '../base/ids.js'
import { checkedName } from '../base/name.js'
import { hash, toHex, utf8 } from '../keys/sodium.js'
import { slugOf } from '../namespace/slug.js'
import { MAX_BINDINGS } from '../store/ops.js'
import type { Binding, ProfileRow, StoredSkill } from '../store/rows.js'
import type { Self } from '../store/self.js'
import type { Store } from '../store/store.js'
import { contentHere, liveSkill, namedVersion } from './find.js'

/**
 * Makes a profile, that binds nothing yet.
 *
 * @throws SelkieError E_PROFILE_NAME, E_PROFILE_EXISTS where there is one of that name in any case
 */
export async function newProfile({ store }: Self, typed: string): Promise<ProfileShown> {
  const name = profileName(typed)
  const profile = idOf(name)
  return store.turn(async () => {
    const row = liveProfile(store, profile)
    if (row) throw new SelkieError('E_PROFILE_EXISTS', { name: row.name })
    await store.append({ type: 'profile', profile, name })
    return profileShown(store, profileOf(store, name))
  })
}

/**
 * Binds a skill in a profile: to whatever is its newest version, to its published one, or
 * to one version, named by at least four digits. What the profile bound it to before goes.
 *
 * @throws SelkieError E_PROFILE_UNKNOWN, E_PROFILE_FULL, E_SLUG_UNKNOWN, E_SLUG_TOOL,
 *   E_VERSION_UNKNOWN, E_VERSION_AWAY
 */
export async function bindProfile(
  { store }: Self,
  typed: string,
  slug: string,
  to: BindTo
): Promise<ProfileShown> {
  return store.turn(async () => {
    const { id, name, bindings } = profileOf(store, typed)
    const skill = liveSkill(store, slug)
    const before = bindings.find(({ uid }) => uid === skill.uid)
    if (!before && bindings.length >= MAX_BINDINGS)
      throw new SelkieError('E_PROFILE_FULL', { name, limit: MAX_BINDINGS })
    const known = await knownVersion(store, skill, to)
    if (!before || !isSame(before.to, known))
      await store.append({ type: 'bind', profile: id, name, uid: skill.uid, to: known })
    return profileShown(store, profileOf(store, name))
  })
}

/**
 * Takes a skill out of a profile; a deleted one by its last slug.
 *
 * @throws SelkieError E_PROFILE_UNKNOWN, E_SLUG_FORM, E_NOT_BOUND
 */
export async function unbindProfile(
  { store }: Self,
  typed: string,
  typedSlug: string
): Promise<ProfileShown> {
  const slug = slugOf(typedSlug)
  return store.turn(async () => {
    const { id, name, bindings } = profileOf(store, typed)
    const called = bindings.filter(({ uid }) => store.namespace.slugOf(uid) === slug)
    // A deleted skill may have had the slug that another has now.
    const bound = called.find(({ uid }) => store.namespace.isLive(uid)) ?? called[0]
    if (!bound) throw new SelkieError('E_NOT_BOUND', { name, slug })
    await store.append({ type: 'unbind', profile: id, uid: bound.uid })
    return profileShown(store, profileOf(store, name))
  })
}

/**
 * Deletes a profile, and gives it as it was.
 *
 * @throws SelkieError E_PROFILE_UNKNOWN
 */
export async function deleteProfile({ store }: Self, typed: string): Promise<ProfileShown> {
  return store.turn(async () => {
    const row = profileOf(store, typed)
    const shown = await profileShown(store, row)
    const { bindings } = store.memory.profiles.get(row.id)!
    await store.append({ type: 'profile-delete', profile: row.id, seen: bindings })
    return shown
  })
}

/** The profiles as a person sees them, in the order of their names. */
export async function profilesShown({ store }: Self): Promise<ProfileShown[]> {
  return Promise.all(profileRows(store).map((row) => profileShown(store, row)))
}

/** The profiles in the order of their names, each skill by the uid that it has here now. */
export function profileRows(store: Store): ProfileRow[] {
  const rows = [...store.memory.profiles.values()].filter(({ deleted }) => !deleted)
  rows.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
  return rows.map((row) => resolved(store, row))
}

/**
 * The profile of a name, in any case.
 *
 * @throws SelkieError E_PROFILE_NAME, E_PROFILE_UNKNOWN
 */
export function profileOf(store: Store, typed: string): ProfileRow {
  const name = profileName(typed)
  const row = liveProfile(store, idOf(name))
  if (!row) throw new SelkieError('E_PROFILE_UNKNOWN', { name })
  return resolved(store, row)
}

/** Two that were bound may be one skill since: what was bound last counts. */
function resolved({ namespace }: Store, row: ProfileRow): ProfileRow {
  const bindings = new Map<Uid, Binding>()
  for (const { uid, to } of row.bindings)
    bindings.set(namespace.uidOf(uid), { uid: namespace.uidOf(uid), to })
  return { ...row, bindings: [...bindings.values()] }
}

/**
 * The version that a binding gives now; null where the skill is deleted, nothing of it is
 * published, or the text of that version isn’t here.
 */
export async function boundVersion(store: Store, { uid, to }: Binding): Promise<VersionHash | null> {
  const row = store.namespace.row(uid) as StoredSkill | undefined
  if (!row || row.deleted) return null
  if (to === 'latest') return row.head
  const hash = to === 'published' ? row.published : to.version
  const version = hash && (await store.view.get('version', hash))
  return version && (await store.view.content(version.content)) ? hash : null
}

/** A profile as a person sees it, its skills in the order of their slugs. */
async function profileShown(store: Store, { name, bindings }: ProfileRow): Promise<ProfileShown> {
  const shown = await Promise.all(
    bindings.map(async (binding) => ({
      slug: store.namespace.slugOf(binding.uid),
      to: binding.to,
      version: await boundVersion(store, binding)
    }))
  )
  return { name, bindings: shown.sort((a, b) => (a.slug < b.slug ? -1 : 1)) }
}

function liveProfile({ memory }: Store, id: string): ProfileRow | undefined {
  const row = memory.profiles.get(id)
  return row?.deleted ? undefined : row
}

function profileName(typed: string): string {
  try {
    return checkedName(typed.normalize('NFC'))
  } catch (error) {
    // What that says next is about the name of a person.
    throw isSelkieError(error, 'E_NAME') ? new SelkieError('E_PROFILE_NAME', error.fields) : error
  }
}

/** By this device, so that what it is doesn’t depend on which letters another’s system knows. */
function idOf(name: string): string {
  return toHex(hash('selkie/profile/v1', utf8(name.toLowerCase())).subarray(0, 16))
}

async function knownVersion(store: Store, row: StoredSkill, to: BindTo): Promise<Binding['to']> {
  if (to === 'latest' || to === 'published') return to
  const named = await namedVersion(store, row, to.version)
  await contentHere(store, row, named.hash)
  return { version: named.hash }
}

function isSame(a: Binding['to'], b: Binding['to']): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && a.version === b.version)
}
