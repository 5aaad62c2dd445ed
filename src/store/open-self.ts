import { attestorFrom } from '../keys/attestor.js'
import { deviceFrom } from '../keys/device.js'
import { readLaterEpoch, type Epoch } from './epoch.js'
import { openLogs, pathsOf, readSecrets, systemClock } from './home.js'
import type { Self } from './self.js'
import { Store } from './store.js'

/** A home that this process holds. */
export interface Opened {
  readonly self: Self
  /** The one that the store is open in. */
  readonly epoch: Epoch
  /** The key under which a machine that has only the words calls, 64 hex digits. */
  readonly rejoining: string
}

/**
 * Opens a home: its logs, which this process holds until they are closed, and its store.
 *
 * @param passphrase asked for only where the home's keys are under one
 * @param copied opens it also when it is a copy, for whoever makes one the device
 * @throws SelkieError E_HOME_NONE, E_HOME_BUSY, E_HOME_COPIED, E_KEY_…, E_PASSPHRASE, E_STORE_KEY
 */
export async function openSelf(
  home: string,
  passphrase: () => Promise<string>,
  { copied = false } = {}
): Promise<Opened> {
  const paths = pathsOf(home)
  const secrets = await readSecrets(paths, passphrase)
  const { attestation, attestorSeed, rejoining } = secrets
  const { identity, certificate } = attestation
  const device = deviceFrom(secrets.seeds)
  const epoch = (await readLaterEpoch(paths.keyfile, device.sealing)) ?? secrets.epoch
  const logs = await openLogs(paths, { copied })
  try {
    const store = await Store.open(logs, epoch)
    const attestor = attestorFrom(attestorSeed, identity, certificate)
    const self = { identity, device, attestation, attestor, store, logs, paths, clock: systemClock }
    return { self, epoch, rejoining }
  } catch (error) {
    await logs.close()
    throw error
  }
}
