import type { BundleId, IdentityKey } from '../base/ids.js'
import { signWith, type DeviceSigner } from '../keys/device.js'
import type { Attestation } from '../keys/identity.js'
import { fromHex, toHex } from '../keys/sodium.js'
import { envelopeTo, type Envelope } from './envelope.js'
import { LABEL, padded, SIGNATURE_BYTES } from './format.js'
import { payloadLength, type Packed } from './pack.js'
import { encodeStatement, STATEMENT_BYTES } from './statement.js'
import { encryptBehind } from './stream.js'

/** From whom, to whom, and as which delivery. */
export interface Sealing {
  /** The sender's device and its identity's word for it. */
  readonly sender: { readonly signer: DeviceSigner; readonly attestation: Attestation }
  /** The contact, or this person for another device of theirs; X-Wing keys of 1 to 16 devices. */
  readonly recipient: { readonly identity: IdentityKey; readonly sealingKeys: readonly Uint8Array[] }
  /** New for every bundle. */
  readonly id: BundleId
  /** Higher than in any bundle to this recipient before; at most 2^32 - 1. */
  readonly sequence: number
  /** Milliseconds since 1970. */
  readonly created: number
}

/**
 * Signs a packed closure and seals it to every device of its recipient.
 *
 * @returns the bundle, at most 16 MiB
 * @throws SelkieError E_LIMIT_DEVICES
 */
export function seal(packed: Packed, sealing: Sealing): Uint8Array {
  const envelope = envelopeTo(sealing.recipient.sealingKeys)
  return encryptBehind(envelope, signedInner(envelope, packed, sealing))
}

/** What is encrypted, in parts: statement, signature, payload, and zeros up to the PADMÉ length. */
export function signedInner(envelope: Envelope, packed: Packed, sealing: Sealing): Uint8Array[] {
  const length = payloadLength(packed)
  const statement = encodeStatement({
    envelope: toHex(envelope.hash),
    payload: packed.payloadHash,
    recipient: sealing.recipient.identity,
    sender: sealing.sender.attestation,
    id: sealing.id,
    created: sealing.created,
    sequence: sealing.sequence,
    indexLength: packed.index.length,
    payloadLength: length
  })
  const signature = fromHex(signWith(sealing.sender.signer, LABEL.statement, statement))
  const signed = STATEMENT_BYTES + SIGNATURE_BYTES + length
  return [statement, signature, packed.index, ...packed.bodies, new Uint8Array(padded(signed) - signed)]
}
