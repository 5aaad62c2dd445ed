import type { BundleId, IdentityKey } from '../base/ids.js'
import { INBOX_IN_ALL, INBOX_PER_CONTACT } from '../base/limits.js'
import type { Self } from '../store/self.js'
import { isAwaited } from './quarantine.js'

/** What a bundle counts for at least: its row, its op and its file cost more than a few bytes. */
const LEAST_CHARGE = 64 * 1024

/** Sealed bytes, and whose quota they count for. */
export interface Charge {
  readonly contact: IdentityKey
  readonly bytes: number
}

/** Whether so many more sealed bytes of a contact fit into the inbox, beside what is on its way. */
export function hasRoom(
  self: Self,
  bundle: Charge,
  beside: readonly (Charge & { readonly id: BundleId })[] = []
): boolean {
  const rows = [...self.store.memory.inbox.values()].filter(isAwaited)
  // One that comes from two devices of its sender is one.
  const charged = new Map<BundleId, Charge>([...rows, ...beside].map((each) => [each.id, each]))
  let [ofContact, inAll] = [0, 0]
  for (const { contact, bytes } of [bundle, ...charged.values()]) {
    const charge = Math.max(bytes, LEAST_CHARGE)
    inAll += charge
    if (contact === bundle.contact) ofContact += charge
  }
  return ofContact <= INBOX_PER_CONTACT && inAll <= INBOX_IN_ALL
}
