import { SelkieError } from '../base/errors.js'
import type { Slug, VersionHash } from '../base/ids.js'
import { decodeContent } from '../namespace/content.js'
import type { Content } from '../namespace/skill.js'
import { slugOf } from '../namespace/slug.js'
import type { Version } from '../namespace/version.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'

/**
 * The live skill that a person named.
 *
 * @throws SelkieError E_SLUG_FORM, E_SLUG_UNKNOWN with near slugs, E_SLUG_TOOL
 */
export function liveSkill(store: Store, typed: string): StoredSkill {
  const slug = slugOf(typed)
  const resolved = store.namespace.resolve(slug)
  if (resolved?.kind === 'tool') throw new SelkieError('E_SLUG_TOOL', { slug })
  if (!resolved) throw unknownSlug(store, slug)
  return resolved.skill as StoredSkill
}

/** The error for a slug that names nothing, with what was deleted under it or is spelt like it. */
export function unknownSlug(store: Store, slug: Slug): SelkieError {
  const { length } = store.namespace.deleted().filter((row) => row.slug === slug)
  return new SelkieError('E_SLUG_UNKNOWN', {
    slug,
    near:
      length === 0
        ? didYouMean(store, [slug])
        : length === 1
          ? `It is deleted; \`selkie restore @${slug}\` brings it back. `
          : `${length} skills that were called so are deleted; \`selkie list --deleted\` shows them. `
  })
}

/** “Did you mean @a or @b? ” for slugs that name nothing; empty where nothing is near. */
export function didYouMean(store: Store, slugs: readonly Slug[]): string {
  const near = [...new Set(slugs.flatMap((slug) => store.namespace.near(slug)))].slice(0, 3)
  return near.length > 0 ? `Did you mean ${near.map((slug) => `@${slug}`).join(' or ')}? ` : ''
}

/** The content of a version, or undefined where its text isn’t here. */
export async function contentOfVersion(store: Store, version: Version): Promise<Content | undefined> {
  const encoded = await store.view.content(version.content)
  return encoded && decodeContent(encoded)
}

/** The content of the version of this hash, or undefined where it or its text isn’t here. */
export async function contentAt(store: Store, hash: VersionHash): Promise<Content | undefined> {
  const version = await store.view.get('version', hash)
  return version && contentOfVersion(store, version)
}

/** The content that a skill shows now. */
export async function shownContent(store: Store, row: StoredSkill): Promise<Content> {
  const content = await contentAt(store, row.head)
  if (!content) throw new SelkieError('E_STORE_DAMAGED', { slug: row.slug })
  return content
}

/**
 * The content of one version of a skill.
 *
 * @throws SelkieError E_VERSION_AWAY where its text isn’t here
 */
export async function contentHere(store: Store, row: StoredSkill, hash: VersionHash): Promise<Content> {
  const content = await contentAt(store, hash)
  if (!content) throw new SelkieError('E_VERSION_AWAY', { slug: row.slug, version: hash.slice(0, 12) })
  return content
}

/** A version under its hash. */
export interface Named {
  readonly hash: VersionHash
  readonly version: Version
}

/**
 * The version of a skill that a person named by the beginning of its hash, at least
 * four digits.
 *
 * @throws SelkieError E_VERSION_UNKNOWN where none or several begin so
 */
export async function namedVersion(store: Store, row: StoredSkill, typed: string): Promise<Named> {
  return named(await lineageOf(store, row), row, typed)
}

/** The one version of a lineage that a person named, as {@link namedVersion} takes it. */
export function named(lineage: readonly Named[], row: StoredSkill, typed: string): Named {
  const found = typed.length < 4 ? [] : lineage.filter(({ hash }) => hash.startsWith(typed))
  if (found.length !== 1) throw new SelkieError('E_VERSION_UNKNOWN', { slug: row.slug, version: typed })
  return found[0]!
}

/**
 * The known versions of a skill, newest first: no version comes before one that
 * follows it. What its aliases were judged by counts too.
 */
export async function lineageOf(store: Store, row: Pick<StoredSkill, 'uid' | 'heads'>): Promise<Named[]> {
  const starts = [...row.heads]
  for (const alias of store.namespace.aliasesOf(row.uid)) {
    const seen = (await store.view.get('alias', alias))?.seen
    if (seen) starts.push(seen)
  }
  return ancestry(starts, (hash) => store.view.get('version', hash))
}

/**
 * Versions and all that they follow, newest first and each once: children always
 * before their parents, else the later time first. Parents that aren't known end it.
 */
export async function ancestry(
  starts: readonly VersionHash[],
  find: (hash: VersionHash) => Promise<Version | undefined>
): Promise<Named[]> {
  const known = new Map<VersionHash, Version>()
  const children = new Map<VersionHash, number>()
  const queue = [...starts]
  for (const hash of queue) {
    if (known.has(hash)) continue
    const version = await find(hash)
    if (!version) continue
    known.set(hash, version)
    for (const parent of version.parents) {
      children.set(parent, (children.get(parent) ?? 0) + 1)
      queue.push(parent)
    }
  }
  const ready = [...known.keys()].filter((hash) => !children.get(hash))
  const ordered: Named[] = []
  while (ready.length > 0) {
    ready.sort((a, b) => known.get(b)!.time - known.get(a)!.time || (a < b ? -1 : 1))
    const hash = ready.shift()!
    const version = known.get(hash)!
    ordered.push({ hash, version })
    for (const parent of version.parents) {
      const left = children.get(parent)! - 1
      children.set(parent, left)
      if (left === 0 && known.has(parent)) ready.push(parent)
    }
  }
  return ordered
}
