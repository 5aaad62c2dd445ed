import { SelkieError } from '../base/errors.js'
import type { DeviceKey, IdentityKey } from '../base/ids.js'
import { MAX_DEVICES } from '../base/limits.js'
import { decode, encode } from '../base/msgpack.js'
import { hex, list, object, shape, text, whole } from '../base/schema.js'
import { sealingKeyHash, SEALING_KEY_BYTES, signWith, verifySignature } from './device.js'
import { attestationSchema, isAttestation, type Attestation, type Root } from './identity.js'
import type { DeviceSigner } from './device.js'
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
  /** Only the root can raise it: so no device can sign the last card that there is a number for. */
  readonly epoch: number
  /** Rises with every change within an epoch; a lower one than was seen is refused. */
  readonly number: number
  readonly devices: readonly CardDevice[]
}

/** A card with the bytes that were signed, kept as they were received. */
export interface SignedCard {
  readonly card: Card
  /** The identity itself, or one of the card's devices. */
  readonly signedBy: IdentityKey | DeviceKey
  /** What travels: at most {@link MAX_CARD_BYTES}. */
  readonly bytes: Uint8Array
}

/** The longest encoded card: sixteen devices at about 3 KiB. */
export const MAX_CARD_BYTES = 64 * 1024
/** Characters of a person's or a device's name. */
export const MAX_NAME = 64

const isCard = shape<Card>(
  object({
    identity: hex(32),
    name: text(MAX_NAME, 1),
    epoch: whole(2 ** 32 - 1),
    number: whole(2 ** 32 - 1),
    devices: list(
      object({ name: text(MAX_NAME, 1), sealing: hex(SEALING_KEY_BYTES), attestation: attestationSchema }),
      MAX_DEVICES
    )
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
 * every device attested by the identity.
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
  const keys = deviceKeys(card)
  if (new Set(keys).size !== keys.length) return refuse('a device is on it twice')
  if (by !== card.identity && !keys.includes(by as DeviceKey)) return refuse('whoever signed it isn’t on it')
  return { card, signedBy: by as IdentityKey | DeviceKey, bytes }
}

/**
 * Whether `next` may take the place of `known`: the same identity and a higher number,
 * signed by the root or by a device that is known, and by the root where a device is
 * gone or the epoch is another. So a device that was removed can't put itself back: its attestation is for
 * ever, but the card that is known no longer names it. The same bytes again are no
 * change and may also pass.
 *
 * @throws SelkieError E_CARD_OLD, E_CARD_ROOT, E_CARD
 */
export function checkSuccession(known: SignedCard, next: SignedCard): void {
  if (known.card.identity !== next.card.identity) refuse('it is someone else’s')
  if (Buffer.compare(known.bytes, next.bytes) === 0) return
  const { name } = known.card
  if (!isNewer(known, next)) throw new SelkieError('E_CARD_OLD', { name })
  if (next.signedBy === next.card.identity) return
  const kept = new Set(deviceKeys(next.card))
  const removes = deviceKeys(known.card).some((key) => !kept.has(key))
  if (removes || next.card.epoch > known.card.epoch) throw new SelkieError('E_CARD_ROOT', { name })
  if (!deviceKeys(known.card).includes(next.signedBy as DeviceKey)) {
    refuse('the device that signed it is new, or was removed')
  }
}

/** Whether a card comes after another of the same identity: in a later epoch, or with a higher number. */
export function isNewer({ card: known }: SignedCard, { card: next }: SignedCard): boolean {
  return next.epoch > known.epoch || (next.epoch === known.epoch && next.number > known.number)
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
