import sodium from 'libsodium-wrappers'

// The functions exist only after this, so whoever imports this file gets them whole.
await sodium.ready

/** libsodium, initialised. Nothing else in Selkie imports it. */
export { sodium }

/**
 * The label of a use, in front of everything that is hashed or signed for it, so that
 * a value made for one use can never pass for another.
 */
export type Label = `selkie/${string}`

/**
 * BLAKE2b-256 over `label` and `parts`, each preceded by its length as u64
 * little-endian, so that no two lists of parts hash alike.
 *
 * @returns 32 bytes
 */
export function hash(label: Label, ...parts: readonly Uint8Array[]): Uint8Array {
  return digest(null, label, parts)
}

/** Like {@link hash}, keyed with 32 bytes. */
export function keyedHash(key: Uint8Array, label: Label, ...parts: readonly Uint8Array[]): Uint8Array {
  return digest(key, label, parts)
}

function digest(key: Uint8Array | null, label: Label, parts: readonly Uint8Array[]): Uint8Array {
  const state = sodium.crypto_generichash_init(key, HASH_BYTES)
  for (const part of [utf8(label), ...parts]) {
    sodium.crypto_generichash_update(state, u64(part.length))
    sodium.crypto_generichash_update(state, part)
  }
  return sodium.crypto_generichash_final(state, HASH_BYTES)
}

export const HASH_BYTES = 32

/** An unsigned integer up to 2^53 as 8 bytes, little-endian. */
export function u64(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true)
  return bytes
}

const encoder = new TextEncoder()

/** The text in UTF-8. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Lower-case hex of `bytes`. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** The bytes of lower-case hex that was checked before. */
export function fromHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}
