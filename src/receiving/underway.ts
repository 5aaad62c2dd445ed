import type { BundleId, IdentityKey } from '../base/ids.js'
import type { Store } from '../store/store.js'

/** A bundle that a contact is just sending to this device. */
export interface Offer {
  readonly id: BundleId
  readonly contact: IdentityKey
  /** Of the sealed bundle. */
  readonly bytes: number
  /** Aborted once the bundle is in the inbox, whichever way it came. */
  readonly arrived: AbortController
}

const offers = new WeakMap<Store, Set<Offer>>()

/** The bundles that contacts are just sending. An offer is to be added, and taken out when it is over. */
export function underway(store: Store): Set<Offer> {
  const known = offers.get(store)
  if (known) return known
  const mine = new Set<Offer>()
  offers.set(store, mine)
  store.on('change', (kinds) => {
    if (!kinds.has('inbox')) return
    for (const { id, arrived } of mine) if (store.memory.inbox.has(id)) arrived.abort()
  })
  return mine
}
