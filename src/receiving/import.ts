import type { Decisions, Imported } from '../api.js'
import { SelkieError } from '../base/errors.js'
import type { ContentHash, VersionHash } from '../base/ids.js'
import type { Opened } from '../bundle/open.js'
import { shownContent } from '../editing/find.js'
import { invisibleIn } from '../namespace/invisible.js'
import type { SkillFile } from '../namespace/skill.js'
import type { Version } from '../namespace/version.js'
import { versionHash } from '../namespace/version.js'
import type { ImportedAlias, ImportedSkill, Op } from '../store/ops.js'
import type { BlobPointer, InboxRow, StoredSkill } from '../store/rows.js'
import type { Self } from '../store/self.js'
import { namedInbox, openWaiting } from './inbox.js'
import { planImport, type Planned } from './plan.js'
import { letGo } from './quarantine.js'
import { reviewDigest } from './review.js'
import { isUnrelated, standingsOf } from './standing.js'

/**
 * Accepts a bundle: exactly what its review showed, under these decisions. The same
 * sealed bytes are opened again, and everything is written in one op or nothing is.
 * A bundle that is imported already changes nothing.
 *
 * @throws SelkieError E_INBOX_DONE, E_NOT_REVIEWED, E_REVIEW_STALE, E_UNRELATED, E_BLOCKED, what {@link planImport}
 *   refuses, and what opening refuses
 */
export async function acceptBundle(
  self: Self,
  typed: string,
  decisions: Decisions
): Promise<{ row: InboxRow; imported: Imported }> {
  return self.store.turn(async () => {
    const row = namedInbox(self, typed)
    const opened = await openWaiting(self, row)
    const standings = await standingsOf(self, opened)
    refuseUnseen(row, reviewDigest(self, opened, planImport(self.store, opened, standings, {})))
    const planned = planImport(self.store, opened, standings, decisions)
    refuseBlocked(planned)

    await self.store.append(await importOp(self, opened, planned, decisions))
    // Only what was taken over is let go: apply has the last word.
    const taken = self.store.memory.inbox.get(row.id)?.state === 'imported'
    if (!taken) throw new SelkieError('E_REVIEW_STALE', { id: row.id.slice(0, 8) })
    await letGo(self, row)
    const imported = planned.map(({ skill, status, slug }) => ({
      incoming: skill.slug,
      // An import made elsewhere meanwhile may have taken the slug: what it got is what counts.
      slug: status === 'dropped' ? slug : self.store.namespace.slugOf(skill.uid),
      status
    }))
    return { row, imported: { id: row.id, imported } }
  })
}

function refuseUnseen(row: InboxRow, digest: string): void {
  const id = row.id.slice(0, 8)
  if (row.seen === null) throw new SelkieError('E_NOT_REVIEWED', { id })
  if (row.seen !== digest) throw new SelkieError('E_REVIEW_STALE', { id })
}

function refuseBlocked(planned: readonly Planned[]): void {
  const coming = planned.filter(
    ({ status }) => status !== 'dropped' && status !== 'mine' && status !== 'same'
  )
  const named = (plans: readonly Planned[]): string => plans.map(({ skill }) => `“${skill.slug}”`).join(', ')
  const unrelated = coming.filter(({ standing }) => isUnrelated(standing))
  if (unrelated.length > 0) throw new SelkieError('E_UNRELATED', { skills: named(unrelated) })
  const unseen = coming.filter(({ content }) => invisibleIn(content).length > 0)
  if (unseen.length > 0) {
    throw new SelkieError('E_BLOCKED', {
      skills: named(unseen),
      why: 'invisible or direction-changing characters'
    })
  }
}

async function importOp(
  self: Self,
  opened: Opened,
  planned: readonly Planned[],
  decisions: Decisions
): Promise<Extract<Op, { type: 'import' }>> {
  const kept = planned.filter(({ status }) => status !== 'dropped')
  const coming = kept.filter(({ status }) => status !== 'mine' && status !== 'same')
  const versions = new Map<VersionHash, Version>()
  const contents = new Map<ContentHash, Uint8Array>()
  for (const { skill } of kept) {
    for (const version of skill.versions) versions.set(versionHash(version), version)
    contents.set(skill.content, opened.contents.get(skill.content)!.bytes)
  }
  return {
    type: 'import',
    bundle: opened.id,
    skills: await Promise.all(coming.map((plan) => importedSkill(self, plan, decisions))),
    versions: [...versions.values()],
    attestations: opened.manifest.attestations,
    aliases: aliasesOf(self, opened, planned),
    blobs: await putFiles(self, opened, coming),
    contents: [...contents.values()]
  }
}

async function importedSkill(
  self: Self,
  { skill, content, standing, slug, status }: Planned,
  decisions: Decisions
): Promise<ImportedSkill> {
  const local = standing.kind === 'new' ? undefined : standing.local
  const programs = content.files.filter((file) => file.exec)
  return {
    uid: local?.uid ?? skill.uid,
    slug,
    head: skill.head,
    over: local?.head ?? null,
    beside: status === 'diverged',
    exec: programs.length > 0 && (decisions.exec === true || (await areAgreedTo(self, local, programs))),
    advertised: false
  }
}

/** Whether programs are executable here already, byte for byte: then nothing new is let in. */
async function areAgreedTo(
  self: Self,
  local: StoredSkill | undefined,
  programs: readonly SkillFile[]
): Promise<boolean> {
  if (!local?.exec) return false
  const shown = await shownContent(self.store, local)
  const agreed = new Set(shown.files.filter(({ exec }) => exec).map(({ hash }) => hash))
  return programs.every(({ hash }) => agreed.has(hash))
}

/** Stand-ins of one's own, and the aliases that the sender's bodies already use. */
function aliasesOf(
  { store: { namespace } }: Self,
  { manifest }: Opened,
  planned: readonly Planned[]
): ImportedAlias[] {
  const aliases: ImportedAlias[] = []
  for (const { skill, status, standIn } of planned) {
    if (standIn && status !== 'dropped') aliases.push({ from: skill.uid, to: standIn.uid, seen: skill.head })
  }
  const byUid = new Map(planned.map((plan) => [plan.skill.uid, plan]))
  for (const { from, to } of manifest.aliases) {
    if (namespace.isLive(from)) continue
    const { skill, status, standIn } = byUid.get(to)!
    const local = standIn?.uid ?? namespace.uidOf(to)
    if (status !== 'dropped') aliases.push({ from, to: local, seen: skill.head })
    else if (namespace.isLive(to)) aliases.push({ from, to: local, seen: namespace.row(to)!.head })
  }
  return aliases
}

/** Keeps the files of what comes in; those that are here already aren't kept twice. */
async function putFiles(self: Self, opened: Opened, coming: readonly Planned[]): Promise<BlobPointer[]> {
  const hashes = new Set(coming.flatMap(({ content }) => content.files.map(({ hash }) => hash)))
  const pointers: BlobPointer[] = []
  for (const hash of hashes) {
    if (await self.store.view.get('blob', hash)) continue
    pointers.push(await self.store.blobs.put(opened.files.get(hash)!))
  }
  return pointers
}
