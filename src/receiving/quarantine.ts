import { rm } from 'node:fs/promises'
import { SelkieError } from '../base/errors.js'
import type { BundleId } from '../base/ids.js'
import { fileHash } from '../namespace/skill.js'
import type { BlobPointer, InboxRow } from '../store/rows.js'
import { readSealed, sealedFile, writeSealed } from '../store/sealed-files.js'
import type { Self } from '../store/self.js'

/** Where the sealed bytes of a bundle wait for a decision. */
export function quarantinePath(self: Self, id: BundleId): string {
  return sealedFile(self.paths.inbox, id)
}

/** Whether the sealed bytes of a bundle are still needed. */
export function isAwaited({ state }: InboxRow): boolean {
  return state === 'waiting' || state === 'damaged'
}

/** Lets go of the sealed bytes of a bundle; where another device is fetching them, a later sweep does. */
export async function letGo(self: Self, row: InboxRow): Promise<void> {
  if (await clearParcels(self, row)) await rm(quarantinePath(self, row.id), { force: true })
}

/** Lets go of what this device keeps of a bundle beside its file; false where that has to wait. */
export async function clearParcels(self: Self, { parcels }: InboxRow, force = false): Promise<boolean> {
  const cleared = await Promise.all(parcels.map((parcel) => self.store.blobs.clear(parcel, { force })))
  return cleared.every(Boolean)
}

/** Keeps sealed bytes in a file, and for the person’s other devices, and then notes them: so a row has its bytes. */
export async function keepSealed(self: Self, sealed: Uint8Array, bare: InboxRow): Promise<InboxRow> {
  const path = quarantinePath(self, bare.id)
  await writeSealed(path, sealed)
  const parcel = await self.store.blobs.put(sealed)
  const row = { ...bare, parcels: [parcel] }
  await self.store.append({ type: 'arrive', row })
  return row
}

/**
 * The sealed bytes of a row: out of its file, or else out of what this device has put or
 * fetched beside it.
 *
 * @throws SelkieError E_INBOX_AWAY, E_INBOX_GONE
 */
export async function readQuarantined(self: Self, row: InboxRow): Promise<Uint8Array> {
  const path = quarantinePath(self, row.id)
  const file = await readSealed(path)
  if (file && fileHash(file) === row.sealed) return file
  const parcels = parcelsOf(row)
  for (const parcel of parcels) {
    const sealed = await self.store.blobs.get(parcel)
    if (!sealed || fileHash(sealed) !== row.sealed) continue
    await writeSealed(path, sealed)
    return sealed
  }
  const isElsewhere = parcels.length > 0 && self.store.memory.devices.size > 1
  // What was changed makes room for what is fetched.
  if (isElsewhere) await rm(path, { force: true })
  throw new SelkieError(isElsewhere ? 'E_INBOX_AWAY' : 'E_INBOX_GONE', { id: row.id.slice(0, 8) })
}

/** Where the very bytes of a row may be. */
export function parcelsOf({ parcels, sealed }: InboxRow): BlobPointer[] {
  return parcels.filter(({ hash }) => hash === sealed)
}
