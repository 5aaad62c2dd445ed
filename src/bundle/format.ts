import { MAX_DEVICES } from '../base/limits.js'
import { HASH_BYTES, sodium, utf8, type Label } from '../keys/sodium.js'

/*
 * The constants of the sealed format, version 1, suite 1. docs/FORMAT.md uses the same
 * names; what is written there to the byte is decided here.
 */

/** What a bundle begins with: “SLKB”. */
export const MAGIC = utf8('SLKB')
export const VERSION = 1
/** X-Wing, XChaCha20-Poly1305, BLAKE2b-256, Ed25519. */
export const SUITE = 1

/** One label a use; none is shared. */
export const LABEL = {
  wrap: 'selkie/bundle/v1/wrap',
  commit: 'selkie/bundle/v1/commit',
  envelope: 'selkie/bundle/v1/envelope',
  stream: 'selkie/bundle/v1/stream',
  payload: 'selkie/bundle/v1/payload',
  statement: 'selkie/bundle/v1/statement'
} as const satisfies Record<string, Label>

/** Magic, version, suite, two bytes of flags, the number of stanzas. */
export const PREFIX_BYTES = 9
/** The numbers of stanzas that a bundle may have: how many devices there are isn't shown. */
export const STANZA_COUNTS: readonly number[] = [1, 2, 4, 8, MAX_DEVICES]

export const KEY_BYTES = 32
export const KEM_BYTES = sodium.crypto_kem_xwing_CIPHERTEXTBYTES
export const WRAPPED_BYTES = KEY_BYTES + sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES
/** A KEM ciphertext of 1,120 bytes and a wrapped key of 48. */
export const STANZA_BYTES = KEM_BYTES + WRAPPED_BYTES
export const COMMIT_BYTES = HASH_BYTES

export const STREAM_HEADER_BYTES = sodium.crypto_secretstream_xchacha20poly1305_HEADERBYTES
/** Plaintext of every chunk but the last, which has 1 to so many. */
export const CHUNK_BYTES = 64 * 1024
/** What a chunk grows by when it is encrypted: 17. */
export const CHUNK_OVERHEAD = sodium.crypto_secretstream_xchacha20poly1305_ABYTES
export const TAG_MESSAGE = sodium.crypto_secretstream_xchacha20poly1305_TAG_MESSAGE
export const TAG_FINAL = sodium.crypto_secretstream_xchacha20poly1305_TAG_FINAL

export const SIGNATURE_BYTES = 64

/** Bytes of the envelope: prefix, stanzas and commitment. */
export function envelopeLength(stanzas: number): number {
  return PREFIX_BYTES + stanzas * STANZA_BYTES + COMMIT_BYTES
}

/** Bytes of a whole bundle, from those of its envelope and of its padded inner part. */
export function sealedLength(envelope: number, inner: number): number {
  return envelope + STREAM_HEADER_BYTES + inner + Math.ceil(inner / CHUNK_BYTES) * CHUNK_OVERHEAD
}

/**
 * Bytes of the inner part of a bundle of `sealed` bytes; undefined where no bundle has
 * that size, as when it was cut.
 */
export function innerLength(envelope: number, sealed: number): number | undefined {
  const body = sealed - envelope - STREAM_HEADER_BYTES
  const chunks = Math.ceil(body / (CHUNK_BYTES + CHUNK_OVERHEAD))
  const inner = body - chunks * CHUNK_OVERHEAD
  return inner > 0 && sealedLength(envelope, inner) === sealed && padded(inner) === inner ? inner : undefined
}

/**
 * The PADMÉ length of `length` bytes, 1 to 2^30: at most 12 % more, and so few lengths
 * that they tell little. Nikitin et al., “Reducing Metadata Leakage from Encrypted
 * Files and Communication with PURBs”, 2019.
 */
export function padded(length: number): number {
  const exponent = bits(length) - 1
  const step = 2 ** Math.max(0, exponent - bits(exponent))
  return Math.ceil(length / step) * step
}

function bits(number: number): number {
  return 32 - Math.clz32(number)
}

/** An unsigned integer as 4 bytes, little-endian. */
export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}
