import type { Listed } from '../api.js'
import { SelkieError } from '../base/errors.js'
import type { Slug } from '../base/ids.js'
import { cut } from '../folders/names.js'
import { beginningOf } from '../namespace/beginning.js'
import type { StoredSkill } from '../store/rows.js'
import { isoTime } from '../store/self.js'
import type { Store } from '../store/store.js'
import { unknownSlug } from './find.js'
import { listed } from './present.js'

/** Most skills that a refusal names, and most characters of the title of each. */
const MOST_NAMED = 8
const MOST_CHARACTERS = 60

/** The deleted skills in the order of their slugs; of one slug, the one that was saved last first. */
export async function listDeleted(store: Store): Promise<Listed[]> {
  return timed(store, store.namespace.deleted() as StoredSkill[])
}

/**
 * The deleted skill that a person means by its last slug and, where several have had
 * that, by the first digits of its uid: at least four.
 *
 * @throws SelkieError E_RESTORE_WHICH where it may be more than one, E_RESTORE_UID,
 *   E_NOT_DELETED, E_SLUG_UNKNOWN
 */
export async function deletedSkill(store: Store, slug: Slug, uid = ''): Promise<StoredSkill> {
  const all = (store.namespace.deleted() as StoredSkill[]).filter((row) => row.slug === slug)
  if (all.length === 0) {
    if (store.namespace.resolve(slug)) throw new SelkieError('E_NOT_DELETED', { slug })
    throw unknownSlug(store, slug)
  }
  if (uid !== '' && uid.length < 4) throw new SelkieError('E_RESTORE_UID', { slug, uid })
  const meant = all.filter((row) => row.uid.startsWith(uid.toLowerCase()))
  if (meant.length === 0) throw new SelkieError('E_RESTORE_UID', { slug, uid })
  if (meant.length === 1) return meant[0]!
  throw new SelkieError('E_RESTORE_WHICH', { slug, count: meant.length, which: await named(store, meant) })
}

/** Skills as a person tells them apart. */
async function named(store: Store, rows: readonly StoredSkill[]): Promise<string> {
  const uids = rows.map(({ uid }) => uid)
  const names = (await timed(store, rows)).slice(0, MOST_NAMED).map(({ uid, title, time }) => {
    const saved = `${time!.slice(0, 19).replace('T', ' ')} UTC`
    return `${beginningOf(uid, uids)} “${cut(title.replace(/\s+/g, ' '), MOST_CHARACTERS)}”, last saved ${saved}`
  })
  const more = rows.length - names.length
  return names.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

async function timed(store: Store, rows: readonly StoredSkill[]): Promise<Listed[]> {
  const skills: Listed[] = []
  for (const row of rows) {
    const version = await store.view.get('version', row.head)
    if (!version) throw new SelkieError('E_STORE_DAMAGED', { slug: row.slug })
    skills.push({ ...listed(store, row), time: isoTime(version.time) })
  }
  // What is otherwise equal stays in the order of the uids, so that every device has the same.
  return skills.sort((a, b) => compare(a.slug, b.slug) || compare(b.time!, a.time!))
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
