import { SelkieError } from '../base/errors.js'
import { MAX_NAME } from '../base/name.js'
import type { DeviceKey, IdentityKey } from '../base/ids.js'
import { MAX_DEVICES } from '../base/limits.js'
import { decode, encode } from '../base/msgpack.js'
import { hex, list, object, shape, text, whole } from '../base/schema.js'
import { sealingKeyHash, SEALING_KEY_BYTES, signWith, verifySignature } from './device.js'
import { attestationSchema, isAttestation, type Attestation, type Root } from './identity.js'
import type { DeviceSigner } from './device.js'
import { areRemovals, includesAll, removalsSchema, type Removal } from './removal.js'
import { fromHex } from './sodium.js'

/** A device as its owner's card names it. */
export interface CardDevice {
  readonly name: string
  /** X-Wing public key, 2,432 hex digits. */
  readonly sealing: string
  readonly attestation: Attestation
}

/** Who a person is to others. */
export interface Card {
  readonly identity: IdentityKey
  readonly name: string
  /** Only the root can raise it. A new life owes nothing to the one before. */
  readonly life: number
  /** Rises with every change between two removals; a lower one than was seen is refused. */
  readonly number: number
  readonly devices: readonly CardDevice[]
  /** Whom the root has removed in this life, rising by device: they never come back in it. */
  readonly removed: readonly Removal[]
}

/** A card with the bytes that were signed, kept as they were received. */
export interface SignedCard {
  readonly card: Card
  /** The identity itself, or one of the card's devices. */
  readonly signedBy: IdentityKey | DeviceKey
  /** What travels: at most {@link MAX_CARD_BYTES}. */
  readonly bytes: Uint8Array
}

/** The longest encoded card: 16 devices at about 3.5 KiB, and 128 removals at about 250 bytes. */
export const MAX_CARD_BYTES = 128 * 1024

const isCard = shape<Card>(
  object({
    identity: hex(32),
    name: text(MAX_NAME, 1),
    life: whole(2 ** 32 - 1),
    number: whole(2 ** 32 - 1),
    devices: list(
      object({ name: text(MAX_NAME, 1), sealing: hex(SEALING_KEY_BYTES), attestation: attestationSchema }),
      MAX_DEVICES
    ),
    removed: removalsSchema
  })
)
const isEnvelope = shape<{ card: Uint8Array; by: string; signature: string }>(
  object({ card: {}, by: hex(32), signature: hex(64) })
)

/** The card signed, by the root or by one of its devices. */
export function signCard(card: Card, signer: Root | DeviceSigner): SignedCard {
  const inner = encode(card)
  const by = 'identity' in signer ? signer.identity : signer.key
  const signature = signWith(signer, 'selkie/card/v1', inner)
  return { card, signedBy: by, bytes: encode({ card: inner, by, signature }) }
}

/**
 * The card of bytes from anywhere: signed by its identity or by one of its devices,
 * every device attested by the identity and none of them removed, every removal signed
 * by the identity.
 *
 * @throws SelkieError E_CARD
 */
export function readCard(bytes: Uint8Array): SignedCard {
  if (bytes.length > MAX_CARD_BYTES) return refuse('it is too large')
  const envelope = decoded(bytes)
  if (!isEnvelope(envelope) || !(envelope.card instanceof Uint8Array)) return refuse('it isn’t a card')
  const { by, signature, card: inner } = envelope
  // Signed first, parsed after: what no one has signed is not looked into.
  if (!verifySignature(by, 'selkie/card/v1', inner, signature)) return refuse('its signature is wrong')
  const card = decoded(inner)
  if (!isCard(card)) return refuse('it isn’t a card')
  for (const { attestation, sealing } of card.devices) {
    const matches =
      attestation.identity === card.identity && attestation.sealing === sealingKeyHash(fromHex(sealing))
    if (!matches || !isAttestation(attestation)) return refuse('a device on it isn’t attested')
  }
  const keys = new Set(deviceKeys(card))
  if (keys.size !== card.devices.length) return refuse('a device is on it twice')
  if (by !== card.identity && !keys.has(by as DeviceKey)) return refuse('whoever signed it isn’t on it')
  if (card.removed.some(({ device }) => keys.has(device))) return refuse('a device on it is removed')
  if (!areRemovals(card.identity, card.removed)) return refuse('a removal on it isn’t signed')
  return { card, signedBy: by as IdentityKey | DeviceKey, bytes }
}

/**
 * Whether `next` may take the place of `known`, both {@link readCard read}: the same
 * identity's, and newer. The root may say whatever it wants; a device that is known may
 * add others and begin no new life, and whom it leaves out the root must have removed: a
 * device that was removed is attested for ever, but it can't put itself back. The same
 * bytes again are no change and may also pass.
 *
 * @throws SelkieError E_CARD_OLD, E_CARD_ROOT, E_CARD
 */
export function checkSuccession(known: SignedCard, next: SignedCard): void {
  const { identity, name, life } = known.card
  if (identity !== next.card.identity) refuse('it is someone else’s')
  if (Buffer.compare(known.bytes, next.bytes) === 0) return
  if (!isNewer(known, next)) throw new SelkieError('E_CARD_OLD', { name })
  const byRoot = next.signedBy === identity
  if (next.card.life > life) {
    if (!byRoot) throw new SelkieError('E_CARD_ROOT', { name })
    return
  }
  if (byRoot) return
  const before = deviceKeys(known.card)
  const accounted = new Set([...deviceKeys(next.card), ...next.card.removed.map(({ device }) => device)])
  if (before.some((key) => !accounted.has(key))) throw new SelkieError('E_CARD_ROOT', { name })
  if (!before.includes(next.signedBy as DeviceKey)) {
    refuse('the device that signed it is new, or was removed')
  }
}

/**
 * Whether a card comes after another of the same identity: in a later life; or in the
 * same one, with all its removals and with more of them, or with as many and a higher
 * number. Of two cards with removals made apart, neither does; one with both follows both.
 */
export function isNewer({ card: known }: SignedCard, { card: next }: SignedCard): boolean {
  if (next.life !== known.life) return next.life > known.life
  if (!includesAll(next.removed, known.removed)) return false
  return next.removed.length > known.removed.length || next.number > known.number
}

/** The signing keys of a card's devices. */
export function deviceKeys(card: Card): DeviceKey[] {
  return card.devices.map((device) => device.attestation.device)
}

function decoded(bytes: Uint8Array): unknown {
  try {
    return decode(bytes)
  } catch (cause) {
    throw new SelkieError('E_CARD', { why: 'it can’t be read' }, { cause })
  }
}

function refuse(why: string): never {
  throw new SelkieError('E_CARD', { why })
}
