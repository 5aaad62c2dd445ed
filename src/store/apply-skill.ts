import { isSelkieError } from '../base/errors.js'
import { signerOf } from '../bundle/lineage.js'
import type { ContentHash, Slug, Uid, VersionHash } from '../base/ids.js'
import { isAttestation, type Attestation } from '../keys/identity.js'
import { contentHash, decodeContent } from '../namespace/content.js'
import { refsOf, type Ref } from '../namespace/linked.js'
import type { Content } from '../namespace/skill.js'
import { isSlug, slugsLike } from '../namespace/slug.js'
import { toolBySlug } from '../namespace/tool.js'
import { isSignedVersion, versionHash, type Version } from '../namespace/version.js'
import type { Op } from './ops.js'
import type { SkillNotice, StoredSkill } from './rows.js'
import type { Table } from './table.js'

type SkillOp = Extract<
  Op,
  { type: 'save' | 'rename' | 'delete' | 'restore' | 'enable' | 'advertise' | 'publish' }
>

/**
 * Folds an op about one skill into the view.
 *
 * @returns whether it was sound
 */
export async function applySkill(view: Table, op: SkillOp): Promise<boolean> {
  if (op.type === 'save') return save(view, op)
  const row = await view.get('skill', op.uid)
  if (!row) return false
  // One that another stands in for doesn’t come back beside it.
  if (!(await view.get('alias', op.uid))) await change(view, row, op)
  return op.type !== 'rename' || isSlug(op.slug)
}

async function change(view: Table, row: StoredSkill, op: Exclude<SkillOp, { type: 'save' }>): Promise<void> {
  switch (op.type) {
    case 'rename':
      if (!row.deleted && isSlug(op.slug)) await rename(view, row, op.slug)
      return
    case 'delete':
      if (row.deleted) return
      if (await isMentioned(view, row.uid)) return notice(view, 'kept', row.uid, row.slug)
      return bury(view, row)
    case 'restore':
      return revive(view, row.uid)
    case 'enable':
      return view.put('skill', { ...row, enabled: op.enabled }, row.uid)
    case 'advertise':
      return view.put('skill', { ...row, advertised: op.advertised }, row.uid)
    case 'publish':
      if (row.deleted || !(await isPast(view, row.heads, op.version))) return
      return view.put('skill', { ...row, published: op.version }, row.uid)
  }
}

async function save(view: Table, op: Extract<Op, { type: 'save' }>): Promise<boolean> {
  const { version } = op
  const content = readContent(op.content)
  if (!content || version.content !== contentHash(op.content)) return false
  if (!(await isAuthentic(view, version)) || !isSlug(op.slug)) return false
  const refs = refsOf(content.body)
  // What was made of a skill before another came to stand in for it is an edit of that one.
  const uid = await target(view, version.uid)
  if (!(await allKnown(view, refs, uid))) return false

  const hash = versionHash(version)
  const known = (await view.get('version', hash)) !== undefined
  await view.put('version', version, hash)
  await view.putContent(version.content, op.content)

  const row = await view.get('skill', uid)
  // It came already, as the past of what someone made of it.
  if (row && known && (await isPast(view, row.heads, hash))) return true
  const apart = (row?.heads ?? []).filter((head) => !version.parents.includes(head))
  const slug = row && !row.deleted ? row.slug : await free(view, row?.slug ?? op.slug)
  for (const mentioned of await targets(view, refs)) {
    const { deleted, slug: was } = (await view.get('skill', mentioned)) ?? {}
    if (deleted && was && mentioned !== uid) await notice(view, 'kept', mentioned, was)
  }
  await putSkill(view, row, {
    uid,
    slug,
    title: content.title,
    summary: content.summary,
    enabled: row?.enabled ?? true,
    advertised: row?.advertised ?? false,
    exec: row?.exec ?? true,
    head: hash,
    heads: [hash, ...apart],
    refs,
    deleted: false,
    published: row?.published ?? null,
    versions: (row?.versions ?? 0) + (known ? 0 : 1)
  })
  // Whoever saved it took the slug for free, and saw everything that was there.
  if (!row && slug !== op.slug) await notice(view, 'slug', uid, op.slug)
  if (row && !version.parents.includes(row.head)) await notice(view, 'diverged', uid, row.head)
  return true
}

/**
 * Puts a row in the place of the one before it, with all that is kept beside it: its
 * slug, whom it mentions, and the life of whom it mentions.
 */
export async function putSkill(
  view: Table,
  before: StoredSkill | undefined,
  row: StoredSkill
): Promise<void> {
  const was = before?.deleted === false ? before : undefined
  const mentioned = new Set(was && (await targets(view, was.refs)))
  const mentions = new Set(row.deleted ? [] : await targets(view, row.refs))
  if (was && was.slug !== row.slug) await view.del('slug', was.slug)
  for (const uid of mentioned) if (!mentions.has(uid)) await view.del('mention', uid, row.uid)
  await view.put('skill', row, row.uid)
  if (row.deleted) return
  // What stays as it was isn’t written again: each row that is costs a block of the view.
  if (was?.slug !== row.slug) await view.put('slug', row.uid, row.slug)
  for (const uid of mentions) {
    if (!mentioned.has(uid)) await view.put('mention', null, uid, row.uid)
    if (uid !== row.uid) await revive(view, uid)
  }
}

/** What a person is told once: it came out otherwise than they had it. */
export async function notice(view: Table, kind: SkillNotice['kind'], uid: Uid, was: string): Promise<void> {
  await view.put('notice', { kind, uid, was }, kind, uid)
}

/** Brings a deleted skill back, with all that it mentions; of a live one, nothing changes. */
export async function revive(view: Table, uid: Uid): Promise<void> {
  const row = await view.get('skill', uid)
  if (!row?.deleted) return
  await putSkill(view, row, { ...row, deleted: false, slug: await free(view, row.slug) })
}

/** The slug, or the first free one after it. */
export async function free(view: Table, wanted: Slug): Promise<Slug> {
  const slugs = slugsLike(wanted)
  for (;;) {
    const slug = slugs.next().value
    if (!toolBySlug(slug) && (await view.get('slug', slug)) === undefined) return slug
  }
}

/** Keeps contents where all of them are well-formed, and says whether they are. */
export async function storeContents(view: Table, contents: readonly Uint8Array[]): Promise<boolean> {
  if (!contents.every(readContent)) return false
  for (const encoded of contents) await view.putContent(contentHash(encoded), encoded)
  return true
}

/** The content of bytes, or undefined where they are none. */
export function readContent(encoded: Uint8Array): Content | undefined {
  try {
    return decodeContent(encoded)
  } catch (error) {
    if (isSelkieError(error)) return undefined
    throw error
  }
}

/** The content that a hash names, among these bytes or in the view. */
export async function contentOf(
  view: Table,
  hash: ContentHash,
  beside: ReadonlyMap<ContentHash, Content>
): Promise<Content | undefined> {
  const here = beside.get(hash)
  if (here) return here
  const encoded = await view.content(hash)
  return encoded && readContent(encoded)
}

/**
 * Whether a version is signed by its device, and the device attested by its author: as
 * is known already, or as `vouched` says, by {@link signerOf}.
 */
export async function isAuthentic(
  view: Table,
  version: Version,
  vouched: ReadonlySet<string> = new Set()
): Promise<boolean> {
  const attested =
    vouched.has(signerOf(version)) ||
    (await view.get('attestation', version.author, version.device)) !== undefined
  return attested && isSignedVersion(version)
}

/** The attestation, kept where its root has signed it. */
export async function putAttestation(view: Table, attestation: Attestation): Promise<boolean> {
  if (!isAttestation(attestation)) return false
  await view.put('attestation', attestation, attestation.identity, attestation.device)
  return true
}

/** The uid that a received uid stands for here. */
export async function target(view: Table, uid: Uid): Promise<Uid> {
  return (await view.get('alias', uid))?.to ?? uid
}

/** Whether a version is one of these or of those that they follow, as far as they are known. */
export async function isPast(view: Table, of: readonly VersionHash[], hash: VersionHash): Promise<boolean> {
  const past = new Set(of)
  // A set goes on iterating over what is added meanwhile.
  for (const each of past) {
    if (each === hash) return true
    for (const parent of (await view.get('version', each))?.parents ?? []) past.add(parent)
  }
  return false
}

async function targets(view: Table, refs: readonly Ref[]): Promise<Uid[]> {
  const uids = new Set<Uid>()
  for (const ref of refs) {
    if ('skill' in ref) uids.add(await target(view, ref.skill))
  }
  return [...uids]
}

/** Whether every reference is to a tool, to a skill that was ever here, or to `self`. */
async function allKnown(view: Table, refs: readonly Ref[], self: Uid): Promise<boolean> {
  for (const uid of await targets(view, refs)) {
    if (uid !== self && !(await view.get('skill', uid))) return false
  }
  return true
}

async function isMentioned(view: Table, uid: Uid): Promise<boolean> {
  for await (const { name } of view.all('mention', `${uid}/`)) {
    if (name !== `${uid}/${uid}`) return true
  }
  return false
}

async function bury(view: Table, row: StoredSkill): Promise<void> {
  await putSkill(view, row, { ...row, deleted: true })
  await view.del('slug', row.slug)
}

async function rename(view: Table, row: StoredSkill, wanted: Slug): Promise<void> {
  // A notice of a name that it was refused before is over: this is what it asks for now.
  const isNoticed = (await view.get('notice', 'slug', row.uid)) !== undefined
  if (row.slug === wanted) {
    if (isNoticed) await notice(view, 'slug', row.uid, wanted)
    return
  }
  await view.del('slug', row.slug)
  const slug = await free(view, wanted)
  if (slug !== wanted || isNoticed) await notice(view, 'slug', row.uid, wanted)
  await view.put('slug', row.uid, slug)
  await view.put('skill', { ...row, slug }, row.uid)
}
