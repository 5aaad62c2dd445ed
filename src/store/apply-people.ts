import { isSelkieError } from '../base/errors.js'
import { freeName, OWN_NAME } from '../base/name.js'
import { MAX_DEVICES } from '../base/limits.js'
import { checkSuccession, readCard, type SignedCard } from '../keys/card.js'
import { putAttestation } from './apply-skill.js'
import type { Op } from './ops.js'
import { DELIVERY_RANK, type BlobPointer, type InboxRow } from './rows.js'
import type { Table } from './table.js'

type PeopleOp = Extract<
  Op,
  { type: 'contact' | 'renew' | 'verify' | 'forget' | 'queue' | 'delivery' | 'arrive' | 'seen' | 'decline' }
>

/**
 * Folds an op about this person, a contact or a bundle on its way into the view.
 *
 * @returns whether it was sound
 */
export async function applyPeople(view: Table, op: PeopleOp): Promise<boolean> {
  if (op.type === 'contact' || op.type === 'renew') return putContact(view, op)
  await change(view, op)
  return true
}

async function change(view: Table, op: Exclude<PeopleOp, { type: 'contact' | 'renew' }>): Promise<void> {
  switch (op.type) {
    case 'verify': {
      const row = await view.get('contact', op.identity)
      if (row) await view.put('contact', { ...row, verified: op.verified }, row.identity)
      return
    }
    case 'forget': {
      const row = await view.get('contact', op.identity)
      if (row) await view.put('contact', { ...row, forgotten: true, verified: false }, row.identity)
      return
    }
    case 'queue':
      if (!(await view.get('outbox', op.row.id))) await view.put('outbox', op.row, op.row.id)
      return
    case 'delivery': {
      const row = await view.get('outbox', op.id)
      if (!row || DELIVERY_RANK[op.state] < DELIVERY_RANK[row.state]) return
      return view.put('outbox', { ...row, state: op.state, problem: op.problem }, row.id)
    }
    case 'arrive': {
      const before = await view.get('inbox', op.row.id)
      const parcels = united(before?.parcels ?? [], op.row.parcels)
      if (!before || isBetter(op.row, before)) await view.put('inbox', { ...op.row, parcels }, op.row.id)
      else if (parcels.length > before.parcels.length)
        await view.put('inbox', { ...before, parcels }, before.id)
      return
    }
    case 'seen': {
      const row = await view.get('inbox', op.id)
      if (row) await view.put('inbox', { ...row, seen: op.digest }, row.id)
      return
    }
    case 'decline': {
      const row = await view.get('inbox', op.id)
      if (row && row.state !== 'imported') await view.put('inbox', { ...row, state: 'declined' }, row.id)
      return
    }
  }
}

/** What came damaged may come again whole, or at least come. */
function isBetter(row: InboxRow, before: InboxRow): boolean {
  return before.state === 'damaged' && (row.state !== 'damaged' || before.parcels.length === 0)
}

/** Two devices that took a bundle in apart have both put its bytes, and both have to let them go. */
function united(known: readonly BlobPointer[], more: readonly BlobPointer[]): BlobPointer[] {
  const isKnown = ({ core, blockOffset }: BlobPointer): boolean =>
    known.some((each) => each.core === core && each.blockOffset === blockOffset)
  return [...known, ...more.filter((each) => !isKnown(each))].slice(0, MAX_DEVICES)
}

async function putContact(view: Table, op: Extract<Op, { type: 'contact' | 'renew' }>): Promise<boolean> {
  const signed = read(op.card)
  const owner = await view.get('owner')
  // Nobody is a contact of their own.
  if (signed?.card.identity !== op.identity || owner?.identity === op.identity) return false
  const before = await view.get('contact', op.identity)
  const standing = before ? standingOf(read(before.card), signed) : 'next'
  if (standing !== 'next') return standing === 'late'
  for (const { device, attestation } of devicesOf(signed)) {
    // Kept also after the device is gone from the card: what it has signed stays signed.
    if (!(await view.get('attestation', op.identity, device))) await putAttestation(view, attestation)
  }
  if (op.type === 'renew') {
    // Of someone who was forgotten meanwhile it is kept, so that an older one can't come back.
    if (before) await view.put('contact', { ...before, card: op.card }, op.identity)
    return true
  }
  const isNew = !before || before.forgotten
  const row = {
    identity: op.identity,
    name: isNew ? await freeContactName(view, op) : before.name,
    card: op.card,
    verified: !isNew && before.verified,
    forgotten: false
  }
  await view.put('contact', row, op.identity)
  return true
}

/** The name that a device gave, unlike any other's: another device may have given it to someone else. */
async function freeContactName(
  view: Table,
  { identity, name }: Extract<Op, { type: 'contact' }>
): Promise<string> {
  const taken = new Set([OWN_NAME])
  for await (const { row } of view.all('contact')) {
    if (!row.forgotten && row.identity !== identity) taken.add(row.name.toLowerCase())
  }
  return freeName(name, taken, identity.slice(0, 12))
}

function devicesOf({ card }: SignedCard) {
  return card.devices.map(({ attestation }) => ({ device: attestation.device, attestation }))
}

/** Whether a card follows the known one, came too late for that, or has no right to. */
function standingOf(known: SignedCard | undefined, next: SignedCard): 'next' | 'late' | 'forged' {
  if (!known) return 'next'
  try {
    checkSuccession(known, next)
    return 'next'
  } catch (error) {
    if (isSelkieError(error)) return isSelkieError(error, 'E_CARD_OLD') ? 'late' : 'forged'
    throw error
  }
}

function read(bytes: Uint8Array): SignedCard | undefined {
  try {
    return readCard(bytes)
  } catch (error) {
    if (isSelkieError(error)) return undefined
    throw error
  }
}
