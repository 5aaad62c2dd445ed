import { readFile, stat } from 'node:fs/promises'
import type { Delivery, InboxState } from '../api.js'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { BundleId, IdentityKey, Slug } from '../base/ids.js'
import { MAX_BUNDLE } from '../base/limits.js'
import { openBundle, type Opened } from '../bundle/open.js'
import { fileHash } from '../namespace/skill.js'
import { devicesOfContact } from '../people/contacts.js'
import { problemOf } from '../sending/outbox.js'
import type { InboxRow } from '../store/rows.js'
import { fetchMissing, sweepSealed, writeSealed } from '../store/sealed-files.js'
import { isoTime, seconds, type Self } from '../store/self.js'
import type { Fetch } from '../wire/mail-reader.js'
import type { Envelope, Receipt } from '../wire/message.js'
import {
  clearParcels,
  isAwaited,
  keepSealed,
  letGo,
  parcelsOf,
  quarantinePath,
  readQuarantined
} from './quarantine.js'
import { hasRoom } from './room.js'
import { underway, type Offer } from './underway.js'

/** The bundles that have arrived, newest first. */
export function listInbox(self: Self): Delivery[] {
  const rows = [...self.store.memory.inbox.values()]
  rows.sort((a, b) => b.time - a.time || b.sequence - a.sequence || (a.id < b.id ? -1 : 1))
  return rows.map((row) => incoming(self, row))
}

/** A bundle as `inbox` shows it. */
export function incoming(self: Self, row: InboxRow): Delivery {
  const contact = self.store.memory.contacts.get(row.contact)
  const { id, root, bytes, note } = row
  const state: InboxState = row.state
  const name = contact?.name ?? row.contact.slice(0, 12)
  return {
    id,
    contact: name,
    root,
    state,
    bytes,
    time: isoTime(row.time),
    ...(note && { note }),
    ...problemOf(row.problem, name)
  }
}

/**
 * The bundle in the inbox that a person named by the beginning of its id, at least four
 * digits.
 *
 * @throws SelkieError E_DELIVERY_UNKNOWN
 */
export function namedInbox(self: Self, typed: string): InboxRow {
  const id = typed.trim().toLowerCase()
  const found =
    id.length < 4 ? [] : [...self.store.memory.inbox.values()].filter((row) => row.id.startsWith(id))
  if (found.length !== 1) throw new SelkieError('E_DELIVERY_UNKNOWN', { id: typed })
  return found[0]!
}

/**
 * Takes a sealed file in: checked whole, kept sealed, waiting for its review. The same
 * file again is the same delivery.
 *
 * @throws SelkieError E_FILE_READ, E_BUNDLE_SEEN, E_QUOTA_HERE, and what
 *   {@link openBundle} refuses
 */
export async function receiveFile(self: Self, path: string): Promise<{ row: InboxRow; delivery: Delivery }> {
  const sealed = await readBundle(path)
  return self.store.turn(async () => {
    const opened = await openSealed(self, sealed)
    const before = self.store.memory.inbox.get(opened.id)
    const known = before?.state === 'damaged' ? undefined : before
    if (known && known.sealed !== fileHash(sealed)) throw new SelkieError('E_BUNDLE_SEEN')
    const bundle = { contact: opened.sender, bytes: sealed.length }
    if (!known && !hasRoom(self, bundle)) throw new SelkieError('E_QUOTA_HERE')
    // Its sealed bytes may have been lost meanwhile: here they are again.
    if (known?.state === 'waiting') await writeSealed(quarantinePath(self, known.id), sealed)
    const row = known ?? (await keep(self, opened, sealed, arrivedFrom(self, opened.sender)))
    return { row, delivery: incoming(self, row) }
  })
}

/**
 * Takes in a bundle that a contact offers, and gives the receipt for it. One that has
 * arrived before, on whichever of the person's devices, isn't fetched again; one that
 * arrives elsewhere meanwhile isn't waited for.
 *
 * @param fetch brings the sealed bytes; undefined where they aren't what was offered
 */
export async function takeIn(
  self: Self,
  contact: IdentityKey,
  envelope: Envelope,
  fetch: Fetch
): Promise<Receipt> {
  const { id, bytes } = envelope
  const before = receiptFor(self, contact, id)
  if (before) return before
  // It stays with its sender: it could be kept here, but not noted.
  if (self.store.isBehind) return receiptOf(id, 'held', 'E_UPGRADE')
  const offers = underway(self.store)
  // Side by side, each would find room for itself alone.
  const beside = [...offers].filter((offer) => offer.id !== id && !self.store.memory.inbox.has(offer.id))
  if (!hasRoom(self, { contact, bytes }, beside)) return receiptOf(id, 'held', 'E_QUOTA')

  const offer: Offer = { id, contact, bytes, arrived: new AbortController() }
  const earlier = arrivedFrom(self, contact)
  offers.add(offer)
  try {
    const sealed = await fetch(offer.arrived.signal)
    return await self.store.turn(() => keepFetched(self, contact, envelope, sealed, earlier))
  } catch (error) {
    const meanwhile = offer.arrived.signal.aborted && receiptFor(self, contact, id)
    if (meanwhile) return meanwhile
    throw error
  } finally {
    offers.delete(offer)
  }
}

async function keepFetched(
  self: Self,
  contact: IdentityKey,
  envelope: Envelope,
  sealed: Uint8Array | undefined,
  earlier: readonly InboxRow[]
): Promise<Receipt> {
  const { id, bytes } = envelope
  // As a file, from another device, or from another of theirs, while it was on its way.
  const meanwhile = receiptFor(self, contact, id)
  if (meanwhile) return meanwhile
  // Others may have come in beside it.
  if (!hasRoom(self, { contact, bytes })) return receiptOf(id, 'held', 'E_QUOTA')
  // Of someone who was forgotten meanwhile nothing is kept, not even as damaged.
  const sender = self.store.memory.contacts.get(contact)
  if (!sender || sender.forgotten) throw new SelkieError('E_CONTACT_UNKNOWN', { contact })
  try {
    const opened = await openFetched(self, contact, id, sealed)
    if (opened instanceof SelkieError) {
      const row = await keepDamaged(self, contact, envelope, sealed, opened)
      return receiptOf(id, receiptStateOf(row), row.problem)
    }
    await keep(self, opened, sealed!, earlier)
    return receiptOf(id, 'received')
  } catch (error) {
    if (isSelkieError(error, 'E_UPGRADE')) return receiptOf(id, 'held', 'E_UPGRADE')
    throw error
  }
}

/** What was fetched, opened, or why it can’t be. */
async function openFetched(
  self: Self,
  contact: IdentityKey,
  id: BundleId,
  sealed: Uint8Array | undefined
): Promise<Opened | SelkieError> {
  try {
    if (!sealed) throw new SelkieError('E_BUNDLE_CUT')
    const opened = await openSealed(self, sealed)
    // Whoever passes on what is someone else's, or under another name, isn't its sender.
    if (opened.sender !== contact || opened.id !== id)
      throw new SelkieError('E_BUNDLE_SENDER', { identity: contact })
    return opened
  } catch (error) {
    if (!isSelkieError(error)) throw error
    const isForAnother = isSelkieError(error, 'E_BUNDLE_NOT_FOR_YOU') && self.store.memory.devices.size > 1
    return isForAnother ? new SelkieError('E_INBOX_OTHER_DEVICE', {}, { cause: error }) : error
  }
}

function receiptOf(id: BundleId, state: Receipt['state'], problem: string | null = null): Receipt {
  return { type: 'receipt', id, state, problem: state === 'received' ? null : problem }
}

/** The receipt for a bundle that is in the inbox. */
function receiptFor(self: Self, contact: IdentityKey, id: BundleId): Receipt | undefined {
  const row = self.store.memory.inbox.get(id)
  if (row && row.contact !== contact) return receiptOf(id, 'declined', 'E_BUNDLE_SEEN')
  return row && receiptOf(id, receiptStateOf(row), row.problem)
}

function receiptStateOf({ state, problem }: InboxRow): Receipt['state'] {
  // One device can’t open it, another can.
  return state === 'damaged' && problem === 'E_INBOX_OTHER_DEVICE' ? 'received' : receiptState[state]
}

/** The receipt that the state of a bundle stands for. */
export const receiptState = {
  waiting: 'received',
  imported: 'imported',
  declined: 'declined',
  damaged: 'declined'
} as const

/** Opens sealed bytes as this device may; the sender must be a contact. */
export async function openSealed(self: Self, sealed: Uint8Array): Promise<Opened> {
  const { contacts } = self.store.memory
  const me = { identity: self.identity, sealing: self.device.sealing }
  return openBundle(sealed, me, (identity) => devicesOfContact(contacts.get(identity)))
}

/**
 * Opens a bundle of the inbox again: the same sealed bytes as when it arrived, or
 * nothing. What couldn't be opened then may open now: with a newer card of its sender,
 * or a newer Selkie.
 *
 * @throws SelkieError E_INBOX_DONE, E_INBOX_AWAY, E_INBOX_GONE, E_INBOX_OTHER_DEVICE, and
 *   what {@link openBundle} refuses
 */
export async function openWaiting(self: Self, row: InboxRow): Promise<Opened> {
  if (row.state === 'imported' || row.state === 'declined') {
    // Where the process was killed before it did.
    await letGo(self, row)
    throw new SelkieError('E_INBOX_DONE', { id: row.id.slice(0, 8), state: row.state })
  }
  const opened = await openForReview(self, row, await readQuarantined(self, row))
  if (opened.sender !== row.contact || opened.id !== row.id) {
    throw new SelkieError('E_BUNDLE_SENDER', { identity: opened.sender })
  }
  return opened
}

async function openForReview(self: Self, row: InboxRow, sealed: Uint8Array): Promise<Opened> {
  try {
    return await openSealed(self, sealed)
  } catch (cause) {
    // What waits was opened once: if not here, then on another device.
    const isOpenElsewhere = row.state === 'waiting' || row.problem === 'E_INBOX_OTHER_DEVICE'
    if (!isOpenElsewhere || !isSelkieError(cause, 'E_BUNDLE_NOT_FOR_YOU')) throw cause
    throw new SelkieError('E_INBOX_OTHER_DEVICE', {}, { cause })
  }
}

/** A bundle that couldn't be opened before waits like any other from now on. */
export async function admitOpened(self: Self, row: InboxRow, opened: Opened): Promise<InboxRow> {
  if (row.state !== 'damaged') return row
  const whole: InboxRow = { ...row, ...insideOf(opened), state: 'waiting', problem: null }
  await self.store.append({ type: 'arrive', row: whole })
  return whole
}

/** Declines a bundle: its sealed bytes are let go, and the sender is told. */
export async function declineBundle(self: Self, typed: string): Promise<InboxRow> {
  return self.store.turn(async () => {
    const row = namedInbox(self, typed)
    if (row.state === 'imported')
      throw new SelkieError('E_INBOX_DONE', { id: row.id.slice(0, 8), state: row.state })
    if (row.state !== 'declined') await self.store.append({ type: 'decline', id: row.id })
    await letGo(self, row)
    return { ...row, state: 'declined' }
  })
}

/**
 * Removes from the quarantine what no one waits for: the sealed bytes of bundles that are
 * done, wherever that was decided, and what a killed process has left. Safe to call at
 * any time.
 */
export async function sweepQuarantine(self: Self): Promise<void> {
  const { inbox } = self.store.memory
  await self.store.turn(() =>
    sweepSealed(self.paths.inbox, (id) => {
      const row = inbox.get(id)
      if (!row) return 'unknown'
      if (isAwaited(row)) return 'awaited'
      return { time: row.time, bytes: row.bytes, letGo: (force) => clearParcels(self, row, force) }
    })
  )
}

/**
 * Brings the sealed bytes of what waits in the inbox to this device, where another one
 * has taken it in: to be called at the start and when the inbox has changed. What can't
 * be had now is waited for. What only another device could open is tried here.
 *
 * @param signal ends it, without an error
 * @throws what the system refuses
 */
export async function fetchArrived(self: Self, signal: AbortSignal): Promise<void> {
  const awaited = [...self.store.memory.inbox.values()].filter(isAwaited)
  const wanted = new Map(awaited.map((row) => [row.id, parcelsOf(row)]))
  await fetchMissing(self.store.blobs, self.paths.inbox, wanted, (id) => admitHere(self, id), signal)
}

async function admitHere(self: Self, id: BundleId): Promise<void> {
  await self.store.turn(async () => {
    const row = self.store.memory.inbox.get(id)
    if (row?.state !== 'damaged') return
    try {
      await admitOpened(self, row, await openWaiting(self, row))
    } catch (error) {
      // It stays what it was: its review says why.
      if (!isSelkieError(error)) throw error
    }
  })
}

async function readBundle(path: string): Promise<Uint8Array> {
  try {
    const stats = await stat(path)
    // A pipe or a device would be waited for, or never end.
    if (!stats.isFile()) throw new SelkieError('E_FILE_READ', { path })
    const { size } = stats
    if (size > MAX_BUNDLE) throw new SelkieError('E_BUNDLE_TOO_LARGE', { size, limit: MAX_BUNDLE })
    return await readFile(path)
  } catch (cause) {
    if (isSelkieError(cause)) throw cause
    throw new SelkieError('E_FILE_READ', { path }, { cause })
  }
}

function arrivedFrom(self: Self, contact: IdentityKey): InboxRow[] {
  return [...self.store.memory.inbox.values()].filter((row) => row.contact === contact)
}

async function keep(
  self: Self,
  opened: Opened,
  sealed: Uint8Array,
  earlier: readonly InboxRow[]
): Promise<InboxRow> {
  return keepSealed(self, sealed, {
    id: opened.id,
    contact: opened.sender,
    ...insideOf(opened),
    sealed: fileHash(sealed),
    parcels: [],
    bytes: sealed.length,
    time: seconds(self.clock),
    state: 'waiting',
    late: isLate(opened, earlier),
    seen: null,
    problem: null
  })
}

/** What a row says of a bundle’s inside. */
function insideOf({
  manifest,
  device,
  payloadHash,
  sequence
}: Opened): Pick<InboxRow, 'device' | 'root' | 'payload' | 'sequence' | 'note'> {
  const root = manifest.skills.find(({ uid }) => uid === manifest.root)!.slug
  return { device, root, payload: payloadHash, sequence, note: manifest.note }
}

/**
 * Whether a bundle that was sealed after this one had come before. Only one device counts
 * its bundles in order: two that work apart may give the same number, or a lower one later.
 */
function isLate({ device, sequence }: Opened, earlier: readonly InboxRow[]): boolean {
  return earlier.some((row) => row.device === device && row.sequence > sequence)
}

async function keepDamaged(
  self: Self,
  contact: IdentityKey,
  envelope: Envelope,
  sealed: Uint8Array | undefined,
  error: SelkieError
): Promise<InboxRow> {
  const { id, bytes } = envelope
  const row: InboxRow = {
    id,
    contact,
    device: null,
    root: '' as Slug,
    sealed: sealed ? fileHash(sealed) : '0'.repeat(64),
    parcels: [],
    payload: '',
    bytes,
    sequence: 0,
    time: seconds(self.clock),
    note: '',
    state: 'damaged',
    late: false,
    seen: null,
    problem: error.code
  }
  if (sealed) return keepSealed(self, sealed, row)
  await self.store.append({ type: 'arrive', row })
  return row
}
