import { entropyToMnemonic, mnemonicToEntropy, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { SelkieError } from '../base/errors.js'
import type { DeviceKey, IdentityKey } from '../base/ids.js'
import { hex, object } from '../base/schema.js'
import { isCertified, type Attestor } from './attestor.js'
import { sealingKeyHash, signWith, verifySignature, type Device } from './device.js'
import { fromHex, hash, sodium, toHex } from './sodium.js'

/** A person's root key while it is at hand: made from the words, used, and let go. */
export interface Root {
  readonly identity: IdentityKey
  /** libsodium's 64-byte Ed25519 secret key. */
  readonly secret: Uint8Array
  /** 32 bytes, from which the root and all that belongs to it are made. */
  readonly seed: Uint8Array
}

/**
 * A person's word that a device is their own, and the device's that it belongs to them:
 * without the second, anyone could claim a device that is someone else's.
 */
export interface Attestation {
  readonly identity: IdentityKey
  readonly device: DeviceKey
  /** {@link sealingKeyHash} of the device's sealing key. */
  readonly sealing: string
  /** The attestor's key, 64 hex digits. */
  readonly attestor: string
  /** Ed25519 by the identity over the attestor's key, 128 hex digits. */
  readonly certificate: string
  /** Ed25519 by the attestor over identity, device and sealing, 128 hex digits. */
  readonly signature: string
  /** Ed25519 by the device over the same, 128 hex digits. */
  readonly consent: string
}

/** JSON Schema of an attestation, wherever one is stored or sent. */
export const attestationSchema = object({
  identity: hex(32),
  device: hex(32),
  sealing: hex(32),
  attestor: hex(32),
  certificate: hex(64),
  signature: hex(64),
  consent: hex(64)
})

/** What a device gives to be attested where its secret isn't. */
export type Consent = Pick<Attestation, 'device' | 'sealing' | 'consent'>

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
  return { identity: toHex(publicKey) as IdentityKey, secret: privateKey, seed }
}

/** The attestor's word for this device, with both its keys, and the device's consent. */
export function attest(attestor: Attestor, device: Device): Attestation {
  const sealing = sealingKeyHash(device.sealing.publicKey)
  const consent = consentOf(attestor.identity, device)
  return attested(attestor, { device: device.signer.key, sealing, consent })
}

/** The device's word that it belongs to the identity, 128 hex digits. */
export function consentOf(identity: IdentityKey, { signer, sealing }: Device): string {
  const claim = { identity, device: signer.key, sealing: sealingKeyHash(sealing.publicKey) }
  return signWith(signer, CONSENT, claimed(claim))
}

/**
 * The attestor's word for a device of which no secret is at hand.
 *
 * @returns undefined where the consent isn't that device's, to this identity
 */
export function attestConsenting(attestor: Attestor, consent: Consent): Attestation | undefined {
  return hasConsented({ ...consent, identity: attestor.identity }) ? attested(attestor, consent) : undefined
}

/** Whether the identity has certified the attestor, and attestor and device have signed. */
export function isAttestation(attestation: Attestation): boolean {
  const { identity, attestor, certificate, signature } = attestation
  return (
    isCertified({ identity, key: attestor, certificate }) &&
    verifySignature(attestor, ATTESTATION, claimed(attestation), signature) &&
    hasConsented(attestation)
  )
}

const ATTESTATION = 'selkie/attestation/v1'
const CONSENT = 'selkie/consent/v1'

function attested(attestor: Attestor, { device, sealing, consent }: Consent): Attestation {
  const { identity, key, certificate } = attestor
  const signature = signWith(attestor, ATTESTATION, claimed({ identity, device, sealing }))
  return { identity, device, sealing, attestor: key, certificate, signature, consent }
}

function hasConsented(claim: Consent & Pick<Attestation, 'identity'>): boolean {
  return verifySignature(claim.device, CONSENT, claimed(claim), claim.consent)
}

function claimed({
  identity,
  device,
  sealing
}: Pick<Attestation, 'identity' | 'device' | 'sealing'>): Uint8Array {
  return Buffer.concat([identity, device, sealing].map(fromHex))
}
