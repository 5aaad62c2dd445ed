import type { ContentHash, DeviceKey, IdentityKey, Uid, VersionHash } from '../base/ids.js'
import { MAX_PARENTS } from '../base/limits.js'
import { hex, list, object, whole } from '../base/schema.js'
import { fromHex, hash, toHex, u64 } from '../keys/sodium.js'
import { signWith, verifySignature, type DeviceSigner } from '../keys/device.js'

/** One immutable state of a skill, signed by the device of its author. */
export interface Version {
  readonly uid: Uid
  readonly content: ContentHash
  /** What it was made from, in rising order; empty for the first. */
  readonly parents: readonly VersionHash[]
  readonly author: IdentityKey
  readonly device: DeviceKey
  /** Seconds since 1970, by the author's clock. */
  readonly time: number
  /** Ed25519 by `device` over the version's hash, 128 hex digits. */
  readonly signature: string
}

/** JSON Schema of a version, wherever one is stored or sent. */
export const versionSchema = object({
  uid: hex(16),
  content: hex(32),
  parents: list(hex(32), MAX_PARENTS),
  author: hex(32),
  device: hex(32),
  time: whole(2 ** 32 - 1),
  signature: hex(64)
})

/**
 * The name of a version: BLAKE2b-256 over its uid, content hash, author, device, time
 * and parents. So a version names its whole past, as a commit does.
 */
export function versionHash(version: Omit<Version, 'signature'>): VersionHash {
  const { uid, content, author, device, time, parents } = version
  const parts = [uid, content, author, device].map(fromHex)
  return toHex(hash('selkie/version/v1', ...parts, u64(time), ...parents.map(fromHex))) as VersionHash
}

/** A new version, signed. */
export function signVersion(unsigned: Omit<Version, 'signature'>, signer: DeviceSigner): Version {
  const version = { ...unsigned, parents: [...unsigned.parents].sort() }
  return {
    ...version,
    signature: signWith(signer, 'selkie/version-signature/v1', fromHex(versionHash(version)))
  }
}

/**
 * Whether the device that the version names has signed it. That this device belongs to
 * the author is for its attestation to show.
 */
export function isSignedVersion(version: Version): boolean {
  return verifySignature(
    version.device,
    'selkie/version-signature/v1',
    fromHex(versionHash(version)),
    version.signature
  )
}
