import { SelkieError } from '../base/errors.js'
import type { DeviceKey } from '../base/ids.js'
import { MAX_REMOVED } from '../base/limits.js'
import { readCard, signCard, type CardDevice } from '../keys/card.js'
import type { DeviceSigner } from '../keys/device.js'
import type { Root } from '../keys/identity.js'
import { mergeRemovals, type Removal } from '../keys/removal.js'
import { epochAfter, writeLaterEpoch, type Epoch } from '../store/epoch.js'
import { foundEpoch } from '../store/founding.js'
import type { DeviceRow } from '../store/rows.js'
import { seconds, type Self } from '../store/self.js'
import { carryOver } from './carry.js'
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
  const { card } = readCard((await store.view.get('owner'))!.card)
  const out = mergeRemovals(card.removed, removed)
  if (out.length > MAX_REMOVED) throw new SelkieError('E_REMOVALS_LIMIT', { limit: MAX_REMOVED })
  const gone = new Set<DeviceKey>(out.map((removal) => removal.device))
  // What this build can't read would be left behind: only what the removed have written may be.
  if (store.isBehind) {
    const newer = await store.behindOf()
    if (newer.length === 0 || !newer.every((each) => gone.has(each))) throw new SelkieError('E_UPGRADE')
  }
  const staying = [...store.memory.devices.values()].filter((row) => !gone.has(row.device))
  const renewed = {
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
    card: signCard(renewed, signer),
    life: epoch.record.succession.life,
    state: stateOf(store, gone),
    time: seconds(clock)
  })
  // What this device has said behind an entry that it couldn't read is in no view yet.
  await carryOver(store, founded.store, epoch.former)
  const next = epochAfter(epoch, founded.epoch, founded.epoch.record)
  await writeLaterEpoch(self.paths.keyfile, next, device.sealing)
  await store.become(founded.store)
  return next
}

/** A device as this person’s card names it. */
export function cardDevice({ name, sealing, attestation }: DeviceRow): CardDevice {
  return { name, sealing, attestation }
}
