import type { ContentHash, Uid, VersionHash } from '../base/ids.js'
import { contentHash } from '../namespace/content.js'
import { refsOf } from '../namespace/linked.js'
import type { Content } from '../namespace/skill.js'
import { isSlug } from '../namespace/slug.js'
import { versionHash, type Version } from '../namespace/version.js'
import {
  contentOf,
  free,
  isAuthentic,
  putAttestation,
  putSkill,
  readContent,
  revive,
  target,
  withoutAncestors
} from './apply-skill.js'
import type { ImportedSkill, Op } from './ops.js'
import type { StoredSkill } from './rows.js'
import type { Table } from './table.js'

type ImportOp = Extract<Op, { type: 'import' }>

/**
 * Folds an import into the view: all of it, or, where anything in it is wrong, nothing.
 * A bundle that was imported before changes nothing, whoever approved it again.
 */
export async function applyImport(view: Table, op: ImportOp): Promise<void> {
  const inbox = op.bundle ? await view.get('inbox', op.bundle) : undefined
  if (op.bundle && inbox?.state !== 'waiting') return
  const incoming = await readImport(view, op)
  if (!incoming) return

  for (const attestation of op.attestations) await putAttestation(view, attestation)
  for (const [hash, encoded] of incoming.encoded) await view.putContent(hash, encoded)
  for (const [hash, version] of incoming.versions) await view.put('version', version, hash)
  for (const blob of op.blobs) {
    // The first pointer stays: the bytes are the same, and this device may hold them already.
    if (!(await view.get('blob', blob.hash))) await view.put('blob', blob, blob.hash)
  }
  for (const { from, to, seen } of op.aliases) await view.put('alias', { to, seen }, from)

  // Rows first and mentions after: the skills of an import may mention each other in a ring.
  const placed: { before: StoredSkill | undefined; row: StoredSkill }[] = []
  for (const skill of op.skills) {
    const before = await view.get('skill', skill.uid)
    const row = await place(view, skill, before, incoming)
    await view.put('skill', { ...row, refs: [] }, row.uid)
    await view.put('slug', row.uid, row.slug)
    placed.push({ before, row })
  }
  for (const { before, row } of placed) await putSkill(view, before, row)
  for (const { to } of op.aliases) await revive(view, to)
  if (inbox) await view.put('inbox', { ...inbox, state: 'imported' }, inbox.id)
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
  for (const version of op.versions) {
    if (!(await isAuthentic(view, version, op.attestations))) return undefined
    versions.set(versionHash(version), version)
  }
  const arriving = new Set<Uid>([...op.skills.map(({ uid }) => uid), ...op.aliases.map(({ from }) => from)])
  for (const skill of op.skills) {
    const version = versions.get(skill.head)
    const content = version && (await contentOf(view, version.content, contents))
    if (!content || !isSlug(skill.slug)) return undefined
    for (const ref of refsOf(content.body)) {
      if ('tool' in ref || arriving.has(ref.skill)) continue
      if (!(await view.get('skill', await target(view, ref.skill)))) return undefined
    }
  }
  for (const { to } of op.aliases) {
    if (!arriving.has(to) && !(await view.get('skill', to))) return undefined
  }
  return { versions, contents, encoded }
}

/** The row that an imported skill gets, beside or in the place of the one before. */
async function place(
  view: Table,
  skill: ImportedSkill,
  before: StoredSkill | undefined,
  { versions, contents }: Incoming
): Promise<StoredSkill> {
  const content = (await contentOf(view, versions.get(skill.head)!.content, contents))!
  const arrived = [...versions].filter(([, version]) => version.uid === skill.uid).map(([hash]) => hash)
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
      versions: arrived.length
    }
  }
  const slug = before.deleted ? await free(view, skill.slug) : before.slug
  // Whatever was saved here since the review stays what is shown.
  const beside = !before.deleted && (skill.beside || before.head !== skill.over)
  const ancestors = pastOf(skill.head, versions)
  const heads = withoutAncestors(before.heads, ancestors).filter((head) => head !== skill.head)
  const kept = { ...before, slug, deleted: false, versions: before.versions + arrived.length }
  if (beside) return { ...kept, heads: [...heads, skill.head] }
  return {
    ...kept,
    title: content.title,
    summary: content.summary,
    exec: skill.exec,
    head: skill.head,
    heads: [skill.head, ...heads],
    refs: refsOf(content.body)
  }
}

/** The versions that one follows, itself left out, as far as they came along. */
function pastOf(head: VersionHash, versions: ReadonlyMap<VersionHash, Version>): Set<VersionHash> {
  const past = new Set<VersionHash>(versions.get(head)?.parents)
  for (const hash of past) {
    for (const parent of versions.get(hash)?.parents ?? []) past.add(parent)
  }
  return past
}
