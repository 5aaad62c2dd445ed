import { readFile, rm } from 'node:fs/promises'
import type { Delivery } from '../api.js'
import { ERRORS, type ErrorCode } from '../base/codes.js'
import { SelkieError } from '../base/errors.js'
import type { BundleId, IdentityKey } from '../base/ids.js'
import { DELIVERY_RANK, type OutboxRow } from '../store/rows.js'
import { sweepSealed } from '../store/sealed-files.js'
import { isoTime, type Self } from '../store/self.js'
import type { Mailbox } from '../wire/mailbox.js'
import type { Receipt } from '../wire/message.js'
import { sealedPath } from './send.js'

/** The deliveries of this person, newest first. */
export function listOutbox(self: Self): Delivery[] {
  const rows = [...self.store.memory.outbox.values()]
  rows.sort((a, b) => b.time - a.time || b.sequence - a.sequence)
  return rows.map((row) => outgoing(self, row))
}

function outgoing(self: Self, row: OutboxRow): Delivery {
  const contact = self.store.memory.contacts.get(row.contact)
  const { id, root, state, bytes, note } = row
  return {
    id,
    contact: contact?.name ?? row.contact.slice(0, 12),
    root,
    state,
    bytes,
    time: isoTime(row.time),
    ...(note && { note }),
    ...problemOf(row.problem, contact?.name ?? '')
  }
}

/** A code that came over the wire or from the store, with its sentence where this build knows it. */
export function problemOf(code: string | null, contact: string): Pick<Delivery, 'problem'> {
  if (code === null) return {}
  if (!(code in ERRORS)) return { problem: { code, message: code, hint: '' } }
  const { message, hint } = new SelkieError(code as ErrorCode, { contact })
  return { problem: { code, message, hint } }
}

/**
 * Puts whatever is queued into the mailboxes of its contacts. Safe to call at any time:
 * what is in a mailbox already isn't put in again. The sealed files stay until the
 * bundles have arrived, for a log that isn't on the disk yet can be lost.
 */
export async function postQueued(
  self: Self,
  mailboxOf: (contact: IdentityKey) => Promise<Mailbox>
): Promise<void> {
  // Alone: two at once could each find that it isn't in the mailbox yet.
  await self.store.turn(async () => {
    for (const row of self.store.memory.outbox.values()) {
      if (row.byHand || DELIVERY_RANK[row.state] >= DELIVERY_RANK.received) continue
      const mailbox = await mailboxOf(row.contact)
      if (mailbox.has(row.id)) continue
      const sealed = await readIfThere(sealedPath(self, row.id))
      if (sealed) await mailbox.post(row.id, sealed)
    }
  })
}

/** Removes what a killed process has left on its way out: sealed bytes that no one sends. */
export async function sweepOutgoing(self: Self): Promise<void> {
  const { outbox } = self.store.memory
  await sweepSealed(self.paths.outbox, (id) => {
    const row = outbox.get(id)
    return row !== undefined && DELIVERY_RANK[row.state] < DELIVERY_RANK.received
  })
}

/** Notes that a contact is fetching a bundle. */
export async function noteSending(self: Self, id: BundleId): Promise<void> {
  const row = self.store.memory.outbox.get(id)
  if (row?.state === 'queued') await self.store.append({ type: 'delivery', id, state: 'sent', problem: null })
}

/**
 * Notes what a contact's receipt says of a bundle that went to them. Of anyone else's
 * bundle it says nothing.
 */
export async function noteReceipt(
  self: Self,
  contact: IdentityKey,
  receipt: Receipt,
  mailbox: Mailbox
): Promise<void> {
  const row = self.store.memory.outbox.get(receipt.id)
  if (row?.contact !== contact) return
  const { id, problem } = receipt
  if (receipt.state === 'held') {
    const isNews = DELIVERY_RANK[row.state] < DELIVERY_RANK.received && row.problem === null
    if (isNews) await self.store.append({ type: 'delivery', id, state: row.state, problem })
    return
  }
  // A mailbox is read again from its beginning at each start: what is known already is no news.
  if (DELIVERY_RANK[receipt.state] > DELIVERY_RANK[row.state]) {
    await self.store.append({ type: 'delivery', id, state: receipt.state, problem })
  }
  await mailbox.clear(id)
  await rm(sealedPath(self, id), { force: true })
}

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
