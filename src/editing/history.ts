import type { LogEntry, VersionDiff } from '../api.js'
import type { IdentityKey, VersionHash } from '../base/ids.js'
import type { Content } from '../namespace/skill.js'
import type { Version } from '../namespace/version.js'
import { isoTime, type Self } from '../store/self.js'
import type { Store } from '../store/store.js'
import { ancestry, contentHere, contentOfVersion, lineageOf, liveSkill, named } from './find.js'
import { shownBody } from './present.js'
import { unifiedDiff } from './unified-diff.js'

/** The versions of a skill, newest first. */
export async function logOf(self: Self, typed: string): Promise<LogEntry[]> {
  const { store } = self
  const row = liveSkill(store, typed)
  const entries: LogEntry[] = []
  for (const { hash, version } of await lineageOf(store, row)) {
    const content = await contentOfVersion(store, version)
    entries.push({
      version: hash,
      parents: [...version.parents],
      author: authorName(self, version.author),
      identity: version.author,
      device: version.device,
      time: isoTime(version.time),
      title: content?.title ?? row.title,
      head: hash === row.head,
      published: hash === row.published,
      here: content !== undefined
    })
  }
  return entries
}

/** What an identity is called here: `you`, a contact’s name, or the beginning of its key. */
export function authorName(self: Self, identity: IdentityKey): string {
  if (identity === self.identity) return 'you'
  return self.store.memory.contacts.get(identity)?.name ?? identity.slice(0, 12)
}

/**
 * What changed from one version to another; unless named, to the newest, and from the
 * newest before it that is here: of what others made, not every step came along.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_VERSION_UNKNOWN, E_VERSION_AWAY
 */
export async function diffOf(self: Self, typed: string, from?: string, to?: string): Promise<VersionDiff> {
  const { store } = self
  const row = liveSkill(store, typed)
  const lineage = await lineageOf(store, row)
  const newer = named(lineage, row, to ?? row.head)
  const older = from === undefined ? await pastHere(store, newer.version) : named(lineage, row, from).hash
  const before = older === null ? undefined : await contentHere(store, row, older)
  const after = await contentHere(store, row, newer.hash)
  return {
    slug: row.slug,
    from: older,
    to: newer.hash,
    diff: textDiff(store, before, after),
    files: fileChanges(before, after)
  }
}

/** The newest version that one follows and whose text is here; null where there is none. */
async function pastHere(store: Store, { parents }: Version): Promise<VersionHash | null> {
  for (const { hash, version } of await ancestry(parents, (each) => store.view.get('version', each))) {
    if (await store.view.content(version.content)) return hash
  }
  return null
}

/** Unified diff of title, summary, header and body with the slugs of now; empty where they are the same. */
export function textDiff(store: Store, before: Content | undefined, after: Content): string {
  return unifiedDiff(
    before ? asText(before, shownBody(store, before)) : '',
    asText(after, shownBody(store, after))
  )
}

/** A content as one text, as a diff compares it: a header stands between lines of `---`. */
export function asText(content: Pick<Content, 'title' | 'summary' | 'header'>, body: string): string {
  const { title, summary, header } = content
  const between = header === null ? '' : `---\n${header}---\n`
  return `title: ${title}\nsummary: ${summary}\n${between}\n${body}`
}

/** Which files were added, removed or changed, exec bits included. */
export function fileChanges(before: Content | undefined, after: Content): VersionDiff['files'] {
  const old = new Map(before?.files.map((file) => [file.path, file]))
  const now = new Map(after.files.map((file) => [file.path, file]))
  const changes: VersionDiff['files'] = []
  for (const [path, file] of now) {
    const was = old.get(path)
    if (!was) changes.push({ path, change: 'added' })
    else if (was.hash !== file.hash || was.exec !== file.exec) changes.push({ path, change: 'changed' })
  }
  for (const path of old.keys()) if (!now.has(path)) changes.push({ path, change: 'removed' })
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1))
}
