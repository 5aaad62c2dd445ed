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

/**
 * A root's word that a device is its own, and the device's that it belongs to that root:
 * without the second, anyone could claim a device that is someone else's.
 */
export interface Attestation {
  readonly identity: IdentityKey
  readonly device: DeviceKey
  /** {@link sealingKeyHash} of the device's sealing key. */
  readonly sealing: string
  /** Ed25519 by the identity, 128 hex digits. */
  readonly signature: string
  /** Ed25519 by the device over the same, 128 hex digits. */
  readonly consent: string
}

/** JSON Schema of an attestation, wherever one is stored or sent. */
export const attestationSchema = object({
  identity: hex(32),
  device: hex(32),
  sealing: hex(32),
  signature: hex(64),
  consent: hex(64)
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

/** The root's word that this device, with both its keys, is its own, and the device's consent. */
export function attest(root: Root, device: Device): Attestation {
  const claim = {
    identity: root.identity,
    device: device.signer.key,
    sealing: sealingKeyHash(device.sealing.publicKey)
  }
  return {
    ...claim,
    signature: signWith(root, ATTESTATION, claimed(claim)),
    consent: signWith(device.signer, CONSENT, claimed(claim))
  }
}

/** Whether the identity has signed the attestation, and the device too. */
export function isAttestation(attestation: Attestation): boolean {
  const { identity, device, signature, consent } = attestation
  const claim = claimed(attestation)
  return (
    verifySignature(identity, ATTESTATION, claim, signature) &&
    verifySignature(device, CONSENT, claim, consent)
  )
}

const ATTESTATION = 'selkie/attestation/v1'
const CONSENT = 'selkie/consent/v1'

function claimed({
  identity,
  device,
  sealing
}: Pick<Attestation, 'identity' | 'device' | 'sealing'>): Uint8Array {
  return Buffer.concat([identity, device, sealing].map(fromHex))
}
