import { SelkieError } from '../base/errors.js'
import type { DeviceKey } from '../base/ids.js'
import { MAX_REMOVED } from '../base/limits.js'
import { readCard, signCard, type CardDevice } from '../keys/card.js'
import type { DeviceSigner } from '../keys/device.js'
import type { Root } from '../keys/identity.js'
import { mergeRemovals, type Removal } from '../keys/removal.js'
import { writeLaterEpoch, type Epoch } from '../store/epoch.js'
import { foundEpoch } from '../store/founding.js'
import type { DeviceRow } from '../store/rows.js'
import { seconds, type Self } from '../store/self.js'
import { stateOf } from './state.js'

/**
 * Founds the store anew, without the devices that are removed, with the state that it has
 * here and under a new key; and goes on with it. Killed before it is whole, the device
 * goes on as it was. To be called within a turn.
 *
 * @param signer the root; or this device, where it unites removals that the root has signed
 * @param removed all that are to be out, also those that were before
 * @throws SelkieError E_UPGRADE, E_REMOVALS_LIMIT
 */
export async function refound(
  self: Self,
  epoch: Epoch,
  signer: Root | DeviceSigner,
  removed: readonly Removal[]
): Promise<Epoch> {
  const { store, logs, clock, attestation, device } = self
  // It would leave behind what this build can't read.
  if (store.isBehind) throw new SelkieError('E_UPGRADE')
  const { card } = readCard((await store.view.get('owner'))!.card)
  const out = mergeRemovals(card.removed, removed)
  if (out.length > MAX_REMOVED) throw new SelkieError('E_REMOVALS_LIMIT', { limit: MAX_REMOVED })
  const gone = new Set<DeviceKey>(out.map((removal) => removal.device))
  const staying = [...store.memory.devices.values()].filter((row) => !gone.has(row.device))
  const next = {
    ...card,
    number: card.number + 1,
    devices: staying.map(cardDevice),
    removed: out
  }
  const founded = await foundEpoch({
    logs,
    clock,
    signer,
    attestation,
    card: signCard(next, signer),
    life: epoch.record.succession.life,
    state: stateOf(store, gone),
    time: seconds(clock)
  })
  await writeLaterEpoch(self.paths.keyfile, founded.epoch, device.sealing)
  await store.become(founded.store)
  return founded.epoch
}

/** A device as this person’s card names it. */
export function cardDevice({ name, sealing, attestation }: DeviceRow): CardDevice {
  return { name, sealing, attestation }
}
