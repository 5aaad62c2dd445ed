import { checkedName } from '../base/name.js'
import type { OwnDevice } from '../api.js'
import { SelkieError } from '../base/errors.js'
import { readCard, signCard } from '../keys/card.js'
import { rootFrom } from '../keys/identity.js'
import { removalOf } from '../keys/removal.js'
import type { DeviceRow } from '../store/rows.js'
import { isoTime, type Self } from '../store/self.js'
import { cardDevice, refound } from './refound.js'
import type { Siblings } from './siblings.js'

/** This person's devices, this one first, then by when they were added. */
export function deviceRows(self: Self): DeviceRow[] {
  const rank = ({ device }: DeviceRow): number => (device === self.device.signer.key ? 0 : 1)
  const rows = [...self.store.memory.devices.values()]
  return rows.sort((a, b) => rank(a) - rank(b) || a.added - b.added || (a.device < b.device ? -1 : 1))
}

/** A device as its person sees it. `seen` and `online` are of the moment. */
export function deviceShown(
  self: Self,
  row: DeviceRow,
  { seen, online }: { seen: number | undefined; online: boolean }
): OwnDevice {
  const { device, name, added, refused } = row
  const current = device === self.device.signer.key
  return {
    name,
    device,
    added: isoTime(added),
    seen: current || seen === undefined ? null : isoTime(seen),
    online: current || online,
    current,
    refused
  }
}

/**
 * The device that a person named: by its key, by at least eight digits that it begins
 * with, or by name in any case.
 *
 * @throws SelkieError E_DEVICE_UNKNOWN, E_DEVICE_WHICH
 */
export function namedDevice(self: Self, typed: string): DeviceRow {
  const rows = deviceRows(self)
  const wanted = typed.trim().toLowerCase()
  const keyed = wanted.length < 8 ? [] : rows.filter(({ device }) => device.startsWith(wanted))
  const found = keyed.length > 0 ? keyed : rows.filter(({ name }) => name.toLowerCase() === wanted)
  if (found.length > 1) {
    const keys = found.map(({ device }) => device.slice(0, 12)).join(', ')
    throw new SelkieError('E_DEVICE_WHICH', { device: typed, keys })
  }
  if (!found[0]) throw new SelkieError('E_DEVICE_UNKNOWN', { device: typed })
  return found[0]
}

/**
 * Calls a device otherwise, for all of them.
 *
 * @throws SelkieError E_NAME, E_DEVICE_UNKNOWN, E_DEVICE_WHICH, E_UPGRADE
 */
export async function renameDevice(self: Self, typed: string, name: string): Promise<DeviceRow> {
  const plain = checkedName(name)
  return self.store.turn(async () => {
    const row = namedDevice(self, typed)
    await self.store.append({ type: 'device-name', device: row.device, name: plain })
    return self.store.memory.devices.get(row.device)!
  })
}

/**
 * Removes a device for good: the root says so, and the store is founded anew without it.
 *
 * @param words the 24; they aren't kept
 * @throws SelkieError E_WORDS, E_WORDS_OTHER, E_DEVICE_UNKNOWN, E_DEVICE_WHICH,
 *   E_DEVICE_CURRENT, and what {@link refound} refuses
 */
export async function removeDevice(
  self: Self,
  siblings: Siblings,
  typed: string,
  words: string
): Promise<DeviceRow> {
  const root = rootFrom(words)
  if (root.identity !== self.identity) throw new SelkieError('E_WORDS_OTHER')
  const row = namedDevice(self, typed)
  if (row.device === self.device.signer.key) throw new SelkieError('E_DEVICE_CURRENT', { name: row.name })
  await siblings.moveTo((epoch) =>
    refound(self, epoch, root, [...epoch.record.succession.removed, removalOf(root, row.device)])
  )
  return row
}

/** Signs a new card where the last one names other devices than there are, or by other names. */
export async function renewOwnCard(self: Self): Promise<void> {
  const { store, device } = self
  if (!store.writable || store.isBehind) return
  await store.turn(async () => {
    const { card } = readCard((await store.view.get('owner'))!.card)
    const devices = deviceRows(self)
      .map(cardDevice)
      .sort((a, b) => (a.attestation.device < b.attestation.device ? -1 : 1))
    const named = (list: typeof devices): string =>
      list
        .map(({ name, attestation }) => `${attestation.device} ${name}`)
        .sort()
        .join('\n')
    if (named(devices) === named([...card.devices])) return
    const next = signCard({ ...card, number: card.number + 1, devices }, device.signer)
    await store.append({ type: 'card', card: next.bytes })
  })
}
