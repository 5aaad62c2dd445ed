import type { Slug, Uid } from '../base/ids.js'
import type { Listed, Saved, Shown } from '../api.js'
import { shown } from '../namespace/linked.js'
import type { Content } from '../namespace/skill.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'

/** The live skills in the order of their slugs. */
export function listSkills(store: Pick<Store, 'namespace'>): Listed[] {
  return store.namespace.live().map((row) => listed(store, row as StoredSkill))
}

/** A skill as `list` shows it. */
export function listed(store: Pick<Store, 'namespace'>, row: StoredSkill): Listed {
  const { slug, uid, title, summary, enabled, advertised, head, versions } = row
  return {
    slug,
    uid,
    title,
    summary,
    enabled,
    advertised,
    mentions: store.namespace.slugsOf(row.refs),
    version: head,
    versions
  }
}

/** A skill as it is after it was saved. */
export function saved(store: Store, row: StoredSkill): Saved {
  const { uid, slug, title, summary, head } = row
  return { uid, slug, title, summary, version: head, mentions: store.namespace.slugsOf(row.refs) }
}

/** A skill with its text, as `show` gives it: with the slugs of now. */
export function shownSkill(store: Store, row: StoredSkill, version: string, content: Content): Shown {
  return {
    ...listed(store, row),
    title: content.title,
    summary: content.summary,
    body: shownBody(store, content),
    version,
    files: content.files.map((file) => ({ ...file })),
    diverged: row.heads.filter((head) => head !== row.head),
    deleted: row.deleted
  }
}

/** The body of a content with the slugs of now. */
export function shownBody(store: Store, content: Content): string {
  return shown(content.body, (uid) => slugHere(store, uid))
}

/**
 * The slug of a skill here; of one that never came, which an old version of a received
 * skill may mention, a name that nothing has.
 */
export function slugHere(store: Store, uid: Uid): Slug {
  return store.namespace.row(uid)?.slug ?? (`missing-${uid.slice(0, 8)}` as Slug)
}
