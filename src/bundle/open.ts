import { SelkieError } from '../base/errors.js'
import type { BundleId, DeviceKey, IdentityKey, VersionHash } from '../base/ids.js'
import { MAX_BUNDLE } from '../base/limits.js'
import { verifySignature, type Device } from '../keys/device.js'
import { isAttestation } from '../keys/identity.js'
import { sodium, toHex } from '../keys/sodium.js'
import type { Version } from '../namespace/version.js'
import { openEnvelope, readPrefix, type Envelope } from './envelope.js'
import { envelopeLength, innerLength, LABEL, padded, SIGNATURE_BYTES } from './format.js'
import type { Payload } from './manifest.js'
import { decodeIndex, payloadHashOf, readFiles } from './payload.js'
import { decodeStatement, STATEMENT_BYTES, type Statement } from './statement.js'
import { decryptBehind } from './stream.js'
import { refuseUnsafePaths, verifyClosure } from './verify.js'

/** Who opens a bundle. */
export interface Opener {
  readonly identity: IdentityKey
  readonly sealing: Device['sealing']
}

/** The devices of a contact, or one's own; undefined for a stranger. */
export type DevicesOf = (identity: IdentityKey) => ReadonlySet<DeviceKey> | undefined

/** A bundle that has passed every check but those against what was received before. */
export interface Opened extends Payload {
  readonly id: BundleId
  readonly sender: IdentityKey
  readonly device: DeviceKey
  /** Of this sender to this receiver; a lower one than was seen is worth a warning. */
  readonly sequence: number
  /** Milliseconds since 1970, by the sender's clock. */
  readonly created: number
  /** 64 hex digits, over every byte of the payload. */
  readonly payloadHash: string
  readonly versions: ReadonlyMap<VersionHash, Version>
}

/**
 * Opens a sealed bundle. The order of the checks is part of the format: nothing is
 * allocated before its size is known, nothing parsed before it is authenticated.
 * Whether the id was seen before is for the caller to say (E_BUNDLE_SEEN).
 *
 * The files share memory with each other; `bytes` may be let go.
 *
 * @throws SelkieError, each check with a code of its own
 */
export function openBundle(bytes: Uint8Array, me: Opener, devicesOf: DevicesOf): Opened {
  const { envelope, inner } = unseal(bytes, me.sealing)
  const statement = readStatement(inner, envelope, me.identity)
  refuseStranger(statement, devicesOf)
  const { index, bodies } = readPayload(inner, statement)
  const { manifest, contents } = decodeIndex(index)
  refuseUnsafePaths({ manifest, contents })
  const files = readFiles(bodies, manifest)
  const versions = verifyClosure({ manifest, contents })
  const { id, sender, sequence, created, payload } = statement
  const { identity, device } = sender
  return {
    id,
    sender: identity,
    device,
    sequence,
    created,
    payloadHash: payload,
    manifest,
    contents,
    files,
    versions
  }
}

/**
 * Sizes, prefix, envelope and stream: what only a device of the recipient can do.
 *
 * @throws SelkieError E_BUNDLE_TOO_LARGE, E_BUNDLE_MAGIC, E_BUNDLE_VERSION,
 *   E_BUNDLE_STANZAS, E_BUNDLE_CUT, E_BUNDLE_NOT_FOR_YOU, E_BUNDLE_COMMIT,
 *   E_BUNDLE_DAMAGED, E_BUNDLE_TRAILING
 */
function unseal(bytes: Uint8Array, sealing: Device['sealing']): { envelope: Envelope; inner: Uint8Array } {
  if (bytes.length > MAX_BUNDLE) {
    throw new SelkieError('E_BUNDLE_TOO_LARGE', { size: bytes.length, limit: MAX_BUNDLE })
  }
  const stanzas = readPrefix(bytes)
  const length = innerLength(envelopeLength(stanzas), bytes.length)
  if (length === undefined || length < STATEMENT_BYTES + SIGNATURE_BYTES)
    throw new SelkieError('E_BUNDLE_CUT')
  const envelope = openEnvelope(bytes, stanzas, sealing)
  return { envelope, inner: decryptBehind(envelope, bytes, length) }
}

/**
 * The statement, signed by a device that its identity has attested, to this person and
 * behind this envelope.
 *
 * @throws SelkieError E_BUNDLE_RECIPIENT, E_BUNDLE_ENVELOPE, E_BUNDLE_ATTESTATION,
 *   E_BUNDLE_SIGNATURE, E_BUNDLE_TIME
 */
function readStatement(inner: Uint8Array, envelope: Envelope, me: IdentityKey): Statement {
  const signed = inner.subarray(0, STATEMENT_BYTES)
  const signature = toHex(inner.subarray(STATEMENT_BYTES, STATEMENT_BYTES + SIGNATURE_BYTES))
  const statement = decodeStatement(signed)
  if (statement.recipient !== me) throw new SelkieError('E_BUNDLE_RECIPIENT')
  if (statement.envelope !== toHex(envelope.hash)) throw new SelkieError('E_BUNDLE_ENVELOPE')
  if (!isAttestation(statement.sender)) throw new SelkieError('E_BUNDLE_ATTESTATION')
  if (!verifySignature(statement.sender.device, LABEL.statement, signed, signature)) {
    throw new SelkieError('E_BUNDLE_SIGNATURE')
  }
  if (statement.created > MAX_CREATED) throw new SelkieError('E_BUNDLE_TIME')
  return statement
}

/** The last millisecond of the year 9999, beyond which ISO 8601 has no four-digit year. */
const MAX_CREATED = 253_402_300_799_999

function refuseStranger({ sender }: Statement, devicesOf: DevicesOf): void {
  const devices = devicesOf(sender.identity)
  if (!devices) throw new SelkieError('E_BUNDLE_SENDER', { identity: sender.identity })
  if (!devices.has(sender.device)) throw new SelkieError('E_BUNDLE_DEVICE')
}

/**
 * The payload as the statement gives it: its index by hash, its bodies by length, and
 * behind it the zeros that its length asks for.
 *
 * @throws SelkieError E_BUNDLE_LENGTH, E_BUNDLE_PADDING, E_BUNDLE_PAYLOAD
 */
function readPayload(inner: Uint8Array, statement: Statement): { index: Uint8Array; bodies: Uint8Array } {
  const { payload, indexLength, payloadLength } = statement
  const from = STATEMENT_BYTES + SIGNATURE_BYTES
  const to = from + payloadLength
  if (indexLength > payloadLength || padded(to) !== inner.length) throw new SelkieError('E_BUNDLE_LENGTH')
  if (!sodium.is_zero(inner.subarray(to))) throw new SelkieError('E_BUNDLE_PADDING')
  const index = inner.subarray(from, from + indexLength)
  if (payloadHashOf(index) !== payload) throw new SelkieError('E_BUNDLE_PAYLOAD')
  return { index, bodies: inner.subarray(from + indexLength, to) }
}
