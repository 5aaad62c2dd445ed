import type { Card } from '../keys/card.js'
import { deviceKeys } from '../keys/card.js'
import { isSelkieError, SelkieError } from '../base/errors.js'
import { attestorFrom } from '../keys/attestor.js'
import type { DeviceSeeds } from '../keys/device.js'
import { deviceFrom } from '../keys/device.js'
import { fromHex } from '../keys/sodium.js'
import { openLogs, systemClock, writeSecrets, type HomePaths } from '../store/home.js'
import type { Self } from '../store/self.js'
import { Store } from '../store/store.js'
import { readSuccession } from '../store/succession.js'
import { Presence } from '../wire/presence.js'
import type { Taken } from './call.js'
import { LocalNotes } from './local-notes.js'
import { takeNotices } from './notices.js'
import { Siblings } from './siblings.js'

/**
 * Makes a home a device that was taken in: meets the others, waits until they let it in
 * to append and all that they have is here, and only then writes the key file. Killed
 * before, there is no home.
 *
 * @returns what the others call it, and how many skills came
 */
export async function enterStore(options: {
  readonly paths: HomePaths
  readonly seeds: DeviceSeeds
  readonly taken: Taken
  readonly passphrase: string | undefined
  readonly bootstrap: readonly string[] | undefined
}): Promise<{ deviceName: string; skills: number }> {
  const { paths, seeds, taken, bootstrap } = options
  const { welcome, card } = taken
  const device = deviceFrom(seeds)
  const { attestation, rejoining, encryption } = welcome
  const record = readSuccession(welcome.record)
  const { base } = record.succession
  const epoch = { place: base, base, encryption, record, former: [] }
  const attestorSeed = fromHex(welcome.attestor)
  const attestor = attestorFrom(attestorSeed, attestation.identity, attestation.certificate)
  const logs = await openLogs(paths)
  try {
    const store = await Store.join(logs, epoch)
    const { identity } = attestation
    const self: Self = { identity, device, attestation, attestor, store, logs, paths, clock: systemClock }
    const entered = await meetUntilIn(self, epoch, card, bootstrap)
    const skills = store.namespace.live().length
    const deviceName = store.memory.devices.get(device.signer.key)!.name
    await entered.close()
    // What came about before this device was there is no news on it.
    await takeNotices(self, await LocalNotes.open(paths.home))
    await store.close()
    const secrets = { seeds, attestation, attestorSeed, rejoining, epoch: entered.epoch }
    await writeSecrets(paths, secrets, options.passphrase, systemClock)
    return { deviceName, skills }
  } finally {
    await logs.close()
  }
}

/** Milliseconds without anything new after which the others count as gone. */
const PATIENCE = 60_000

/**
 * Meets the person’s other devices until they have let this one in to append, and all that
 * they have is here.
 *
 * @param card that names them
 * @param patience milliseconds without anything new after which the others count as gone
 * @throws SelkieError E_JOIN_UNREACHED where nothing new has come for a while
 */
export async function meetUntilIn(
  self: Self,
  epoch: Siblings['epoch'],
  card: Card,
  bootstrap: readonly string[] | undefined,
  patience = PATIENCE
): Promise<{ epoch: Siblings['epoch']; close: () => Promise<void> }> {
  const { store } = self
  const waiting = waitUntilIn(store, patience)
  const siblings = new Siblings(self, epoch, {
    membersChanged: () => {},
    // Whoever says something that isn’t so is passed over; the others go on.
    failed: (error) => isSelkieError(error, 'E_SUCCESSION') || waiting.fail(error)
  })
  const presence = new Presence(self.device.signer, {
    contact: (connection) => void connection.destroy(),
    guest: (connection) => void connection.destroy(),
    sibling: (connection, device) => siblings.meet(connection, device)
  })
  const others = deviceKeys(card).filter((key) => key !== self.device.signer.key)
  presence.admit({ contacts: new Set(), awaited: new Set(), siblings: new Set(others), guests: new Set() })
  const close = async (): Promise<void> => {
    await presence.close()
    await siblings.close()
  }
  try {
    await presence.goOnline(bootstrap)
    await waiting.entered
  } catch (error) {
    await close()
    throw error
  }
  return { epoch: siblings.epoch, close }
}

/** Settles once this device may append and has what is there; fails where nothing new comes for a while. */
function waitUntilIn(
  store: Store,
  patience: number
): { entered: Promise<void>; fail: (error: unknown) => void } {
  let fail!: (error: unknown) => void
  let timer: NodeJS.Timeout | undefined
  let look!: () => void
  const entered = new Promise<void>((resolve, reject) => {
    fail = reject
    look = () => {
      clearTimeout(timer)
      timer = setTimeout(() => reject(new SelkieError('E_JOIN_UNREACHED')), patience)
      void store.isEntered().then((isIn) => isIn && resolve(), reject)
    }
    store.on('change', look)
    store.on('writable', look)
    look()
  }).finally(() => {
    store.off('change', look)
    store.off('writable', look)
    clearTimeout(timer)
  })
  return { entered, fail }
}
