import type { Saved } from '../api.js'
import { SelkieError } from '../base/errors.js'
import type { Slug, Uid, VersionHash } from '../base/ids.js'
import { MAX_BODY, MAX_PARENTS, MAX_SUMMARY, MAX_TITLE } from '../base/limits.js'
import { toHex } from '../keys/sodium.js'
import { contentHash, encodeContent } from '../namespace/content.js'
import { asHandles } from '../namespace/as-handles.js'
import { invisibleIn } from '../namespace/invisible.js'
import { linked, refsOf, type LinkedBody, type Ref } from '../namespace/linked.js'
import type { Content } from '../namespace/skill.js'
import { freeSlug } from '../namespace/slug.js'
import { slugFromTitle } from '../namespace/slug-from-title.js'
import { signVersion, type Version } from '../namespace/version.js'
import type { StoredSkill } from '../store/rows.js'
import { seconds, type Self } from '../store/self.js'
import type { Store } from '../store/store.js'
import { contentHere, didYouMean, liveSkill, namedVersion, shownContent } from './find.js'
import { saved, slugHere } from './present.js'

/**
 * Saves a new skill under the slug that its title gives, or the first free one after it.
 *
 * @throws SelkieError E_TITLE_EMPTY, E_TEXT_LIMIT, E_MENTIONS
 */
export async function createSkill(
  self: Self,
  { title, summary, body }: { title: string; summary: string; body: string }
): Promise<Saved> {
  return self.store.turn(async () => {
    const { namespace } = self.store
    const uid = toHex(self.clock.random(16)) as Uid
    const slug = freeSlug(slugFromTitle(title), (wanted) => namespace.isTaken(wanted))
    // A skill may mention itself, by the slug that it is about to get.
    const own = { slug, uid }
    const content = checked(self.store, { title, summary, body, files: [], header: null }, own)
    return saveVersion(self, { uid, slug, content, parents: [] })
  })
}

/**
 * Saves a change to a skill as a new version; what is left out stays. Without any
 * difference nothing is saved.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_TITLE_EMPTY, E_TEXT_LIMIT, E_MENTIONS,
 *   E_EDIT_STALE when `base` is no longer what is shown
 */
export async function editSkill(
  self: Self,
  typed: string,
  change: { title?: string; summary?: string; body?: string; base?: string }
): Promise<Saved> {
  return self.store.turn(async () => {
    const row = liveSkill(self.store, typed)
    if (change.base !== undefined && change.base !== row.head)
      throw new SelkieError('E_EDIT_STALE', { slug: row.slug })
    const before = await shownContent(self.store, row)
    const draft = {
      title: change.title ?? before.title,
      summary: change.summary ?? before.summary,
      body: change.body ?? before.body,
      files: before.files,
      header: before.header
    }
    const content = checked(self.store, draft, row)
    return saveVersion(self, { uid: row.uid, slug: row.slug, content, parents: [row.head], row })
  })
}

/**
 * Makes the content of an earlier version the newest again. What had diverged is
 * settled by it: the new version follows every head.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_VERSION_UNKNOWN, E_VERSION_AWAY, E_DANGLES
 */
export async function restoreVersion(self: Self, typed: string, version: string): Promise<Saved> {
  return self.store.turn(async () => {
    const row = liveSkill(self.store, typed)
    const named = await namedVersion(self.store, row, version)
    const content = await contentHere(self.store, row, named.hash)
    for (const { hash } of content.files) {
      if (!(await self.store.view.get('blob', hash))) {
        throw new SelkieError('E_VERSION_AWAY', { slug: row.slug, version: named.hash.slice(0, 12) })
      }
    }
    refuseDangling(self.store, refsOf(content.body))
    refuseInvisible(self, row, named.version, content)
    const files = await filesAgreedTo(self, row, named.version, content.files)
    return saveVersion(self, {
      uid: row.uid,
      slug: row.slug,
      content: { ...content, files },
      parents: row.heads.slice(0, MAX_PARENTS),
      row
    })
  })
}

/**
 * The files of a version as they may become this person's own: where exec bits are
 * honoured, what someone else made executable stays so only if it was already.
 */
export async function filesAgreedTo(
  self: Self,
  row: StoredSkill,
  { author }: Version,
  files: Content['files']
): Promise<Content['files']> {
  if (author === self.identity || !row.exec) return files
  const shown = await shownContent(self.store, row)
  const agreed = new Set(shown.files.filter(({ exec }) => exec).map(({ hash }) => hash))
  return files.map((file) => (file.exec && !agreed.has(file.hash) ? { ...file, exec: false } : file))
}

/** Refuses what someone else wrote with characters in it that nobody sees, as a review would. */
export function refuseInvisible(
  self: Self,
  { slug }: StoredSkill,
  { author }: Version,
  content: Content
): void {
  if (author !== self.identity && invisibleIn(content).length > 0)
    throw new SelkieError('E_INVISIBLE', { slug })
}

/** Refuses references to skills that are deleted, or that never came. */
export function refuseDangling(store: Store, refs: readonly Ref[]): void {
  const gone = refs.flatMap((ref) =>
    'skill' in ref && !store.namespace.isLive(ref.skill) ? [ref.skill] : []
  )
  if (gone.length > 0) {
    throw new SelkieError('E_DANGLES', { mentions: asHandles(gone.map((uid) => slugHere(store, uid))) })
  }
}

interface Draft {
  title: string
  summary: string
  body: string | LinkedBody
  files: Content['files']
  header: string | null
}

/** The draft as a content: within the limits, its mentions linked, each of them usable. */
export function checked(store: Store, draft: Draft, own?: { slug: Slug; uid: Uid }): Content {
  const title = oneLine(draft.title)
  const summary = oneLine(draft.summary)
  if (!title || !summary) throw new SelkieError('E_TITLE_EMPTY')
  refuseLonger('title', [...title].length, MAX_TITLE, 'characters')
  refuseLonger('summary', [...summary].length, MAX_SUMMARY, 'characters')
  const content = { title, summary, files: draft.files, header: draft.header }
  if (typeof draft.body !== 'string') return { ...content, body: draft.body }

  const text = draft.body.replace(/\r\n?/g, '\n')
  refuseLonger('body', Buffer.byteLength(text), MAX_BODY, 'bytes')
  const { namespace } = store
  const { body, unknown } = linked(text, (slug) =>
    own?.slug === slug ? { skill: own.uid } : namespace.refOf(slug)
  )
  const isDisabled = (uid: Uid): boolean => namespace.uidOf(uid) !== own?.uid && !namespace.row(uid)!.enabled
  const disabled = refsOf(body).filter((ref) => 'skill' in ref && isDisabled(ref.skill))
  const unusable = [
    ...unknown.map((slug) => `@${slug}`),
    ...namespace.slugsOf(disabled).map((slug) => `@${slug} (disabled)`)
  ]
  if (unusable.length > 0) {
    throw new SelkieError('E_MENTIONS', { mentions: unusable.join(', '), near: didYouMean(store, unknown) })
  }
  return { ...content, body }
}

/** Signs a content as the next version of a skill and appends it; one that changes nothing isn’t. */
export async function saveVersion(
  self: Self,
  draft: { uid: Uid; slug: Slug; content: Content; parents: readonly VersionHash[]; row?: StoredSkill }
): Promise<Saved> {
  const { store, identity, device, clock } = self
  const { uid, slug, parents, row } = draft
  const encoded = encodeContent(draft.content)
  const hash = contentHash(encoded)
  const unchanged = row && row.heads.length === parents.length && (await store.view.get('version', row.head))
  if (unchanged && row.heads.length === 1 && unchanged.content === hash) return saved(store, row)
  const version = signVersion(
    { uid, content: hash, parents, author: identity, device: device.signer.key, time: seconds(clock) },
    device.signer
  )
  await store.append({ type: 'save', slug, version, content: encoded })
  return saved(store, store.namespace.row(uid) as StoredSkill)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function refuseLonger(what: string, size: number, limit: number, unit: string): void {
  if (size > limit) {
    const or = what === 'body' ? ', or split it into several skills that mention each other' : ''
    throw new SelkieError('E_TEXT_LIMIT', { what, size: `${size} ${unit}`, limit: `${limit} ${unit}`, or })
  }
}
