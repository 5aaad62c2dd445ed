import type { IdentityKey } from '../base/ids.js'
import { signWith, verifySignature } from './device.js'
import { fromHex, hash, sodium, toHex } from './sodium.js'

/**
 * The key that attests a person's devices. Their root has certified it, and all their
 * devices keep its seed: so one of them can take in another without the words.
 */
export interface Attestor {
  readonly identity: IdentityKey
  /** Ed25519 public key, 64 hex digits. */
  readonly key: string
  /** libsodium's 64-byte Ed25519 secret key. */
  readonly secret: Uint8Array
  /** 32 bytes, from which `key` and `secret` are made: what is stored, and handed to a new device. */
  readonly seed: Uint8Array
  /** Ed25519 by the identity over `key`, 128 hex digits. */
  readonly certificate: string
}

/** The attestor of a root, the same each time. It takes a root apart: whoever has one has the words. */
export function attestorOf(root: {
  readonly identity: IdentityKey
  readonly secret: Uint8Array
  readonly seed: Uint8Array
}): Attestor {
  const seed = hash('selkie/attestor-seed/v1', root.seed)
  const { publicKey } = sodium.crypto_sign_seed_keypair(seed)
  return attestorFrom(seed, root.identity, signWith(root, CERTIFICATE, publicKey))
}

/** The attestor of a seed that was kept. Whether the certificate is right, {@link isCertified} says. */
export function attestorFrom(seed: Uint8Array, identity: IdentityKey, certificate: string): Attestor {
  const { publicKey, privateKey } = sodium.crypto_sign_seed_keypair(seed)
  return { identity, key: toHex(publicKey), secret: privateKey, seed, certificate }
}

/** Whether the identity has certified the key as its attestor. Never throws. */
export function isCertified({ identity, key, certificate }: Omit<Attestor, 'secret' | 'seed'>): boolean {
  return verifySignature(identity, CERTIFICATE, fromHex(key), certificate)
}

const CERTIFICATE = 'selkie/attestor/v1'
