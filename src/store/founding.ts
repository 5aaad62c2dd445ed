import type Corestore from 'corestore'
import type { Clock } from '../base/clock.js'
import type { SignedCard } from '../keys/card.js'
import type { DeviceSigner } from '../keys/device.js'
import type { Attestation, Root } from '../keys/identity.js'
import { toHex } from '../keys/sodium.js'
import { PLACE, type Epoch } from './epoch.js'
import type { Op } from './ops.js'
import { Store } from './store.js'
import { signSuccession, storeKeyHash } from './succession.js'

/**
 * Founds a base for the devices of a card, under a fresh key, with a state to begin with.
 *
 * @param signer the root, or this device where it unites two removals
 * @param state ops ahead of the founding one; none for a first base
 */
export async function foundEpoch(options: {
  readonly logs: Corestore
  readonly clock: Clock
  readonly signer: Root | DeviceSigner
  readonly attestation: Attestation
  readonly card: SignedCard
  /** Of the identity: the same in all epochs that follow each other. */
  readonly life: number
  readonly state: AsyncIterable<Op> | Iterable<Op>
  /** Seconds since 1970. */
  readonly time: number
}): Promise<{ store: Store; epoch: Epoch }> {
  const { logs, clock, signer, attestation, card, life, state, time } = options
  const { identity, name, removed } = card.card
  const encryption = clock.random(32)
  const place = toHex(clock.random(PLACE / 2))
  const store = await Store.found(logs, place, encryption)
  for await (const op of state) await store.append(op)
  await store.append({ type: 'found', name, card: card.bytes, attestation, time })
  const record = signSuccession(
    {
      identity,
      life,
      removed,
      base: store.base,
      key: toHex(storeKeyHash(encryption)),
      founder: attestation.device
    },
    signer
  )
  return { store, epoch: { place, base: store.base, encryption: toHex(encryption), record, former: [] } }
}
