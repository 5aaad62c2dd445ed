import type { BundleId, DeviceKey, IdentityKey } from '../base/ids.js'
import type { Attestation } from '../keys/identity.js'
import { fromHex, toHex, u64 } from '../keys/sodium.js'
import { u32 } from './format.js'

/** What the sender's device signs: who sends what to whom. */
export interface Statement {
  /** Hash of the envelope, 64 hex digits: it can't be moved behind another one. */
  readonly envelope: string
  /** BLAKE2b-256 of the payload's index, 64 hex digits. */
  readonly payload: string
  readonly recipient: IdentityKey
  /** The sender's identity, its device, and their word for each other. */
  readonly sender: Attestation
  readonly id: BundleId
  /** Milliseconds since 1970, by the sender's clock. */
  readonly created: number
  /** Rises with every bundle of this sender to this contact; at most 2^32 - 1. */
  readonly sequence: number
  /** Bytes of the payload's index, and of the whole payload. */
  readonly indexLength: number
  readonly payloadLength: number
}

export const STATEMENT_BYTES = 452

/** The statement in its one fixed layout. */
export function encodeStatement(statement: Statement): Uint8Array {
  const { envelope, payload, recipient, sender, id, created } = statement
  const keys = [
    envelope,
    payload,
    recipient,
    sender.identity,
    sender.device,
    sender.sealing,
    sender.attestor,
    sender.certificate,
    sender.signature,
    sender.consent,
    id
  ]
  const numbers = [statement.sequence, statement.indexLength, statement.payloadLength]
  return Buffer.concat([...keys.map(fromHex), u64(created), ...numbers.map(u32)])
}

/** The statement of {@link STATEMENT_BYTES} bytes. `created` is beyond 2^53 only when forged. */
export function decodeStatement(bytes: Uint8Array): Statement {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const hex = (from: number, length: number): string => toHex(bytes.subarray(from, from + length))
  return {
    envelope: hex(0, 32),
    payload: hex(32, 32),
    recipient: hex(64, 32) as IdentityKey,
    sender: {
      identity: hex(96, 32) as IdentityKey,
      device: hex(128, 32) as DeviceKey,
      sealing: hex(160, 32),
      attestor: hex(192, 32),
      certificate: hex(224, 64),
      signature: hex(288, 64),
      consent: hex(352, 64)
    },
    id: hex(416, 16) as BundleId,
    created: Number(view.getBigUint64(432, true)),
    sequence: view.getUint32(440, true),
    indexLength: view.getUint32(444, true),
    payloadLength: view.getUint32(448, true)
  }
}
