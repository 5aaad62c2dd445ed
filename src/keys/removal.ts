import type { DeviceKey, IdentityKey } from '../base/ids.js'
import { MAX_REMOVED } from '../base/limits.js'
import { hex, list, object } from '../base/schema.js'
import { signWith, verifySignature } from './device.js'
import type { Root } from './identity.js'
import { fromHex } from './sodium.js'

/** The root's word that a device is no longer its own. It is for ever. */
export interface Removal {
  readonly device: DeviceKey
  /** Ed25519 by the identity, 128 hex digits. */
  readonly signature: string
}

/** JSON Schema of a removal, and of all of a person's. */
export const removalSchema = object({ device: hex(32), signature: hex(64) })
export const removalsSchema = list(removalSchema, MAX_REMOVED)

/** The removal of a device. */
export function removalOf(root: Root, device: DeviceKey): Removal {
  return { device, signature: signWith(root, REMOVAL, removed(root.identity, device)) }
}

/** Whether the identity has signed the removal. */
export function isRemoval(identity: IdentityKey, { device, signature }: Removal): boolean {
  return verifySignature(identity, REMOVAL, removed(identity, device), signature)
}

/** Whether removals are in rising order, each device once, and all signed by the identity. */
export function areRemovals(identity: IdentityKey, removals: readonly Removal[]): boolean {
  const rising = removals.every(({ device }, i) => i === 0 || removals[i - 1]!.device < device)
  return rising && removals.every((removal) => isRemoval(identity, removal))
}

/** What is in either, in rising order, each device once. The same whichever comes first. */
export function mergeRemovals(a: readonly Removal[], b: readonly Removal[]): Removal[] {
  const merged = new Map<DeviceKey, Removal>()
  for (const removal of [...a, ...b]) {
    const other = merged.get(removal.device)
    // A root can sign twice and differently: the lower signature is kept on every device.
    if (!other || removal.signature < other.signature) merged.set(removal.device, removal)
  }
  return [...merged.values()].sort((x, y) => (x.device < y.device ? -1 : 1))
}

/** Whether every device that `known` removes is removed by `next` too. */
export function includesAll(next: readonly Removal[], known: readonly Removal[]): boolean {
  const devices = new Set(next.map(({ device }) => device))
  return known.every(({ device }) => devices.has(device))
}

const REMOVAL = 'selkie/removal/v1'

function removed(identity: IdentityKey, device: DeviceKey): Uint8Array {
  return Buffer.concat([identity, device].map(fromHex))
}
