import type { DeviceKey } from '../base/ids.js'
import { fromHex, hash, sodium, toHex, utf8, type Label } from './sodium.js'

/** What a device signs with: its public key, and libsodium's 64-byte Ed25519 secret key. */
export interface DeviceSigner {
  readonly key: DeviceKey
  readonly secret: Uint8Array
}

/** The secrets of one installation, from its two 32-byte seeds. */
export interface Device {
  readonly signer: DeviceSigner
  /** X-Wing (ML-KEM-768 with X25519): public key 1,216 bytes, secret key 32 bytes. */
  readonly sealing: { readonly publicKey: Uint8Array; readonly secretKey: Uint8Array }
}

/** The two seeds that a device is made of, 32 bytes each. They are all that is kept. */
export interface DeviceSeeds {
  readonly signing: Uint8Array
  readonly sealing: Uint8Array
}

export const SEED_BYTES = 32
export const SEALING_KEY_BYTES = sodium.crypto_kem_xwing_PUBLICKEYBYTES

/** The device of two seeds. */
export function deviceFrom(seeds: DeviceSeeds): Device {
  const signing = sodium.crypto_sign_seed_keypair(seeds.signing)
  const sealing = sodium.crypto_kem_xwing_seed_keypair(seeds.sealing)
  return {
    signer: { key: toHex(signing.publicKey) as DeviceKey, secret: signing.privateKey },
    sealing: { publicKey: sealing.publicKey, secretKey: sealing.privateKey }
  }
}

/** Whether something can be sealed to a public key: not every 1,216 bytes are one. */
export function isSealingKey(publicKey: Uint8Array): boolean {
  try {
    return sodium.crypto_kem_xwing_enc(publicKey).ciphertext.length > 0
  } catch {
    return false
  }
}

/** BLAKE2b-256 of a sealing key, 64 hex digits: what stands for it in an attestation. */
export function sealingKeyHash(publicKey: Uint8Array): string {
  return toHex(hash('selkie/sealing-key/v1', publicKey))
}

/**
 * Ed25519 over a label and bytes, the label's length in front, as 128 hex digits.
 */
export function signWith(signer: { readonly secret: Uint8Array }, label: Label, bytes: Uint8Array): string {
  return toHex(sodium.crypto_sign_detached(labelled(label, bytes), signer.secret))
}

/** Whether `signature` is that of `key` over the label and the bytes. Never throws. */
export function verifySignature(key: string, label: Label, bytes: Uint8Array, signature: string): boolean {
  const publicKey = fromHex(key)
  const raw = fromHex(signature)
  if (publicKey.length !== 32 || raw.length !== 64) return false
  return sodium.crypto_sign_verify_detached(raw, labelled(label, bytes), publicKey)
}

function labelled(label: Label, bytes: Uint8Array): Uint8Array {
  const name = utf8(label)
  return Buffer.concat([Uint8Array.of(name.length), name, bytes])
}
