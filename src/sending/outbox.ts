import { rm } from 'node:fs/promises'
import type { Delivery } from '../api.js'
import { ERRORS, type ErrorCode } from '../base/codes.js'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { BundleId, IdentityKey } from '../base/ids.js'
import { DELIVERY_RANK, type BlobPointer, type OutboxRow } from '../store/rows.js'
import type { Op } from '../store/ops.js'
import { fetchMissing, isThere, readSealed, sweepSealed } from '../store/sealed-files.js'
import { isoTime, type Self } from '../store/self.js'
import type { Mailbox } from '../wire/mailbox.js'
import type { Receipt } from '../wire/message.js'
import { sealedPath, type MailboxOf } from './send.js'

/** The deliveries of this person, newest first. */
export function listOutbox(self: Self): Delivery[] {
  const rows = [...self.store.memory.outbox.values()]
  rows.sort((a, b) => b.time - a.time || b.sequence - a.sequence || (a.id < b.id ? -1 : 1))
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
    ...problemOf(theirs(row.problem), contact?.name ?? '')
  }
}

/** What a contact’s node says of itself in the words that this one has for its own case. */
function theirs(code: string | null): string | null {
  return code === 'E_UPGRADE' ? 'E_UPGRADE_THERE' : code
}

/** A code that came over the wire or from the store, with its sentence where this build knows it. */
export function problemOf(code: string | null, contact: string): Pick<Delivery, 'problem'> {
  if (code === null) return {}
  if (!(code in ERRORS)) return { problem: { code, message: code, hint: '' } }
  const { message, hint } = new SelkieError(code as ErrorCode, { contact })
  return { problem: { code, message, hint } }
}

/**
 * Puts whatever is queued, on whichever of the person's devices, into this device's
 * mailboxes to its contacts. Safe to call at any time: what is in a mailbox already isn't
 * put in again. The sealed files stay until the bundles have arrived, for a log that isn't
 * on the disk yet can be lost.
 */
export async function postQueued(self: Self, mailboxOf: MailboxOf): Promise<void> {
  // Alone: two at once could each find that it isn't in the mailbox yet.
  await self.store.turn(async () => {
    for (const row of self.store.memory.outbox.values()) {
      if (row.byHand || !isUnderway(row)) continue
      const mailbox = await mailboxOf(row.contact)
      if (mailbox.has(row.id)) continue
      const sealed = await readSealed(sealedPath(self, row.id))
      if (sealed) await mailbox.post(row.id, sealed)
    }
  })
}

/**
 * Brings the sealed bytes of what is queued to this device, where another one has sealed
 * it, and puts them into its own mailboxes: so they arrive also while that one is offline.
 * To be called at the start and when the outbox has changed. What can't be had now is
 * waited for.
 *
 * @param signal ends it, without an error
 * @throws what the system refuses
 */
export async function fetchQueued(self: Self, mailboxOf: MailboxOf, signal: AbortSignal): Promise<void> {
  const wanted = new Map<BundleId, readonly BlobPointer[]>()
  for (const row of self.store.memory.outbox.values()) {
    if (row.parcel?.hash === row.sealed && isUnderway(row)) wanted.set(row.id, [row.parcel])
  }
  const post = (): Promise<void> => postQueued(self, mailboxOf)
  await fetchMissing(self.store.blobs, self.paths.outbox, wanted, post, signal)
}

/**
 * Removes what no one sends any more: the sealed bytes of deliveries that are done,
 * whichever device has heard of it, and what a killed process has left. Safe to call at
 * any time.
 */
export async function sweepOutgoing(self: Self, mailboxOf: MailboxOf): Promise<void> {
  const { outbox } = self.store.memory
  await self.store.turn(() =>
    sweepSealed(self.paths.outbox, (id) => {
      const row = outbox.get(id)
      if (!row) return 'unknown'
      if (isUnderway(row)) return 'awaited'
      const letGo = async (force: boolean): Promise<boolean> =>
        clearSent(self, row, await mailboxOf(row.contact), force)
      return { time: row.time, bytes: row.bytes, letGo }
    })
  )
}

function isUnderway({ state }: OutboxRow): boolean {
  return DELIVERY_RANK[state] < DELIVERY_RANK.received
}

async function clearSent(
  self: Self,
  { id, parcel }: OutboxRow,
  mailbox: Mailbox,
  force = false
): Promise<boolean> {
  const isOut = await mailbox.clear(id, { force })
  const isGone = parcel === null || (await self.store.blobs.clear(parcel, { force }))
  return isOut && isGone
}

/** Notes that a contact is fetching a bundle. */
export async function noteSending(self: Self, id: BundleId): Promise<void> {
  const row = self.store.memory.outbox.get(id)
  if (row?.state === 'queued') await note(self, { type: 'delivery', id, state: 'sent', problem: null })
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
  const { id, problem } = receipt
  const row = self.store.memory.outbox.get(id)
  if (!row) {
    // It may have been sent while no row could be written.
    if (receipt.state !== 'held') await mailbox.clear(id)
    return
  }
  if (row.contact !== contact) return
  if (receipt.state === 'held') {
    const isNews = isUnderway(row) && row.problem === null
    if (isNews) await note(self, { type: 'delivery', id, state: row.state, problem })
    return
  }
  // A mailbox is read again from its beginning at each start: what is known already is no news.
  if (DELIVERY_RANK[receipt.state] > DELIVERY_RANK[row.state]) {
    const isNoted = await note(self, { type: 'delivery', id, state: receipt.state, problem })
    if (!isNoted) return
  }
  const path = sealedPath(self, id)
  // It goes last: without it there is nothing left to let go of.
  if ((await isThere(path)) && (await clearSent(self, row, mailbox))) await rm(path, { force: true })
}

/** Appends what another device may append as well; false until this one is upgraded. */
async function note(self: Self, op: Extract<Op, { type: 'delivery' }>): Promise<boolean> {
  try {
    await self.store.append(op)
    return true
  } catch (error) {
    // The receipt stays where it is, and is read again.
    if (isSelkieError(error, 'E_UPGRADE')) return false
    throw error
  }
}
