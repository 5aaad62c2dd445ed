import { entropyToMnemonic, mnemonicToEntropy, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { SelkieError } from '../base/errors.js'
import type { DeviceKey, IdentityKey } from '../base/ids.js'
import { hex, object } from '../base/schema.js'
import { sealingKeyHash, signWith, verifySignature, type Device } from './device.js'
import { fromHex, hash, sodium, toHex } from './sodium.js'

/** A person's root key while it is at hand: made from the words, used, and let go. */
export interface Root {
  readonly identity: IdentityKey
  readonly secret: Uint8Array
}

/** A root's word that a device is its own. */
export interface Attestation {
  readonly identity: IdentityKey
  readonly device: DeviceKey
  /** {@link sealingKeyHash} of the device's sealing key. */
  readonly sealing: string
  /** Ed25519 by the identity, 128 hex digits. */
  readonly signature: string
}

/** JSON Schema of an attestation, wherever one is stored or sent. */
export const attestationSchema = object({
  identity: hex(32),
  device: hex(32),
  sealing: hex(32),
  signature: hex(64)
})

/** 24 words of the English BIP-39 list for 32 random bytes. */
export function wordsFrom(entropy: Uint8Array): string {
  return entropyToMnemonic(entropy, wordlist)
}

/**
 * The root key of 24 words, in any case and spacing.
 *
 * @throws SelkieError E_WORDS when a word is not in the list or the checksum is wrong
 */
export function rootFrom(words: string): Root {
  const plain = words.trim().toLowerCase().split(/\s+/).join(' ')
  if (plain.split(' ').length !== 24 || !validateMnemonic(plain, wordlist)) throw new SelkieError('E_WORDS')
  const seed = hash('selkie/root-seed/v1', mnemonicToEntropy(plain, wordlist))
  const { publicKey, privateKey } = sodium.crypto_sign_seed_keypair(seed)
  return { identity: toHex(publicKey) as IdentityKey, secret: privateKey }
}

/** The root's word that this device, with both its keys, is its own. */
export function attest(root: Root, device: Device): Attestation {
  const claim = {
    identity: root.identity,
    device: device.signer.key,
    sealing: sealingKeyHash(device.sealing.publicKey)
  }
  return { ...claim, signature: signWith(root, 'selkie/attestation/v1', attested(claim)) }
}

/** Whether the identity has signed the attestation. */
export function isAttestation(attestation: Attestation): boolean {
  return verifySignature(
    attestation.identity,
    'selkie/attestation/v1',
    attested(attestation),
    attestation.signature
  )
}

function attested({ identity, device, sealing }: Omit<Attestation, 'signature'>): Uint8Array {
  return Buffer.concat([identity, device, sealing].map(fromHex))
}
