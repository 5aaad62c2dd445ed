import type { AgentApi } from './agent-api.js'

export type * from './agent-api.js'

/** The part of the library about the namespace. */
export interface SkillsApi {
  create(skill: { title: string; summary: string; body: string }): Promise<Saved>
  /** What is left out stays. `base` is the version that the editor began from. */
  edit(
    slug: string,
    change: { title?: string; summary?: string; body?: string; base?: string }
  ): Promise<Saved>
  show(slug: string, version?: string): Promise<Shown>
  /** The skills, or instead of them the deleted ones: each as it was, `restore` takes its slug and uid. */
  list(options?: { deleted?: boolean }): Promise<Listed[]>
  /** One file of a skill; of the shown version unless one is named. */
  skillFile(slug: string, path: string, version?: string): Promise<SkillFileShown>
  rename(
    slug: string,
    to: string
  ): Promise<{ uid: string; from: string; slug: string; mentionedBy: string[] }>
  delete(slug: string): Promise<{ uid: string; slug: string }>
  /**
   * Brings a deleted skill back, or, with a version, makes that version's content the newest.
   * Of several that were deleted under the slug, the `uid` says which: its first digits, at least four.
   */
  restore(slug: string, version?: string, options?: { uid?: string }): Promise<Saved>
  log(slug: string): Promise<LogEntry[]>
  /** Points at a version as the published one; unless named, the shown one. */
  publish(slug: string, version?: string): Promise<{ uid: string; slug: string; version: string }>
  /** From one version to another; unless named, from the parent of the newest to the newest. */
  diff(slug: string, from?: string, to?: string): Promise<VersionDiff>
  /** The skills of which versions were made apart. */
  conflicts(): Promise<Conflict[]>
  /** Offers a merge of the version beside the shown one; saves it when told to. */
  merge(slug: string, options: { with?: string; save?: boolean; body?: string }): Promise<MergeResult>
  resolve(slug: string): Promise<Resolution>
  closure(slug: string): Promise<ClosureListing>
  toolsForPlan(slugs: string[]): Promise<string[]>
  setEnabled(slug: string, enabled: boolean): Promise<Switched>
  setAdvertised(slug: string, advertised: boolean): Promise<Listed>
  importFolders(paths: string[], onProgress?: OnProgress): Promise<FolderImport>
  exportFolders(slugs: string[], to: string, options: { closure: boolean }): Promise<FolderExport>
  check(onProgress?: OnProgress): Promise<CheckReport>
}

/**
 * What a node does for its shells. The CLI, and every later shell, speaks to this
 * interface and doesn't know whether the node runs in its own process or behind the
 * local socket: so every argument and every result is plain JSON. The result types are
 * the shapes that `--json` prints; names in them are promises.
 *
 * Slugs may be given with or without `@`, paths must be absolute, a contact is named by
 * its local name, its identity key or an unambiguous beginning of that key. Every
 * method rejects with a SelkieError.
 */
export interface NodeApi extends SkillsApi, AgentApi {
  status(): Promise<Status>
  /** Tells of the kinds of rows that change, as `skill` or `note`, until the signal aborts. */
  watch(onEvent: (event: { kinds: string[] }) => void, signal: AbortSignal): Promise<void>
  /**
   * Asks whoever holds the store for a while, offline, to let it go: someone wants to bring
   * it online. Those who watch are told the kind `give-way`.
   */
  giveWay(): Promise<void>

  // People
  /** Opens a one-time invite. The other side pairs with it within `expiresInSeconds`. */
  invite(options: { expiresInSeconds: number }): Promise<Invite>
  /** Waits until that invite was used, and by whom; rejects with E_INVITE_EXPIRED. */
  invited(invite: string): Promise<Contact>
  pair(invite: string): Promise<Contact>
  /** This person's own card, as text. */
  card(): Promise<{ card: string; name: string; identity: string }>
  /** Takes in a contact's card that came another way. */
  addCard(card: string): Promise<Contact>
  contacts(): Promise<Contact[]>
  contact(contact: string): Promise<Contact>
  /** Marks a contact as verified: the safety words were compared. */
  verify(contact: string, verified: boolean): Promise<Contact>
  forget(contact: string): Promise<Contact>

  // This person's devices; one is named as a contact is
  /** Opens a one-time invite for another device of this person's, within `expiresInSeconds`. */
  deviceInvite(options: { expiresInSeconds: number }): Promise<Invite>
  /** Waits until that invite was used, and by which device; rejects with E_INVITE_EXPIRED. */
  deviceInvited(invite: string): Promise<OwnDevice>
  devices(): Promise<OwnDevice[]>
  renameDevice(device: string, name: string): Promise<OwnDevice>
  /** Takes a device away for good, with the 24 words: the store is founded anew without it. */
  removeDevice(device: string, words: string): Promise<OwnDevice>
  /** What changed by itself and wasn't told on this device yet; telling marks it. */
  notices(): Promise<Notice[]>

  // Sending and receiving
  send(slug: string, contact: string, options: { note?: string }): Promise<Sent>
  seal(slug: string, contact: string, out: string, options: { note?: string }): Promise<SealedFile>
  receive(path: string): Promise<Delivery>
  outbox(): Promise<Delivery[]>
  inbox(): Promise<Delivery[]>
  review(id: string): Promise<Review>
  /** One file of a bundle that waits, by the incoming slug of its skill. */
  reviewFile(id: string, incoming: string, path: string): Promise<ReviewedFile>
  accept(id: string, decisions: Decisions): Promise<Imported>
  decline(id: string): Promise<Delivery>

  /** Lets go of the store, or of the connection to whoever holds it. */
  close(): Promise<void>
}

/** Told of a long step: what it does, how much is done and of how much, in the same unit. */
export type OnProgress = (step: { label: string; done: number; total: number }) => void

export interface Status {
  name: string
  identity: string
  device: string
  home: string
  /** Whether this node takes part in the network, as `selkie up` does; not whether anyone can be reached. */
  online: boolean
  skills: number
  contacts: number
  /** Contacts with a live connection, by name. */
  connected: string[]
  outbox: { waiting: number }
  inbox: { waiting: number; bytes: number }
}

export interface Saved {
  uid: string
  slug: string
  title: string
  summary: string
  version: string
  mentions: string[]
}

export interface Listed {
  slug: string
  uid: string
  title: string
  summary: string
  enabled: boolean
  advertised: boolean
  /**
   * It says that it isn’t for models: they get it only where the person names it. Else absent; in
   * a list also of one that is neither advertised nor mentioned by what is.
   */
  hidden?: true
  /** Slugs, in first-seen order. */
  mentions: string[]
  /** The one that is shown. */
  version: string
  /** How many versions are here. */
  versions: number
  /** ISO 8601, UTC, by its author's clock: of the shown version; only of a deleted skill. */
  time?: string
}

/** A skill that was enabled or disabled. */
export interface Switched extends Listed {
  /** The live skills that mention it, by their slugs. */
  mentionedBy: string[]
}

export interface FileEntry {
  path: string
  /** Bytes. */
  size: number
  hash: string
  /** As its author has it. */
  exec: boolean
}

export interface SkillFileShown extends FileEntry {
  /** Base64. */
  bytes: string
}

export interface Shown extends Listed {
  body: string
  files: FileEntry[]
  /** Versions beside the shown one that were made apart from it. */
  diverged: string[]
  deleted: boolean
}

export interface LogEntry {
  version: string
  parents: string[]
  /** A contact's name, `you`, or the beginning of an identity key. */
  author: string
  identity: string
  device: string
  /** ISO 8601, UTC, by the author's clock. */
  time: string
  title: string
  /** Whether it is the one that is shown now. */
  head: boolean
  /** Whether it is the one that whoever follows the skill gets. */
  published: boolean
  /** Whether its content is here; of a received skill only the newest version's is. */
  here: boolean
}

export interface VersionDiff {
  slug: string
  from: string | null
  to: string
  /** Unified diff of title, summary, header and body with today's slugs; empty when equal. */
  diff: string
  files: { path: string; change: 'added' | 'removed' | 'changed' }[]
}

/** A skill of which versions were made apart. */
export interface Conflict {
  slug: string
  uid: string
  /** The version that is shown. */
  shown: string
  beside: { version: string; author: string; time: string }[]
}

export interface MergeResult {
  slug: string
  uid: string
  /** The version that is shown, the one that is merged into it, and the newest that both follow. */
  shown: string
  with: string
  base: string | null
  /** What isn't clean: `title`, `summary`, `header`, `body` or the path of a file; the shown version's stays. */
  conflicts: string[]
  title: string
  summary: string
  /** With conflict marks where it isn't clean. */
  body: string
  /** The version that it became; null while it is only offered. */
  saved: string | null
}

export type Resolution =
  | {
      kind: 'skill'
      slug: string
      uid: string
      title: string
      summary: string
      enabled: boolean
      advertised: boolean
    }
  | { kind: 'tool'; slug: string; name: string; summary: string; advertised: boolean }
  | { kind: 'nothing'; slug: string; near: string[] }

export interface ClosureListing {
  slug: string
  /** The skill itself first. */
  skills: { slug: string; uid: string; title: string; enabled: boolean }[]
  tools: string[]
}

/** A problem of something foreign: what it is, where, and what was done about it. */
export interface Diagnostic {
  code: string
  message: string
  /**
   * Of the file, relative to the folder that was named, and beginning with what that one is called
   * where it is a skill itself or isn't the only one; absent where none is concerned.
   */
  path?: string
  /** From 1. */
  line?: number
}

export interface FolderImport {
  imported: {
    /** As the path of a diagnostic is: never `.`. */
    folder: string
    slug: string
    uid: string
    status: 'new' | 're-slugged' | 'same'
    mentions: string[]
  }[]
  diagnostics: Diagnostic[]
}

export interface FolderExport {
  /** `unchanged` where the folder was there and held exactly this already. */
  exported: { slug: string; folder: string; files: number; unchanged: boolean }[]
  diagnostics: Diagnostic[]
}

export interface CheckReport {
  ok: boolean
  skills: number
  versions: number
  files: number
  problems: { code: string; message: string; slug?: string }[]
}

export interface Invite {
  invite: string
  /** ISO 8601, UTC. */
  expires: string
}

export interface Contact {
  name: string
  identity: string
  verified: boolean
  devices: { name: string; device: string }[]
  /** Twelve words that the contact must see alike. */
  safetyWords: string
  online: boolean
}

/** One of this person's devices. */
export interface OwnDevice {
  readonly name: string
  /** Its key. */
  readonly device: string
  /** ISO 8601, UTC. */
  readonly added: string
  /** ISO 8601, UTC; null for this one, or for one that never was. */
  readonly seen: string | null
  readonly online: boolean
  /** Whether it is this one. */
  readonly current: boolean
  /** Entries of its log that were not valid and changed nothing. */
  readonly refused: number
  /** Files that aren't on this device yet; only on the current one. */
  readonly missing?: { files: number; bytes: number; reason: 'waiting' | 'space' }
}

/** Something that changed by itself when devices met. */
export interface Notice {
  readonly id: string
  readonly kind: 'slug' | 'diverged' | 'revived' | 'refused'
  /** Absent where no skill is concerned. */
  readonly slug?: string
  /** The slug that it had. */
  readonly was?: string
  readonly message: string
  readonly hint: string
}

export interface Sent {
  id: string
  state: OutboxState
  contact: string
  root: string
  /** Of the sealed bundle. */
  bytes: number
  skills: string[]
  tools: string[]
  /** Said where it goes its way and couldn't be noted in the outbox. */
  warning?: Diagnostic
}

export interface SealedFile {
  id: string
  file: string
  contact: string
  root: string
  bytes: number
  skills: string[]
  tools: string[]
  /** Said where it couldn't be noted in the outbox. */
  warning?: Diagnostic
}

export type OutboxState = 'queued' | 'sent' | 'received' | 'imported' | 'declined'
export type InboxState = 'waiting' | 'imported' | 'declined' | 'damaged'

/** A bundle on its way out or in. */
export interface Delivery {
  id: string
  /** Name of the contact. */
  contact: string
  /** Slug of the skill that was sent, as its sender calls it. */
  root: string
  state: OutboxState | InboxState
  /** Of the sealed bundle. */
  bytes: number
  /** ISO 8601: when it was sent or has arrived. */
  time: string
  note?: string
  /** Why it waits, where something holds it up: a code and a sentence. */
  problem?: { code: string; message: string; hint: string }
}

export type ReviewStatus = 'new' | 're-slugged' | 'same' | 'update' | 'diverged' | 'yours-edited-by-them'

export interface ReviewedSkill {
  /** The slug that its sender suggests. */
  incoming: string
  uid: string
  /** The slug that it has or would get here. */
  slug: string
  status: ReviewStatus
  title: string
  summary: string
  /** The frontmatter that it came with, without its `---` lines; null where it has none. */
  header: string | null
  author: { name: string; identity: string; known: boolean }
  /** Its lineage, newest first. */
  lineage: { version: string; author: string; time: string }[]
  /** The body with the slugs that it would show here. */
  body: string
  /** Unified diff against what is here, header included; for update, diverged and yours-edited-by-them. */
  diff?: string
  /** For diverged: the three-way merge, with conflict marks where it isn't clean; absent when no common version is here. */
  merge?: { clean: boolean; text: string }
  files: (FileEntry & { change?: 'added' | 'removed' | 'changed' })[]
  /** Tools that it mentions itself. */
  tools: string[]
  /** Slugs, here, of what it mentions. */
  mentions: string[]
}

/** A file of a bundle that waits. */
export interface ReviewedFile extends FileEntry {
  incoming: string
  /** What it says; null where it isn't text in UTF-8. */
  text: string | null
}

export interface ReviewWarning {
  code: string
  message: string
  /** The incoming slug; absent where the bundle as a whole is meant. */
  skill?: string
  /** A file's path, or absent for the body. */
  path?: string
  line?: number
}

export interface Review {
  id: string
  sender: { name: string; identity: string; verified: boolean }
  note: string
  root: string
  /** ISO 8601, by the sender's clock. */
  created: string
  bytes: number
  skills: ReviewedSkill[]
  tools: { needed: string[]; missing: string[]; notGranted: string[] }
  warnings: ReviewWarning[]
  /** What must be dealt with before it can be accepted: each a skill to drop or to replace. */
  blocked: ReviewWarning[]
  /** Names what was shown: an approval is for this and nothing else. */
  digest: string
}

export interface Decisions {
  /** Incoming slug → the slug that it shall get. */
  rename?: Record<string, string>
  /** Incoming slug → a slug of one's own that is kept or used in its place. */
  useMine?: Record<string, string>
  /** Incoming slugs that are left out; nothing that stays may mention them. */
  drop?: string[]
  /** Whether the exec bits of its files are honoured. */
  exec?: boolean
}

export interface Imported {
  id: string
  imported: { incoming: string; slug: string; status: ReviewStatus | 'mine' | 'dropped' }[]
}
