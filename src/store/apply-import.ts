import type { ContentHash, Uid, VersionHash } from '../base/ids.js'
import { signerOf } from '../bundle/lineage.js'
import { isAttestation } from '../keys/identity.js'
import { contentHash } from '../namespace/content.js'
import { refsOf } from '../namespace/linked.js'
import type { Content } from '../namespace/skill.js'
import { isSlug } from '../namespace/slug.js'
import { versionHash, type Version } from '../namespace/version.js'
import {
  contentOf,
  free,
  isAuthentic,
  isPast,
  notice,
  putAttestation,
  putSkill,
  readContent,
  revive,
  target
} from './apply-skill.js'
import type { ImportedAlias, ImportedSkill, Op } from './ops.js'
import type { StoredSkill } from './rows.js'
import type { Table } from './table.js'

type ImportOp = Extract<Op, { type: 'import' }>

/**
 * Folds an import into the view: all of it, or, where anything in it is wrong, nothing.
 * What came in before stays as it is, whoever approved it again; and who approved loses
 * nothing by one that declined.
 *
 * @returns whether it was sound
 */
export async function applyImport(view: Table, op: ImportOp): Promise<boolean> {
  const inbox = op.bundle ? await view.get('inbox', op.bundle) : undefined
  if (op.bundle && !inbox) return false
  const incoming = await readImport(view, op)
  if (!incoming) return false

  for (const attestation of op.attestations) await putAttestation(view, attestation)
  for (const [hash, encoded] of incoming.encoded) await view.putContent(hash, encoded)
  const fresh = new Set<VersionHash>()
  for (const [hash, version] of incoming.versions) {
    if (!(await view.get('version', hash))) fresh.add(hash)
    await view.put('version', version, hash)
  }
  const arrivals = (head: VersionHash): number => countArrivals(head, incoming.versions, fresh)
  for (const blob of op.blobs) {
    // The first pointer stays: the bytes are the same, and this device may hold them already.
    if (!(await view.get('blob', blob.hash))) await view.put('blob', blob, blob.hash)
  }
  const leading = op.aliases.length > 0 ? await aliasesByTarget(view) : new Map<Uid, Uid[]>()
  for (const alias of op.aliases) {
    await putAlias(view, alias, leading)
    const local = await view.get('skill', alias.to)
    if (local)
      await view.put('skill', { ...local, versions: local.versions + arrivals(alias.seen) }, local.uid)
  }

  // Rows first and mentions after: the skills of an import may mention each other in a ring.
  const placed = new Map<Uid, { before: StoredSkill | undefined; row: StoredSkill }>()
  for (const skill of op.skills) {
    const uid = await target(view, skill.uid)
    // Two that came may be one here: the second goes beside the first.
    const earlier = placed.get(uid)
    const before = earlier ? earlier.before : await view.get('skill', uid)
    const over = earlier?.row ?? before
    const row = await place(view, { ...skill, uid }, over, incoming, arrivals(skill.head))
    await view.put('skill', { ...row, refs: [] }, uid)
    await view.put('slug', uid, row.slug)
    placed.set(uid, { before, row })
  }
  for (const { before, row } of placed.values()) await putSkill(view, before, row)
  for (const skill of op.skills) await tellOf(view, skill, placed.get(await target(view, skill.uid))!)
  for (const { to } of op.aliases) await revive(view, await target(view, to))
  if (inbox) await view.put('inbox', { ...inbox, state: 'imported' }, inbox.id)
  return true
}

interface Incoming {
  readonly versions: ReadonlyMap<VersionHash, Version>
  readonly contents: ReadonlyMap<ContentHash, Content>
  readonly encoded: ReadonlyMap<ContentHash, Uint8Array>
}

/** The parts of an import, checked; undefined where anything is wrong with them. */
async function readImport(view: Table, op: ImportOp): Promise<Incoming | undefined> {
  const contents = new Map<ContentHash, Content>()
  const encoded = new Map<ContentHash, Uint8Array>()
  for (const bytes of op.contents) {
    const content = readContent(bytes)
    if (!content) return undefined
    contents.set(contentHash(bytes), content)
    encoded.set(contentHash(bytes), bytes)
  }
  const versions = new Map<VersionHash, Version>()
  const vouched = new Set(
    op.attestations
      .filter(isAttestation)
      .map(({ identity, device }) => signerOf({ author: identity, device }))
  )
  for (const version of op.versions) {
    if (!(await isAuthentic(view, version, vouched))) return undefined
    versions.set(versionHash(version), version)
  }
  const skills = new Set(op.skills.map(({ uid }) => uid))
  const aliases = new Map(op.aliases.map(({ from, to }) => [from, to]))
  const isHere = async (uid: Uid): Promise<boolean> =>
    skills.has(uid) || (await view.get('skill', await target(view, uid))) !== undefined
  for (const { uid, slug, head } of op.skills) {
    const version = versions.get(head)
    const content = version && (await contentOf(view, version.content, contents))
    if (!content || !isSlug(slug) || aliases.has(uid)) return undefined
    for (const ref of refsOf(content.body)) {
      if ('skill' in ref && !aliases.has(ref.skill) && !(await isHere(ref.skill))) return undefined
    }
  }
  for (const { to } of op.aliases) {
    if (aliases.has(to) || !(await isHere(to))) return undefined
  }
  return { versions, contents, encoded }
}

/**
 * Lets one skill stand in for another from now on: also for those that the other stood
 * in for. A skill that is live needs no other; the tombstone of one stays where it is.
 */
async function putAlias(
  view: Table,
  { from, to, seen }: ImportedAlias,
  leading: Map<Uid, Uid[]>
): Promise<void> {
  const isLive = (await view.get('skill', from))?.deleted === false
  const uid = await target(view, to)
  const known = await view.get('alias', from)
  // The first stays: what mentions it counts on that.
  if (isLive || uid === from || (known && known.to !== uid)) return
  const moved = leading.get(from) ?? []
  for (const name of moved) await view.put('alias', { ...(await view.get('alias', name))!, to: uid }, name)
  await view.put('alias', { to: uid, seen }, from)
  leading.delete(from)
  const names = leading.get(uid)
  if (names) names.push(...moved, from)
  else leading.set(uid, [...moved, from])
}

/** The aliases by what they lead to. */
async function aliasesByTarget(view: Table): Promise<Map<Uid, Uid[]>> {
  const leading = new Map<Uid, Uid[]>()
  for await (const { name, row } of view.all('alias')) {
    const to = leading.get(row.to)
    if (to) to.push(name as Uid)
    else leading.set(row.to, [name as Uid])
  }
  return leading
}

/** The row that an imported skill gets, beside or in the place of the one before. */
async function place(
  view: Table,
  skill: ImportedSkill,
  before: StoredSkill | undefined,
  { versions, contents }: Incoming,
  arrived: number
): Promise<StoredSkill> {
  const content = (await contentOf(view, versions.get(skill.head)!.content, contents))!
  if (!before) {
    return {
      uid: skill.uid,
      slug: await free(view, skill.slug),
      title: content.title,
      summary: content.summary,
      enabled: true,
      advertised: skill.advertised,
      exec: skill.exec,
      head: skill.head,
      heads: [skill.head],
      refs: refsOf(content.body),
      deleted: false,
      published: null,
      versions: arrived
    }
  }
  const slug = before.deleted ? await free(view, skill.slug) : before.slug
  const past = await pastIn(view, skill.head)
  const kept = { ...before, slug, deleted: false, versions: before.versions + arrived }
  // It came already, by itself or as the past of what someone made of it.
  if (!before.deleted && (await isPast(view, before.heads, skill.head))) return kept
  // Whatever was saved here since the review stays what is shown, but for what this one follows.
  const isAsReviewed = before.head === skill.over
  const isApart = isAsReviewed ? skill.beside : !past.has(before.head)
  if (!before.deleted && isApart) {
    return {
      ...kept,
      heads: [...before.heads.filter((head) => head === before.head || !past.has(head)), skill.head]
    }
  }
  const heads = before.heads.filter((head) => head !== skill.head && !past.has(head))
  return {
    ...kept,
    // What comes back from the dead comes as if it were new.
    ...(before.deleted && { enabled: true, advertised: skill.advertised }),
    title: content.title,
    summary: content.summary,
    exec: skill.exec,
    head: skill.head,
    heads: [skill.head, ...heads],
    refs: refsOf(content.body)
  }
}

/** Notes where a skill came in otherwise than the review said, for another device was quicker. */
async function tellOf(
  view: Table,
  skill: ImportedSkill,
  { before, row }: { before: StoredSkill | undefined; row: StoredSkill }
): Promise<void> {
  const { uid, slug, head, heads } = row
  if (!before && slug !== skill.slug) await notice(view, 'slug', uid, skill.slug)
  if (before && !skill.beside && head !== skill.head && heads.includes(skill.head))
    await notice(view, 'diverged', uid, head)
}

/** The versions that one follows, itself left out, as far as they are known. */
async function pastIn(view: Table, head: VersionHash): Promise<Set<VersionHash>> {
  const past = new Set((await view.get('version', head))?.parents)
  // A set goes on iterating over what is added meanwhile.
  for (const hash of past) {
    for (const parent of (await view.get('version', hash))?.parents ?? []) past.add(parent)
  }
  return past
}

/** How many of a head and its past are fresh; counted ones are fresh no more. */
function countArrivals(
  head: VersionHash,
  versions: ReadonlyMap<VersionHash, Version>,
  fresh: Set<VersionHash>
): number {
  return [head, ...pastOf(head, versions)].filter((hash) => fresh.delete(hash)).length
}

/** The versions that one follows, itself left out, as far as they came along. */
function pastOf(head: VersionHash, versions: ReadonlyMap<VersionHash, Version>): Set<VersionHash> {
  const past = new Set<VersionHash>(versions.get(head)?.parents)
  for (const hash of past) {
    for (const parent of versions.get(hash)?.parents ?? []) past.add(parent)
  }
  return past
}
