import type { Review, ReviewedSkill, ReviewWarning } from '../api.js'
import type { IdentityKey, Uid } from '../base/ids.js'
import { encode } from '../base/msgpack.js'
import type { Opened } from '../bundle/open.js'
import { contentAt } from '../editing/find.js'
import { asText, authorName, fileChanges } from '../editing/history.js'
import { asSide } from '../editing/merge.js'
import { shownBody } from '../editing/present.js'
import { threeWay } from '../editing/three-way.js'
import { unifiedDiff } from '../editing/unified-diff.js'
import { hash, toHex } from '../keys/sodium.js'
import { refsOf, shown, type SlugOf } from '../namespace/linked.js'
import type { Content } from '../namespace/skill.js'
import { toolByName, type Tool } from '../namespace/tool.js'
import { versionHash } from '../namespace/version.js'
import type { InboxRow } from '../store/rows.js'
import { isoTime, type Self } from '../store/self.js'
import { admitOpened, namedInbox, openWaiting } from './inbox.js'
import { planImport, type Planned } from './plan.js'
import { blockedBy, noteWarnings, warningsOf } from './scan.js'
import { isUnrelated, standingsOf } from './standing.js'

/**
 * Opens a bundle of the inbox and shows what accepting it would do, without decisions.
 * That it was shown is noted: an approval counts for this and nothing else.
 *
 * @param isGranted whether anything of what a tool needs is granted on this device
 * @throws SelkieError E_DELIVERY_UNKNOWN, E_INBOX_DONE, E_INBOX_GONE, and what opening refuses
 */
export async function reviewBundle(self: Self, typed: string, isGranted: IsGranted): Promise<Review> {
  return self.store.turn(async () => {
    const arrived = namedInbox(self, typed)
    const opened = await openWaiting(self, arrived)
    const row = await admitOpened(self, arrived, opened)
    const planned = planImport(self.store, opened, await standingsOf(self, opened), {})
    const digest = reviewDigest(self, opened, planned)
    // Where nothing can be noted it can be looked at all the same.
    if (row.seen !== digest && !self.store.isBehind)
      await self.store.append({ type: 'seen', id: row.id, digest })
    return { ...(await assemble(self, row, opened, planned, digest)), tools: abilities(opened, isGranted) }
  })
}

/**
 * Names what a review shows: the payload, and for each skill its status, its slug, what
 * its mentions lead to and the version here that it was compared with. 64 hex digits.
 */
export function reviewDigest(self: Self, opened: Opened, planned: readonly Planned[]): string {
  const slugOf = slugsAfter(self, opened, planned)
  const skills = planned.map(({ skill, content, status, slug, standing }) => ({
    uid: skill.uid,
    status,
    slug,
    mentions: mentionsOf(content, slugOf),
    against: standing.kind === 'new' ? null : standing.local.head
  }))
  return toHex(hash('selkie/review/v1', encode({ id: opened.id, payload: opened.payloadHash, skills })))
}

async function assemble(
  self: Self,
  row: InboxRow,
  opened: Opened,
  planned: readonly Planned[],
  digest: string
): Promise<Omit<Review, 'tools'>> {
  const sender = self.store.memory.contacts.get(opened.sender)!
  const slugOf = slugsAfter(self, opened, planned)
  const skills: ReviewedSkill[] = []
  for (const plan of planned) skills.push(await reviewed(self, opened, plan, slugOf))
  return {
    id: row.id,
    sender: { name: sender.name, identity: sender.identity, verified: sender.verified },
    note: opened.manifest.note,
    root: row.root,
    created: new Date(opened.created).toISOString(),
    bytes: row.bytes,
    skills,
    warnings: [
      ...sequenceWarnings(row),
      ...noteWarnings(opened.manifest.note),
      ...meaningWarnings(self, opened, slugOf),
      ...planned.flatMap(({ skill, content }) => warningsOf(skill.slug, content, opened.files))
    ],
    blocked: planned.flatMap(blockedPlan),
    digest
  }
}

/** What is here byte for byte isn't taken in again, so nothing of it blocks. */
function blockedPlan({ skill, content, standing, status, slug }: Planned): ReviewWarning[] {
  if (status === 'same') return []
  const blocked = blockedBy(skill.slug, content)
  if (!isUnrelated(standing)) return blocked
  const message = `@${slug} goes by its id here and shares no version with it: what mentions it can’t mean both.`
  return [{ code: 'W_UNRELATED', message, skill: skill.slug }, ...blocked]
}

/** Whether anything of a kind is granted on this device. */
export type IsGranted = (kind: NonNullable<Tool['grant']>) => boolean

/** The tools that the bundle would bind. No tool is granted anything by being named. */
function abilities({ manifest }: Opened, isGranted: IsGranted): Review['tools'] {
  const tools = manifest.tools.map((name) => toolByName(name)!)
  return {
    needed: tools.map(({ slug }) => slug),
    missing: [],
    notGranted: tools.filter(({ grant }) => grant !== null && !isGranted(grant)).map(({ slug }) => slug)
  }
}

/** An older sequence number than was seen before is worth knowing, and decides nothing. */
function sequenceWarnings({ late }: InboxRow): ReviewWarning[] {
  const message = 'It was sealed before another bundle of this contact that came first.'
  return late ? [{ code: 'W_OLDER', message }] : []
}

/**
 * Where the sender’s bodies name a skill of the bundle by another id, and that is a
 * skill of its own here: they will be read as that one.
 */
function meaningWarnings(
  { store: { namespace } }: Self,
  { manifest }: Opened,
  slugOf: SlugOf
): ReviewWarning[] {
  const incoming = new Map(manifest.skills.map(({ uid, slug }) => [uid, slug]))
  return manifest.aliases
    .filter(({ from, to }) => namespace.isLive(from) && slugOf(from) !== slugOf(to))
    .map(({ from, to }) => {
      const skill = incoming.get(to)!
      const message = `Where its sender means it by another id, the texts that came say @${slugOf(from)} here.`
      return { code: 'W_OTHER_MEANING', message, skill }
    })
}

/** The slugs that references would show here if the bundle were accepted as planned. */
function slugsAfter(self: Self, { manifest }: Opened, planned: readonly Planned[]): SlugOf {
  const { namespace } = self.store
  const slugs = new Map(planned.map(({ skill, slug }) => [skill.uid, slug]))
  const targets = new Map(manifest.aliases.map(({ from, to }) => [from, to]))
  // An alias of the sender's that is a skill of its own here stays that.
  return (uid: Uid) =>
    slugs.get(uid) ?? (namespace.isLive(uid) ? namespace.slugOf(uid) : slugs.get(targets.get(uid)!)!)
}

async function reviewed(self: Self, opened: Opened, plan: Planned, slugOf: SlugOf): Promise<ReviewedSkill> {
  const { skill, content, standing, slug } = plan
  const { author } = opened.versions.get(skill.head)!
  const body = shown(content.body, slugOf)
  const here = standing.kind === 'new' ? undefined : await contentAt(self.store, standing.local.head)
  const changed = standing.kind !== 'new' && standing.kind !== 'same'
  const changes = new Map(changed ? fileChanges(here, content).map((file) => [file.path, file.change]) : [])
  const refs = refsOf(content.body)
  return {
    incoming: skill.slug,
    uid: skill.uid,
    slug,
    // Without decisions nothing is dropped and nothing replaced.
    status: plan.status as ReviewedSkill['status'],
    title: content.title,
    summary: content.summary,
    header: content.header,
    author: authorOf(self, author),
    lineage: lineageShown(self, plan),
    body,
    ...(changed &&
      here && { diff: unifiedDiff(asText(here, shownBody(self.store, here)), asText(content, body)) }),
    ...(standing.kind === 'diverged' && (await mergeShown(self, plan, here, body))),
    files: content.files.map((file) => {
      const change = changes.get(file.path)
      return { ...file, ...(change && { change }) }
    }),
    tools: refs.flatMap((ref) => ('tool' in ref ? [toolByName(ref.tool)!.slug] : [])),
    mentions: mentionsOf(content, slugOf)
  }
}

function mentionsOf({ body }: Content, slugOf: SlugOf): string[] {
  return refsOf(body).map((ref) => ('skill' in ref ? slugOf(ref.skill) : toolByName(ref.tool)!.slug))
}

function authorOf(self: Self, identity: IdentityKey): ReviewedSkill['author'] {
  const known = identity === self.identity || self.store.memory.contacts.has(identity)
  return { name: authorName(self, identity), identity, known }
}

function lineageShown(self: Self, { skill }: Planned): ReviewedSkill['lineage'] {
  return skill.versions.map((version) => ({
    version: versionHash(version),
    author: authorName(self, version.author),
    time: isoTime(version.time)
  }))
}

/** The three-way merge of what is here and what came, over the newest version that both have. */
async function mergeShown(
  self: Self,
  { content, standing }: Planned,
  here: Content | undefined,
  body: string
): Promise<Pick<ReviewedSkill, 'merge'>> {
  const base =
    standing.kind === 'diverged' && standing.base ? await contentAt(self.store, standing.base) : undefined
  if (!base || !here) return {}
  const { title, summary, header, files } = content
  const merged = threeWay(asSide(self.store, base), asSide(self.store, here), {
    title,
    summary,
    header,
    files,
    body
  })
  return { merge: { clean: merged.conflicts.length === 0, text: asText(merged, merged.body) } }
}
