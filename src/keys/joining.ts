import type { Root } from './identity.js'
import { hash, sodium, toHex, type Label } from './sodium.js'

/** The key under which a machine that isn't a device yet calls a person's devices. */
export interface JoiningKey {
  /** Ed25519, 64 hex digits: the one that the called device lets in. */
  readonly publicKey: string
  /** libsodium's 64-byte Ed25519 secret key. */
  readonly secret: Uint8Array
}

/** Of an invite's 16-byte seed. */
export function joiningKeyFrom(seed: Uint8Array): JoiningKey {
  return keyOf('selkie/invite-seed/v1', seed)
}

/** Of the 24 words alone: an invite that never ends. The devices keep its public half. */
export function joiningKeyOf(root: Root): JoiningKey {
  return keyOf('selkie/rejoining-seed/v1', root.seed)
}

function keyOf(label: Label, seed: Uint8Array): JoiningKey {
  const { publicKey, privateKey } = sodium.crypto_sign_seed_keypair(hash(label, seed))
  return { publicKey: toHex(publicKey), secret: privateKey }
}
