import type Corestore from 'corestore'
import type { Clock } from '../base/clock.js'
import type { IdentityKey } from '../base/ids.js'
import type { Attestor } from '../keys/attestor.js'
import type { Device } from '../keys/device.js'
import type { Attestation } from '../keys/identity.js'
import type { HomePaths } from './home.js'
import type { Store } from './store.js'

/** This device of this person, with all that it keeps: what the verbs of the rooms work on. */
export interface Self {
  readonly identity: IdentityKey
  readonly device: Device
  readonly attestation: Attestation
  readonly attestor: Attestor
  readonly store: Store
  readonly logs: Corestore
  readonly paths: HomePaths
  readonly clock: Clock
}

/** The time as the store keeps it: whole seconds since 1970. */
export function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

/** A time that the store kept, as ISO 8601 in UTC. */
export function isoTime(time: number): string {
  return new Date(time * 1000).toISOString().replace('.000Z', 'Z')
}
