import { isSelkieError, SelkieError } from '../base/errors.js'
import type { DeviceKey, IdentityKey } from '../base/ids.js'
import { decode, encode } from '../base/msgpack.js'
import { hex, object, shape, whole } from '../base/schema.js'
import { signWith, verifySignature, type DeviceSigner } from '../keys/device.js'
import type { Root } from '../keys/identity.js'
import { areRemovals, includesAll, removalsSchema, type Removal } from '../keys/removal.js'
import { fromHex, keyedHash, toHex } from '../keys/sodium.js'

/**
 * Which base is a person's store from now on, and without whom. A removal makes one,
 * signed by the root; two removals that were made apart are united by one that a device
 * signs which both have kept. The encryption key of the base isn't in it: a device that
 * stays is told by another that has it.
 */
export interface Succession {
  readonly identity: IdentityKey
  readonly life: number
  /** All that were ever removed in this life. */
  readonly removed: readonly Removal[]
  /** Public key of the Autobase, 64 hex digits. */
  readonly base: string
  /** {@link storeKeyHash} of its encryption key, 64 hex digits: so that nobody can tell a wrong one. */
  readonly key: string
  readonly founder: DeviceKey
}

/** A hash that tells the encryption key of a base, and gives nothing of it. */
export function storeKeyHash(encryption: Uint8Array): Uint8Array {
  return keyedHash(encryption, 'selkie/store-key/v1')
}

/** Whether an encryption key, 64 hex digits, is the one of the record's base. */
export function isKeyOf({ succession }: SignedSuccession, encryption: string): boolean {
  return toHex(storeKeyHash(fromHex(encryption))) === succession.key
}

/** A succession with the bytes that were signed, as they travel. */
export interface SignedSuccession {
  readonly succession: Succession
  /** The identity, or the founder. */
  readonly by: IdentityKey | DeviceKey
  readonly bytes: Uint8Array
}

/** The longest record, with every removal there can be. */
export const MAX_RECORD = 64 * 1024

const isSuccession = shape<Succession>(
  object({
    identity: hex(32),
    life: whole(2 ** 32 - 1),
    removed: removalsSchema,
    base: hex(32),
    key: hex(32),
    founder: hex(32)
  })
)
const isRecord = shape<{ succession: Uint8Array; by: string; signature: string }>(
  object({ succession: {}, by: hex(32), signature: hex(64) })
)

/** The record, signed by the root or by its founder. */
export function signSuccession(succession: Succession, signer: Root | DeviceSigner): SignedSuccession {
  const inner = encode(succession)
  const by = 'identity' in signer ? signer.identity : signer.key
  const signature = signWith(signer, SUCCESSION, inner)
  return { succession, by, bytes: encode({ succession: inner, by, signature }) }
}

/**
 * The record of bytes from anywhere: signed by its identity or by its founder, every
 * removal by its identity. Whether the founder belongs to the identity is for the caller.
 *
 * @throws SelkieError E_SUCCESSION
 */
export function readSuccession(bytes: Uint8Array): SignedSuccession {
  if (bytes.length > MAX_RECORD) return refuse()
  const record = decoded(bytes)
  if (!isRecord(record) || !(record.succession instanceof Uint8Array)) return refuse()
  const { by, signature, succession: inner } = record
  if (!verifySignature(by, SUCCESSION, inner, signature)) return refuse()
  const succession = decoded(inner)
  if (!isSuccession(succession)) return refuse()
  const { identity, founder, removed } = succession
  if (by !== identity && by !== founder) return refuse()
  if (removed.some(({ device }) => device === founder) || !areRemovals(identity, removed)) return refuse()
  return { succession, by: by as IdentityKey | DeviceKey, bytes }
}

/**
 * How another record stands to the one that a device lives by: `later` is to be
 * followed, `same` and `earlier` change nothing, `apart` lacks a removal that this one
 * has and has one that this one lacks: the two are to be united.
 *
 * Of two with the same removals the root's comes first, then the lower base key: every
 * device decides alike.
 */
export function standingOf(
  mine: SignedSuccession,
  other: SignedSuccession
): 'later' | 'same' | 'earlier' | 'apart' {
  const [a, b] = [mine.succession, other.succession]
  if (a.base === b.base) return 'same'
  const holds = includesAll(a.removed, b.removed)
  const isHeld = includesAll(b.removed, a.removed)
  if (holds && !isHeld) return 'earlier'
  if (isHeld && !holds) return 'later'
  if (!holds) return 'apart'
  const [mineByRoot, otherByRoot] = [mine.by === a.identity, other.by === b.identity]
  if (mineByRoot !== otherByRoot) return otherByRoot ? 'later' : 'earlier'
  return b.base < a.base ? 'later' : 'earlier'
}

/** Whether a record may stand beside another at all: the same person's, in the same life. */
export function isKin({ succession: a }: SignedSuccession, { succession: b }: SignedSuccession): boolean {
  return a.identity === b.identity && a.life === b.life
}

/** Who has no part in an epoch any more. */
export function removedBy({ succession }: SignedSuccession): Set<DeviceKey> {
  return new Set(succession.removed.map(({ device }) => device))
}

const SUCCESSION = 'selkie/succession/v1'

function decoded(bytes: Uint8Array): unknown {
  try {
    return decode(bytes)
  } catch (error) {
    if (isSelkieError(error)) return refuse()
    throw error
  }
}

function refuse(): never {
  throw new SelkieError('E_SUCCESSION')
}
