import type { CheckReport, OnProgress } from '../api.js'
import type { ContentHash, Slug, Uid } from '../base/ids.js'
import { isAttestation } from '../keys/identity.js'
import { contentHash } from '../namespace/content.js'
import { refKey, refsOf } from '../namespace/linked.js'
import type { Content } from '../namespace/skill.js'
import { isSlug } from '../namespace/slug.js'
import { toolBySlug } from '../namespace/tool.js'
import { isSignedVersion, versionHash } from '../namespace/version.js'
import { readContent } from '../store/apply-skill.js'
import type { StoredSkill } from '../store/rows.js'
import type { Self } from '../store/self.js'
import type { Table } from '../store/table.js'

type Say = (code: string, message: string, slug?: Slug) => void

/**
 * Verifies the whole store against its invariants: every reference leads to a live
 * skill or a tool, slugs are well-formed and nobody has another's, what is noted beside
 * the skills agrees with them, every content and file is what its hash says, every
 * version is signed by a device that its author attested, and every note is a text that it
 * was given. What can be shown again must be there: the heads of every skill, deleted ones
 * too, and every version of one’s own. What seems wrong while the store is written to is
 * looked at once more, for it was seen half old and half new.
 */
export async function checkStore(self: Self, onProgress: OnProgress = () => {}): Promise<CheckReport> {
  const { store } = self
  let isOther: boolean
  const changed = (): void => void (isOther = true)
  store.on('change', changed)
  try {
    for (;;) {
      await store.settled()
      isOther = false
      const report = await lookThrough(self, onProgress)
      if (report.ok) return report
      await store.settled()
      if (!isOther) return report
    }
  } finally {
    store.off('change', changed)
  }
}

async function lookThrough(self: Self, onProgress: OnProgress): Promise<CheckReport> {
  const problems: CheckReport['problems'] = []
  const say: Say = (code, message, slug) => void problems.push({ code, message, ...(slug && { slug }) })
  const { view, namespace } = self.store
  const rows = [...namespace.all()] as StoredSkill[]
  const live = new Map<Slug, Uid>()
  for (const [i, row] of rows.entries()) {
    onProgress({ label: 'Checking skills', done: i, total: rows.length })
    if (!row.deleted) {
      await checkSlug(view, row, live, say)
      live.set(row.slug, row.uid)
    }
    await checkHeads(view, row, say)
    await checkText(self, row, say)
  }
  onProgress({ label: 'Checking skills', done: rows.length, total: rows.length })
  await checkIndexes(self, say)
  await checkAgent(self, say)
  const versions = await checkVersions(self, say)
  const files = await checkFiles(self, say, onProgress)
  return { ok: problems.length === 0, skills: live.size, versions, files, problems }
}

async function checkSlug(
  view: Table,
  row: StoredSkill,
  live: ReadonlyMap<Slug, Uid>,
  say: Say
): Promise<void> {
  const { slug, uid } = row
  if (!isSlug(slug) || toolBySlug(slug)) say('C_SLUG', 'Its slug isn’t one that a skill may have.', slug)
  if (live.has(slug)) say('C_SLUG_TWICE', 'Another live skill has the same slug.', slug)
  if ((await view.get('slug', slug)) !== uid) say('C_SLUG_INDEX', 'Its slug doesn’t lead to it.', slug)
  if (await view.get('alias', uid)) say('C_ALIAS', 'It is live, and another stands in for it.', slug)
}

/** The versions that stand beside the shown one. */
async function checkHeads(view: Table, { slug, head, heads }: StoredSkill, say: Say): Promise<void> {
  if (!heads.includes(head)) say('C_HEADS', 'The version that it shows is none of its newest.', slug)
  for (const beside of heads) {
    if (beside === head) continue
    const version = await view.get('version', beside)
    const name = beside.slice(0, 12)
    if (!version || !(await view.content(version.content))) {
      say('C_CONTENT_MISSING', `The text of its version ${name} is missing.`, slug)
    } else if (!(await contentNamed(view, version.content))) {
      say('C_CONTENT', `The text of its version ${name} isn’t what its hash says.`, slug)
    }
  }
}

/** The text that a skill shows, or that a deleted one would show again. */
async function checkText(
  { store: { view, namespace } }: Self,
  { slug, uid, head, refs: noted, deleted }: StoredSkill,
  say: Say
): Promise<void> {
  const version = await view.get('version', head)
  if (!version || !(await view.content(version.content))) {
    return say('C_CONTENT_MISSING', 'Its text is missing.', slug)
  }
  const content = await contentNamed(view, version.content)
  if (!content) return say('C_CONTENT', 'Its text isn’t what its hash says.', slug)
  for (const { path, hash } of content.files) {
    if (!(await view.get('blob', hash))) say('C_FILE_MISSING', `Its file ${path} is missing.`, slug)
  }
  const refs = refsOf(content.body)
  if (refs.map(refKey).join() !== noted.map(refKey).join()) {
    say('C_MENTIONS', 'What is noted of its mentions isn’t what its text says.', slug)
  }
  // What a deleted skill mentions may be deleted too.
  for (const ref of deleted ? [] : refs) {
    if (!('skill' in ref)) continue
    if (!namespace.isLive(ref.skill)) say('C_DANGLING', 'It mentions a skill that isn’t there.', slug)
    const mention = await view.get('mention', namespace.uidOf(ref.skill), uid)
    if (mention === undefined) say('C_MENTION_INDEX', 'A skill that it mentions doesn’t know of it.', slug)
  }
}

/** The content that a hash names, if it is here and is what the hash says. */
async function contentNamed(view: Table, hash: ContentHash): Promise<Content | undefined> {
  const encoded = await view.content(hash)
  return encoded && contentHash(encoded) === hash ? readContent(encoded) : undefined
}

/** That slugs, mentions and aliases lead to what is there, and to nothing else. */
async function checkIndexes({ store: { view, namespace } }: Self, say: Say): Promise<void> {
  for await (const { name, row } of view.all('slug')) {
    const skill = namespace.row(row)
    if (!skill || skill.deleted || skill.slug !== name) {
      say('C_SLUG_INDEX', 'The slug leads to a skill that doesn’t have it.', name as Slug)
    }
  }
  for await (const { name } of view.all('mention')) {
    const [target, by] = name.split('/') as [Uid, Uid]
    const skill = namespace.row(by)
    const mentions = skill?.refs.some((ref) => 'skill' in ref && namespace.uidOf(ref.skill) === target)
    if (!skill || skill.deleted || !mentions) {
      say('C_MENTION_INDEX', 'It is noted to mention a skill that it doesn’t.', skill?.slug)
    }
  }
  for await (const { name, row } of view.all('alias')) {
    const leads = (await view.get('skill', row.to)) && !(await view.get('alias', row.to))
    if (!leads) say('C_ALIAS', `What stands in for ${name.slice(0, 12)} isn’t a skill here.`)
  }
}

/** That notes and their revisions lead to each other, and that profiles bind what was ever here. */
async function checkAgent({ store: { view, namespace } }: Self, say: Say): Promise<void> {
  for await (const { name, row } of view.all('note')) {
    const revision = await view.get('revision', row.revision)
    if (row.id !== name || revision?.note !== name) {
      say('C_NOTE', `What the note ${name.slice(0, 12)} shows isn’t known as a text of it.`)
    }
  }
  for await (const { name, row } of view.all('revision')) {
    if (!(await view.get('note', row.note)))
      say('C_NOTE', `The note of the text ${name.slice(0, 12)} is missing.`)
  }
  for await (const { row } of view.all('profile')) {
    if (!row.bindings.every(({ uid }) => namespace.row(uid)))
      say('C_PROFILE', `The profile ${row.name} binds a skill that was never here.`)
  }
}

/** Every version is signed; of one’s own, the text is here. Gives their number. */
async function checkVersions({ identity, store: { view } }: Self, say: Say): Promise<number> {
  let versions = 0
  for await (const { name, row } of view.all('version')) {
    versions++
    const attestation = await view.get('attestation', row.author, row.device)
    const attested = attestation !== undefined && isAttestation(attestation)
    if (!attested || versionHash(row) !== name || !isSignedVersion(row)) {
      say('C_SIGNATURE', `Version ${name.slice(0, 12)} isn’t signed by its author.`)
    }
    if (row.author === identity && !(await contentNamed(view, row.content))) {
      say('C_VERSION_TEXT', `The text of your version ${name.slice(0, 12)} is missing or damaged.`)
    }
  }
  return versions
}

/** Every file is what its hash says. Gives their number. */
async function checkFiles({ store }: Self, say: Say, onProgress: OnProgress): Promise<number> {
  let files = 0
  for await (const { name, row } of store.view.all('blob')) {
    files++
    onProgress({ label: 'Checking files', done: files, total: files })
    if (!(await store.blobs.has(row)))
      say('C_FILE_AWAY', `The file ${name.slice(0, 12)} isn’t on this device.`)
    else if (!(await store.blobs.isWhole(row)))
      say('C_FILE', `The file ${name.slice(0, 12)} isn’t what its hash says.`)
  }
  return files
}
