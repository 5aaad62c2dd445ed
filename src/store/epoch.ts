import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SelkieError } from '../base/errors.js'
import { makeFolder } from '../base/make-folder.js'
import { decode, encode } from '../base/msgpack.js'
import { replaceFile } from '../base/replace-file.js'
import { hex, list, object, shape } from '../base/schema.js'
import { envelopeTo, openEnvelope, readPrefix } from '../bundle/envelope.js'
import type { Device } from '../keys/device.js'
import { fromHex, keyedHash, sodium } from '../keys/sodium.js'
import { readSuccession, type SignedSuccession } from './succession.js'

/** Where a base lies on this device, and what opens it. */
export interface Place {
  /** The name that its logs have on this device, 64 hex digits. */
  readonly place: string
  /** Public key of the Autobase, 64 hex digits. */
  readonly base: string
  /** What its logs and its view are encrypted with, 64 hex digits. */
  readonly encryption: string
}

/** One base of a store, as a device lives in it, and the record by which it is the one. */
export interface Epoch extends Place {
  readonly record: SignedSuccession
  /** Where this device lived before, the oldest first: what it said there may not be in this one yet. */
  readonly former: readonly Place[]
}

/** The epoch of a record, with all that a device has lived in before it. */
export function epochAfter(
  before: Epoch,
  { place, base, encryption }: Place,
  record: SignedSuccession
): Epoch {
  const { former, place: last, base: lastBase, encryption: lastKey } = before
  const lived = [...former, { place: last, base: lastBase, encryption: lastKey }].slice(-MAX_FORMER)
  return { place, base, encryption, record, former: lived }
}

/** Former epochs that are remembered: a device that comes back after more removals than these follows all the same. */
const MAX_FORMER = 8

/** Hex digits of a place. */
export const PLACE = 64

const isInside = shape<{ encryption: string; former: Place[] }>(
  object({
    encryption: hex(32),
    former: list(object({ place: hex(PLACE / 2), base: hex(32), encryption: hex(32) }), MAX_FORMER)
  })
)
const hasShape = shape<{ place: string; record: Uint8Array; envelope: Uint8Array; sealed: Uint8Array }>(
  object({ place: hex(PLACE / 2), record: {}, envelope: {}, sealed: {} })
)

/**
 * The epoch that a device has gone on to since its key file was written, or undefined.
 *
 * @throws SelkieError E_KEY_DAMAGED
 */
export async function readLaterEpoch(
  keyfile: string,
  sealing: Device['sealing']
): Promise<Epoch | undefined> {
  const path = recordPath(keyfile)
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const value = decode(new Uint8Array(bytes))
    if (!hasShape(value)) throw new SelkieError('E_KEY_DAMAGED', { path })
    const { place, record, envelope, sealed } = value
    const beside = associated(place, record)
    const wrapKey = keyOf(openEnvelope(envelope, readPrefix(envelope), sealing).key)
    const opened = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(null, sealed, beside, NONCE, wrapKey)
    const inside = decode(opened)
    if (!isInside(inside)) throw new SelkieError('E_KEY_DAMAGED', { path })
    const signed = readSuccession(record)
    return { place, base: signed.succession.base, ...inside, record: signed }
  } catch (cause) {
    throw new SelkieError('E_KEY_DAMAGED', { path }, { cause })
  }
}

/**
 * Keeps the epoch that this device goes on to; from then on it opens that one. Its key is
 * sealed to the device: so the key file, which may be under a passphrase, stays as it is.
 */
export async function writeLaterEpoch(
  keyfile: string,
  { place, encryption, record, former }: Epoch,
  sealing: Device['sealing']
): Promise<void> {
  const { bytes: envelope, key } = envelopeTo([sealing.publicKey])
  const beside = associated(place, record.bytes)
  const sealed = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
    encode({ encryption, former }),
    beside,
    null,
    NONCE,
    keyOf(key)
  )
  const path = recordPath(keyfile)
  // A device that is just joining has no key file yet.
  await makeFolder(dirname(path), 0o700)
  await replaceFile(path, encode({ place, record: record.bytes, envelope, sealed }))
}

/** Every wrapping key is used once, so its nonce may be fixed. */
const NONCE = new Uint8Array(sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)

function keyOf(key: Uint8Array): Uint8Array {
  return keyedHash(key, 'selkie/epoch-file/v1')
}

/** What the key is sealed with: so that the file is this one whole. */
function associated(place: string, record: Uint8Array): Uint8Array {
  return Buffer.concat([fromHex(place), record])
}

function recordPath(keyfile: string): string {
  return join(dirname(keyfile), 'epoch')
}
