import { SelkieError } from '../base/errors.js'
import { MAX_DEVICES } from '../base/limits.js'
import { sealingKeyHash, type Device } from '../keys/device.js'
import { fromHex, hash, keyedHash, sodium } from '../keys/sodium.js'
import {
  COMMIT_BYTES,
  envelopeLength,
  KEM_BYTES,
  KEY_BYTES,
  LABEL,
  MAGIC,
  PREFIX_BYTES,
  STANZA_BYTES,
  STANZA_COUNTS,
  SUITE,
  VERSION,
  WRAPPED_BYTES
} from './format.js'

/** The front of a bundle, which carries its key to the devices, and what follows from it. */
export interface Envelope {
  /** Prefix, stanzas and commitment as they are written. */
  readonly bytes: Uint8Array
  /** BLAKE2b-256 of those bytes: what the stream and the statement are bound to. */
  readonly hash: Uint8Array
  /** The key of the stream. */
  readonly key: Uint8Array
}

type SealingPair = Device['sealing']

/** Every wrapping key is used once, so its nonce may be fixed. */
const NONCE = new Uint8Array(sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)

/**
 * A new envelope around a new bundle key, for the X-Wing public keys of 1 to 16
 * devices. The KEM, the key and the dummies take their randomness from libsodium.
 *
 * @throws SelkieError E_LIMIT_DEVICES
 */
export function envelopeTo(sealingKeys: readonly Uint8Array[]): Envelope {
  const count = STANZA_COUNTS.find((n) => n >= sealingKeys.length)
  if (!count || sealingKeys.length === 0) {
    throw new SelkieError('E_LIMIT_DEVICES', { count: sealingKeys.length, limit: MAX_DEVICES })
  }
  const bundleKey = sodium.randombytes_buf(KEY_BYTES)
  const bytes = new Uint8Array(envelopeLength(count))
  const prefix = prefixOf(count)
  bytes.set(prefix)
  for (let index = 0; index < count; index++) {
    const sealingKey = sealingKeys[index]
    const stanza = sealingKey
      ? stanzaFor(sealingKey, bundleKey, prefix, index)
      : // A dummy is a true stanza to a key that no one keeps: random bytes could be told apart.
        stanzaFor(
          sodium.crypto_kem_xwing_keypair().publicKey,
          sodium.randombytes_buf(KEY_BYTES),
          prefix,
          index
        )
    bytes.set(stanza, PREFIX_BYTES + index * STANZA_BYTES)
  }
  bytes.set(commitment(bundleKey, bytes), bytes.length - COMMIT_BYTES)
  return envelope(bytes, bundleKey)
}

/**
 * How many stanzas a bundle has, from its prefix, which must be exact. The bundle may
 * be cut short.
 *
 * @throws SelkieError E_BUNDLE_MAGIC, E_BUNDLE_VERSION, E_BUNDLE_STANZAS, E_BUNDLE_CUT
 */
export function readPrefix(bundle: Uint8Array): number {
  if (!MAGIC.every((byte, i) => bundle[i] === byte)) throw new SelkieError('E_BUNDLE_MAGIC')
  if (bundle.length < PREFIX_BYTES) throw new SelkieError('E_BUNDLE_CUT')
  const [version, suite, flagsLow, flagsHigh, count] = bundle.subarray(MAGIC.length)
  if (version !== VERSION || suite !== SUITE || flagsLow !== 0 || flagsHigh !== 0) {
    throw new SelkieError('E_BUNDLE_VERSION')
  }
  if (!STANZA_COUNTS.includes(count!)) throw new SelkieError('E_BUNDLE_STANZAS')
  return count!
}

/**
 * The envelope of a bundle, opened by a device.
 *
 * @param count what {@link readPrefix} gave; the bundle is long enough for it
 * @throws SelkieError E_BUNDLE_NOT_FOR_YOU, E_BUNDLE_COMMIT
 */
export function openEnvelope(bundle: Uint8Array, count: number, sealing: SealingPair): Envelope {
  const bytes = bundle.subarray(0, envelopeLength(count))
  const bundleKey = unwrapped(bytes, count, sealing)
  if (!bundleKey) throw new SelkieError('E_BUNDLE_NOT_FOR_YOU')
  if (!sodium.memcmp(commitment(bundleKey, bytes), bytes.subarray(-COMMIT_BYTES))) {
    throw new SelkieError('E_BUNDLE_COMMIT')
  }
  return envelope(bytes, bundleKey)
}

function prefixOf(count: number): Uint8Array {
  return Uint8Array.of(...MAGIC, VERSION, SUITE, 0, 0, count)
}

function stanzaFor(
  sealingKey: Uint8Array,
  bundleKey: Uint8Array,
  prefix: Uint8Array,
  index: number
): Uint8Array {
  const { ciphertext, sharedSecret } = sodium.crypto_kem_xwing_enc(sealingKey)
  const wrapKey = keyedHash(sharedSecret, LABEL.wrap)
  const context = stanzaContext(prefix, sealingKey, index)
  const wrapped = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(bundleKey, context, null, NONCE, wrapKey)
  return Buffer.concat([ciphertext, wrapped])
}

/** The bundle key from whichever stanza is this device's: none says whose it is. */
function unwrapped(bytes: Uint8Array, count: number, sealing: SealingPair): Uint8Array | undefined {
  const prefix = bytes.subarray(0, PREFIX_BYTES)
  for (let index = 0; index < count; index++) {
    const at = PREFIX_BYTES + index * STANZA_BYTES
    const ciphertext = bytes.subarray(at, at + KEM_BYTES)
    const wrapped = bytes.subarray(at + KEM_BYTES, at + KEM_BYTES + WRAPPED_BYTES)
    const context = stanzaContext(prefix, sealing.publicKey, index)
    try {
      const wrapKey = keyedHash(sodium.crypto_kem_xwing_dec(ciphertext, sealing.secretKey), LABEL.wrap)
      return sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(null, wrapped, context, NONCE, wrapKey)
    } catch {
      // Another device's, or a dummy.
    }
  }
  return undefined
}

function stanzaContext(prefix: Uint8Array, sealingKey: Uint8Array, index: number): Uint8Array {
  return Buffer.concat([prefix, fromHex(sealingKeyHash(sealingKey)), Uint8Array.of(index)])
}

function commitment(bundleKey: Uint8Array, bytes: Uint8Array): Uint8Array {
  return keyedHash(bundleKey, LABEL.commit, bytes.subarray(0, -COMMIT_BYTES))
}

function envelope(bytes: Uint8Array, bundleKey: Uint8Array): Envelope {
  const digest = hash(LABEL.envelope, bytes)
  return { bytes, hash: digest, key: keyedHash(bundleKey, LABEL.stream, digest) }
}
