import type {
  BundleId,
  ContentHash,
  DeviceKey,
  FileHash,
  IdentityKey,
  Slug,
  Uid,
  VersionHash
} from '../base/ids.js'
import type { Blurb } from '../agent-api.js'
import type { Attestation } from '../keys/identity.js'
import type { SkillRow } from '../namespace/skill.js'
import type { Version } from '../namespace/version.js'

/** Where a file's bytes are: the core of the device that put them, and the place in it. */
export interface BlobPointer {
  readonly hash: FileHash
  /** Public key of the Hyperblobs core, 64 hex digits. */
  readonly core: string
  /** What the core is encrypted with, 64 hex digits: it outlives the store that it was made in. */
  readonly key: string
  readonly blockOffset: number
  readonly blockLength: number
  readonly byteOffset: number
  readonly byteLength: number
}

/** A skill in the view: its row, and how many of its versions are known. */
export interface StoredSkill extends SkillRow {
  readonly versions: number
  /** The version that whoever follows the skill gets; null while only drafts are there. */
  readonly published: VersionHash | null
}

/** A received uid that a skill of this namespace stands in for. */
export interface AliasRow {
  readonly to: Uid
  /** The version that it was judged by; later ones are compared with it. */
  readonly seen: VersionHash
}

/** Another person. A forgotten one keeps its row, so that an old card can't come back. */
export interface ContactRow {
  readonly identity: IdentityKey
  /** What they are called here, unique among contacts. */
  readonly name: string
  /** Their newest card as it was received. */
  readonly card: Uint8Array
  readonly verified: boolean
  readonly forgotten: boolean
}

/** This person. */
export interface OwnerRow {
  readonly identity: IdentityKey
  readonly name: string
  readonly card: Uint8Array
}

/** One of this person's devices, until it is removed. */
export interface DeviceRow {
  readonly device: DeviceKey
  readonly name: string
  /** X-Wing public key, 2,432 hex digits. */
  readonly sealing: string
  readonly attestation: Attestation
  /** Seconds since 1970. */
  readonly added: number
  /** Entries of its log that weren't valid: they changed nothing. */
  readonly refused: number
}

/** Something that came out otherwise than a person had it, because devices worked apart. */
export type NoticeRow = SkillNotice | AgentNotice

export interface SkillNotice {
  /**
   * `slug`: the skill asked for the slug `was` and got another; `diverged`: the version
   * `was` was made apart from what is shown; `kept`: it was deleted, but is mentioned.
   */
  readonly kind: 'slug' | 'diverged' | 'kept'
  readonly uid: Uid
  readonly was: string
}

export interface AgentNotice {
  /**
   * `note-apart`: the note is an edit of the note `was`, made apart from what that one
   * shows; `note-kept`: it was deleted when its revision was `was`, but is edited;
   * `profile-kept`: the profile was deleted, but binds the skill `was`.
   */
  readonly kind: 'note-apart' | 'note-kept' | 'profile-kept'
  /** Of the note or the profile. */
  readonly id: string
  readonly was: string
}

/** A note of the notebook. A deleted one keeps its text. */
export interface NoteRow {
  /** 128 bits, 32 hex digits. */
  readonly id: string
  readonly text: string
  /** Seconds since 1970: of the text. */
  readonly time: number
  /** Names the text among all that the note has had: 32 hex digits. */
  readonly revision: string
  readonly deleted: boolean
}

/** A revision of a note that this view has had, or that another took the place of. */
export interface RevisionRow {
  /** The id of the note that it is in. */
  readonly note: string
  /** The revisions whose place it took. */
  readonly over: readonly string[]
}

/** A setting of the agent, as the person has it on every device. */
export interface SettingRow {
  /** The instructions, null for those that Selkie comes with; or whether a blurb is on. */
  readonly value: string | boolean | null
}

export type SettingName = 'instructions' | `blurb/${Blurb}`

/** Which version of a skill a profile gives. */
export interface Binding {
  readonly uid: Uid
  readonly to: 'latest' | 'published' | { readonly version: VersionHash }
}

/** A profile of the agent. A deleted one keeps its bindings. */
export interface ProfileRow {
  /** Made of its name without regard to case, so that there is one of each: 32 hex digits. */
  readonly id: string
  readonly name: string
  readonly bindings: readonly Binding[]
  readonly deleted: boolean
}

export type OutboxState = 'queued' | 'sent' | 'received' | 'imported' | 'declined'

/**
 * How far a delivery is: a late receipt never takes it back. A damaged bundle is
 * receipted as declined and may be imported later; nothing follows that.
 */
export const DELIVERY_RANK = { queued: 0, sent: 1, received: 2, declined: 3, imported: 4 } as const

/** A bundle on its way to a contact. */
export interface OutboxRow {
  readonly id: BundleId
  readonly contact: IdentityKey
  /** The root skill, and its slug when it was sent. */
  readonly uid: Uid
  readonly root: Slug
  /** Hash of what is inside: the same again to the same contact is the same delivery. */
  readonly payload: string
  /** Hash of the sealed file. */
  readonly sealed: string
  /** Where this person’s other devices find the sealed file; null where it travels by hand. */
  readonly parcel: BlobPointer | null
  readonly bytes: number
  readonly sequence: number
  /** Seconds since 1970. */
  readonly time: number
  readonly note: string
  readonly skills: readonly Slug[]
  readonly tools: readonly string[]
  readonly state: OutboxState
  /** Why the contact's node doesn't take it yet: a code; else null. */
  readonly problem: string | null
  /** Whether it was written to a file and travels by hand. */
  readonly byHand: boolean
}

export type InboxState = 'waiting' | 'imported' | 'declined' | 'damaged'

/** A bundle that has arrived whole. */
export interface InboxRow {
  readonly id: BundleId
  readonly contact: IdentityKey
  /** The sender’s device that sealed it; null while it couldn’t be opened. */
  readonly device: DeviceKey | null
  readonly root: Slug
  /** Hash of the sealed file. */
  readonly sealed: string
  /**
   * Where this person’s other devices find the sealed file: one for each device that has
   * taken it in. Empty where nothing came.
   */
  readonly parcels: readonly BlobPointer[]
  readonly payload: string
  readonly bytes: number
  readonly sequence: number
  /** Seconds since 1970, by this node's clock. */
  readonly time: number
  readonly note: string
  readonly state: InboxState
  /** Whether one that the same device sealed later was there before this one began to come. */
  readonly late: boolean
  /** Digest of the review that was last shown; else null. */
  readonly seen: string | null
  /** Why it can't be opened: a code; else null. */
  readonly problem: string | null
}

/** The keys of the view, and what each holds. */
export const keyOf = {
  skill: (uid: Uid) => `skill/${uid}`,
  slug: (slug: Slug) => `slug/${slug}`,
  mention: (target: Uid, by: Uid) => `mention/${target}/${by}`,
  alias: (uid: Uid) => `alias/${uid}`,
  version: (hash: VersionHash) => `version/${hash}`,
  content: (hash: ContentHash) => `content/${hash}`,
  attestation: (author: IdentityKey, device: DeviceKey) => `attestation/${author}/${device}`,
  blob: (hash: FileHash) => `blob/${hash}`,
  contact: (identity: IdentityKey) => `contact/${identity}`,
  outbox: (id: BundleId) => `outbox/${id}`,
  inbox: (id: BundleId) => `inbox/${id}`,
  owner: () => 'owner',
  device: (device: DeviceKey) => `device/${device}`,
  writer: (log: string) => `writer/${log}`,
  counted: (log: string) => `counted/${log}`,
  /** By the id of what it is about. */
  notice: (kind: NoticeRow['kind'], id: string) => `notice/${kind}/${id}`,
  note: (id: string) => `note/${id}`,
  revision: (revision: string) => `revision/${revision}`,
  setting: (name: SettingName) => `setting/${name}`,
  profile: (id: string) => `profile/${id}`
} as const

/** What the value of each kind of key decodes to. Contents are their own bytes. */
export interface RowOf {
  skill: StoredSkill
  slug: Uid
  mention: null
  alias: AliasRow
  version: Version
  attestation: Attestation
  blob: BlobPointer
  contact: ContactRow
  outbox: OutboxRow
  inbox: InboxRow
  owner: OwnerRow
  device: DeviceRow
  /** Who says that a log is theirs, by the log's public key: whose it is, and whoever lies. */
  writer: readonly DeviceKey[]
  /** How many entries of a log this view holds; also of logs of the bases before this one. */
  counted: number
  notice: NoticeRow
  note: NoteRow
  revision: RevisionRow
  setting: SettingRow
  profile: ProfileRow
}
