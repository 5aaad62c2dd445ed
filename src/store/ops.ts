import { SelkieError } from '../base/errors.js'
import type { BundleId, DeviceKey, IdentityKey, Slug, Uid, VersionHash } from '../base/ids.js'
import type { Blurb } from '../agent-api.js'
import { MAX_BUNDLE, MAX_DEVICES, MAX_FILES, MAX_NOTE, MAX_SKILLS, MAX_SLUG } from '../base/limits.js'
import { decode, encode } from '../base/msgpack.js'
import { flag, hex, list, object, shape, text, whole } from '../base/schema.js'
import { MAX_NAME } from '../base/name.js'
import { SEALING_KEY_BYTES } from '../keys/device.js'
import { attestationSchema, type Attestation } from '../keys/identity.js'
import { versionSchema, type Version } from '../namespace/version.js'
import { MAX_TEXT, NOTE_ID_BYTES } from './note.js'
import type { Binding, BlobPointer, InboxRow, OutboxRow, OutboxState } from './rows.js'

/** The highest version of the ops that this build understands. */
export const OPS_VERSION = 2

/** The version in which a kind of op came, where that isn’t the first. A build that is older stops there. */
const SINCE: Readonly<Partial<Record<Op['type'], number>>> = {
  note: 2,
  'note-delete': 2,
  instructions: 2,
  blurb: 2,
  profile: 2,
  'profile-delete': 2,
  bind: 2,
  unbind: 2
}

/** How one skill of an import enters the namespace. */
export interface ImportedSkill {
  readonly uid: Uid
  /** The slug that it shall have; the first free one after it where it is taken. */
  readonly slug: Slug
  readonly head: VersionHash
  /** The shown version that was reviewed against; null where the skill is new here. */
  readonly over: VersionHash | null
  /** Whether the shown version stays and this one is kept beside it. */
  readonly beside: boolean
  readonly exec: boolean
  readonly advertised: boolean
}

/** An alias that an import makes: `from` is what was received, `to` what stands in for it. */
export interface ImportedAlias {
  readonly from: Uid
  readonly to: Uid
  readonly seen: VersionHash
}

/** What a device may append. Contents travel as their encoded bytes. */
export type Op =
  /** The state that a base begins with, row by row, ahead of `found`. */
  | { readonly type: 'state'; readonly rows: readonly (readonly [key: string, value: Uint8Array])[] }
  /** Founds a base: whose it is, by which of their devices. What comes after is by its members. */
  | {
      readonly type: 'found'
      readonly name: string
      readonly card: Uint8Array
      readonly attestation: Attestation
      /** Seconds since 1970. */
      readonly time: number
    }
  /** Adds a device of this person. */
  | {
      readonly type: 'device'
      readonly name: string
      readonly sealing: string
      readonly attestation: Attestation
      /** Seconds since 1970. */
      readonly time: number
    }
  /** Lets a device append: the log that it appends to, by its own word. */
  | {
      readonly type: 'writer'
      readonly device: DeviceKey
      readonly log: string
      readonly signature: string
    }
  | { readonly type: 'device-name'; readonly device: DeviceKey; readonly name: string }
  /** This person's own card. */
  | { readonly type: 'card'; readonly card: Uint8Array }
  /** Contents that a following op names, where they don't fit beside it. */
  | { readonly type: 'contents'; readonly contents: readonly Uint8Array[] }
  | { readonly type: 'save'; readonly slug: Slug; readonly version: Version; readonly content: Uint8Array }
  | { readonly type: 'rename'; readonly uid: Uid; readonly slug: Slug }
  | { readonly type: 'delete'; readonly uid: Uid }
  | { readonly type: 'restore'; readonly uid: Uid }
  | { readonly type: 'enable'; readonly uid: Uid; readonly enabled: boolean }
  | { readonly type: 'advertise'; readonly uid: Uid; readonly advertised: boolean }
  | { readonly type: 'publish'; readonly uid: Uid; readonly version: VersionHash }
  | {
      readonly type: 'import'
      /** The bundle that it comes from; null for folders of one's own. */
      readonly bundle: BundleId | null
      readonly skills: readonly ImportedSkill[]
      readonly versions: readonly Version[]
      readonly attestations: readonly Attestation[]
      readonly aliases: readonly ImportedAlias[]
      readonly blobs: readonly BlobPointer[]
      readonly contents: readonly Uint8Array[]
    }
  | {
      readonly type: 'contact'
      readonly identity: IdentityKey
      readonly name: string
      readonly card: Uint8Array
    }
  /** A newer card of a contact; it makes nobody one. */
  | { readonly type: 'renew'; readonly identity: IdentityKey; readonly card: Uint8Array }
  | { readonly type: 'verify'; readonly identity: IdentityKey; readonly verified: boolean }
  | { readonly type: 'forget'; readonly identity: IdentityKey }
  | { readonly type: 'queue'; readonly row: OutboxRow }
  | {
      readonly type: 'delivery'
      readonly id: BundleId
      readonly state: OutboxState
      readonly problem: string | null
    }
  | { readonly type: 'arrive'; readonly row: InboxRow }
  | { readonly type: 'seen'; readonly id: BundleId; readonly digest: string }
  | { readonly type: 'decline'; readonly id: BundleId }
  /** A new note, or another text of one; of a deleted one, it comes back. */
  | {
      readonly type: 'note'
      readonly id: string
      readonly revision: string
      readonly text: string
      /**
       * The revisions that it takes the place of, the newest first: of a new note none, of
       * an edit the one that it began from. What is carried into another base names also
       * those before it that aren’t there.
       */
      readonly over: readonly string[]
      /** Seconds since 1970. */
      readonly time: number
    }
  /** Deletes a note, as long as it is of the revision `over`. */
  | { readonly type: 'note-delete'; readonly id: string; readonly over: string }
  /** What the model is told first; null for what Selkie comes with. */
  | { readonly type: 'instructions'; readonly text: string | null }
  | { readonly type: 'blurb'; readonly blurb: Blurb; readonly on: boolean }
  | { readonly type: 'profile'; readonly profile: string; readonly name: string }
  /** Deletes a profile, as long as it binds nothing but what was `seen`. */
  | { readonly type: 'profile-delete'; readonly profile: string; readonly seen: readonly Binding[] }
  /** Binds a skill in a profile, which is made by it where there is none. */
  | (Binding & { readonly type: 'bind'; readonly profile: string; readonly name: string })
  | { readonly type: 'unbind'; readonly profile: string; readonly uid: Uid }

/**
 * The most skills of one folder import. Above it an op would come near the 15 MiB that
 * one block of a log may have.
 */
export const MAX_IMPORT = 10_000

/** Bytes of an entry, with room for what the log adds: a block of it holds 15 MiB. */
export const MAX_ENTRY = 14 * 1024 * 1024

/** Revisions whose place one takes. */
export const MAX_OVER = 10_000

/** Skills that a person binds in one profile. Several devices may bind as many apart. */
export const MAX_BINDINGS = 256
export const MAX_BINDINGS_APART = MAX_BINDINGS * MAX_DEVICES

/** The parts of the agent’s instructions that can be switched on. */
export const BLURB_NAMES: readonly Blurb[] = ['notebook', 'files', 'calendar', 'date']

/** Rows of one `state`, and characters of a row's key. */
export const MAX_STATE = 10_000
const MAX_KEY = 256

const slug = text(MAX_SLUG, 1)
const time = whole(2 ** 32 - 1)
const nullable = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] })
/** Bytes: ajv can't see them; `bytesIn` checks them where they are used. */
const bytes = {}
const code = { type: 'string', pattern: '^E_[A-Z_]{1,60}$' }
const outboxState = { enum: ['queued', 'sent', 'received', 'imported', 'declined'] }
const inboxState = { enum: ['waiting', 'imported', 'declined', 'damaged'] }

const place = {
  hash: hex(32),
  core: hex(32),
  key: hex(32),
  blockOffset: whole(2 ** 32 - 1),
  blockLength: whole(2 ** 32 - 1),
  byteOffset: whole(2 ** 32 - 1)
}
const blob = object({ ...place, byteLength: whole(2 ** 32 - 1) })
const imported = object({
  uid: hex(16),
  slug,
  head: hex(32),
  over: nullable(hex(32)),
  beside: flag,
  exec: flag,
  advertised: flag
})
/** Where a sealed file is. */
const parcel = object({ ...place, byteLength: whole(MAX_BUNDLE) })
const outboxRow = object({
  id: hex(16),
  contact: hex(32),
  uid: hex(16),
  root: slug,
  payload: hex(32),
  sealed: hex(32),
  parcel: nullable(parcel),
  bytes: whole(2 ** 32 - 1),
  sequence: whole(2 ** 32 - 1),
  time: whole(2 ** 32 - 1),
  note: text(MAX_NOTE),
  skills: list(slug, MAX_SKILLS),
  tools: list(text(MAX_SLUG, 1), MAX_SKILLS),
  state: outboxState,
  problem: nullable(code),
  byHand: flag
})
const inboxRow = object({
  id: hex(16),
  contact: hex(32),
  device: nullable(hex(32)),
  root: text(MAX_SLUG),
  sealed: hex(32),
  parcels: list(parcel, MAX_DEVICES),
  payload: text(64),
  bytes: whole(2 ** 32 - 1),
  sequence: whole(2 ** 32 - 1),
  time: whole(2 ** 32 - 1),
  note: text(MAX_NOTE),
  state: inboxState,
  late: flag,
  seen: nullable(hex(32)),
  problem: nullable(code)
})

const noteId = hex(NOTE_ID_BYTES)
const binding = {
  uid: hex(16),
  to: { anyOf: [{ enum: ['latest', 'published'] }, object({ version: hex(32) })] }
}

const schemas: Record<Op['type'], Record<string, object>> = {
  state: {
    rows: list({ type: 'array', items: [text(MAX_KEY, 1), bytes], minItems: 2, maxItems: 2 }, MAX_STATE)
  },
  found: { name: text(MAX_NAME, 1), card: bytes, attestation: attestationSchema, time },
  device: {
    name: text(MAX_NAME, 1),
    sealing: hex(SEALING_KEY_BYTES),
    attestation: attestationSchema,
    time
  },
  writer: { device: hex(32), log: hex(32), signature: hex(64) },
  'device-name': { device: hex(32), name: text(MAX_NAME, 1) },
  card: { card: bytes },
  contents: { contents: list(bytes, MAX_IMPORT) },
  save: { slug, version: versionSchema, content: bytes },
  rename: { uid: hex(16), slug },
  delete: { uid: hex(16) },
  restore: { uid: hex(16) },
  enable: { uid: hex(16), enabled: flag },
  advertise: { uid: hex(16), advertised: flag },
  publish: { uid: hex(16), version: hex(32) },
  import: {
    bundle: nullable(hex(16)),
    skills: list(imported, MAX_IMPORT),
    versions: list(versionSchema, MAX_IMPORT * MAX_DEVICES),
    attestations: list(attestationSchema, MAX_IMPORT),
    aliases: list(object({ from: hex(16), to: hex(16), seen: hex(32) }), MAX_IMPORT),
    blobs: list(blob, MAX_IMPORT * MAX_FILES),
    contents: list(bytes, MAX_IMPORT)
  },
  contact: { identity: hex(32), name: text(MAX_NAME, 1), card: bytes },
  renew: { identity: hex(32), card: bytes },
  verify: { identity: hex(32), verified: flag },
  forget: { identity: hex(32) },
  queue: { row: outboxRow },
  delivery: { id: hex(16), state: outboxState, problem: nullable(code) },
  arrive: { row: inboxRow },
  seen: { id: hex(16), digest: hex(32) },
  decline: { id: hex(16) },
  note: { id: noteId, revision: noteId, text: text(MAX_TEXT, 1), over: list(noteId, MAX_OVER), time },
  'note-delete': { id: noteId, over: noteId },
  instructions: { text: nullable(text(MAX_TEXT)) },
  blurb: { blurb: { enum: BLURB_NAMES }, on: flag },
  profile: { profile: hex(16), name: text(MAX_NAME, 1) },
  'profile-delete': { profile: hex(16), seen: list(object(binding), MAX_BINDINGS_APART) },
  bind: { profile: hex(16), name: text(MAX_NAME, 1), ...binding },
  unbind: { profile: hex(16), uid: hex(16) }
}

const versionOf = (type: string): object => ({
  ...whole(OPS_VERSION),
  minimum: SINCE[type as Op['type']] ?? 0
})

const checks = new Map(
  Object.entries(schemas).map(([type, properties]) => [
    type,
    shape<Op & { v: number }>(object({ v: versionOf(type), type: { const: type }, ...properties }))
  ])
)

/** The bytes that are appended: the op with the version in which its kind came. */
export function encodeOp(op: Op): Uint8Array {
  return encode({ v: SINCE[op.type] ?? 1, ...op })
}

/** Whether no list of an import is longer than one op may have: else no device would apply it. */
export function fitsOneOp(op: Op): boolean {
  return op.type !== 'import' || checks.get(op.type)!({ v: OPS_VERSION, ...op })
}

/**
 * The op of appended bytes. Undefined where they are none: whoever wrote them, they
 * change nothing.
 *
 * @throws SelkieError E_UPGRADE where a newer Selkie wrote it: it must not be skipped
 */
export function decodeOp(bytes: Uint8Array): Op | undefined {
  let value: unknown
  try {
    value = decode(bytes)
  } catch (error) {
    if (error instanceof SelkieError) return undefined
    throw error
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { v, type } = value as { v?: unknown; type?: unknown }
  if (typeof v === 'number' && v > OPS_VERSION) throw new SelkieError('E_UPGRADE')
  const check = typeof type === 'string' ? checks.get(type) : undefined
  return check?.(value) && bytesIn(value) ? value : undefined
}

/** Whether the fields that hold bytes do. */
function bytesIn(op: Op): boolean {
  const isBytes = (value: unknown): boolean => value instanceof Uint8Array
  if ('card' in op && !isBytes(op.card)) return false
  if ('content' in op && !isBytes(op.content)) return false
  if ('rows' in op && !op.rows.every(([, value]) => isBytes(value))) return false
  return !('contents' in op) || op.contents.every(isBytes)
}
