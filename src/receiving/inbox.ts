import { readFile, rm, stat } from 'node:fs/promises'
import type { Delivery, InboxState } from '../api.js'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { BundleId, IdentityKey, Slug } from '../base/ids.js'
import { INBOX_IN_ALL, INBOX_PER_CONTACT, MAX_BUNDLE } from '../base/limits.js'
import { openBundle, type Opened } from '../bundle/open.js'
import { fileHash } from '../namespace/skill.js'
import { devicesOfContact } from '../people/contacts.js'
import { problemOf } from '../sending/outbox.js'
import type { InboxRow } from '../store/rows.js'
import { sealedFile, sweepSealed, writeSealed } from '../store/sealed-files.js'
import { isoTime, seconds, type Self } from '../store/self.js'
import type { Envelope, Receipt } from '../wire/message.js'

/** The bundles that have arrived, newest first. */
export function listInbox(self: Self): Delivery[] {
  const rows = [...self.store.memory.inbox.values()]
  rows.sort((a, b) => b.time - a.time || b.sequence - a.sequence)
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
    if (!known && !hasRoom(self, opened.sender, sealed.length)) throw new SelkieError('E_QUOTA_HERE')
    // Its sealed bytes may have been lost meanwhile: here they are again.
    if (known?.state === 'waiting') await writeSealed(quarantinePath(self, known.id), sealed)
    const row = known ?? (await keep(self, opened, sealed))
    return { row, delivery: incoming(self, row) }
  })
}

/**
 * Takes in a bundle that a contact offers, and gives the receipt for it. One that has
 * arrived before isn't fetched again.
 *
 * @param fetch brings the sealed bytes; undefined where they aren't what was offered
 */
export async function takeIn(
  self: Self,
  contact: IdentityKey,
  envelope: Envelope,
  fetch: () => Promise<Uint8Array | undefined>
): Promise<Receipt> {
  const { id } = envelope
  const receipt = (state: Receipt['state'], problem: string | null = null): Receipt => ({
    type: 'receipt',
    id,
    state,
    problem
  })
  const arrived = (): Receipt | undefined => {
    const row = self.store.memory.inbox.get(id)
    if (row && row.contact !== contact) return receipt('declined', 'E_BUNDLE_SEEN')
    return row && receipt(receiptState[row.state], row.problem)
  }
  const before = arrived()
  if (before) return before
  if (!hasRoom(self, contact, envelope.bytes)) return receipt('held', 'E_QUOTA')

  const sealed = await fetch()
  return self.store.turn(async () => {
    // As a file, while it was on its way.
    const meanwhile = arrived()
    if (meanwhile) return meanwhile
    // Others may have come in beside it.
    if (!hasRoom(self, contact, envelope.bytes)) return receipt('held', 'E_QUOTA')
    // Of someone who was forgotten meanwhile nothing is kept, not even as damaged.
    const sender = self.store.memory.contacts.get(contact)
    if (!sender || sender.forgotten) throw new SelkieError('E_CONTACT_UNKNOWN', { contact })
    try {
      if (!sealed) throw new SelkieError('E_BUNDLE_CUT')
      const opened = await openSealed(self, sealed)
      // Whoever passes on what is someone else's, or under another name, isn't its sender.
      if (opened.sender !== contact || opened.id !== id)
        throw new SelkieError('E_BUNDLE_SENDER', { identity: contact })
      await keep(self, opened, sealed)
      return receipt('received')
    } catch (error) {
      if (!isSelkieError(error)) throw error
      await keepDamaged(self, contact, envelope, sealed, error)
      return receipt('declined', error.code)
    }
  })
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
 * @throws SelkieError E_INBOX_DONE, E_INBOX_GONE, and what {@link openBundle} refuses
 */
export async function openWaiting(self: Self, row: InboxRow): Promise<Opened> {
  if (row.state === 'imported' || row.state === 'declined') {
    // Where the process was killed before it did.
    await letGo(self, row.id)
    throw new SelkieError('E_INBOX_DONE', { id: row.id.slice(0, 8), state: row.state })
  }
  let sealed: Uint8Array
  try {
    sealed = await readFile(quarantinePath(self, row.id))
  } catch (cause) {
    throw new SelkieError('E_INBOX_GONE', { id: row.id.slice(0, 8) }, { cause })
  }
  if (fileHash(sealed) !== row.sealed) throw new SelkieError('E_INBOX_GONE', { id: row.id.slice(0, 8) })
  const opened = await openSealed(self, sealed)
  if (opened.sender !== row.contact || opened.id !== row.id) {
    throw new SelkieError('E_BUNDLE_SENDER', { identity: opened.sender })
  }
  return opened
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
    await letGo(self, row.id)
    return { ...row, state: 'declined' }
  })
}

/** Removes what a killed process has left in the quarantine: sealed bytes that no one waits for. */
export async function sweepQuarantine(self: Self): Promise<void> {
  const { inbox } = self.store.memory
  await sweepSealed(self.paths.inbox, (id) => {
    const state = inbox.get(id)?.state
    return state === 'waiting' || state === 'damaged'
  })
}

/** Removes the sealed bytes of a bundle from the quarantine. */
export async function letGo(self: Self, id: BundleId): Promise<void> {
  await rm(quarantinePath(self, id), { force: true })
}

function quarantinePath(self: Self, id: BundleId): string {
  return sealedFile(self.paths.inbox, id)
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

/** What a bundle counts for at least: its row, its op and its file cost more than a few bytes. */
const LEAST_CHARGE = 64 * 1024

/** Whether so many more sealed bytes of a contact fit into the inbox. */
function hasRoom(self: Self, contact: IdentityKey, bytes: number): boolean {
  let ofContact = Math.max(bytes, LEAST_CHARGE)
  let inAll = ofContact
  for (const row of self.store.memory.inbox.values()) {
    if (row.state !== 'waiting' && row.state !== 'damaged') continue
    const charge = Math.max(row.bytes, LEAST_CHARGE)
    inAll += charge
    if (row.contact === contact) ofContact += charge
  }
  return ofContact <= INBOX_PER_CONTACT && inAll <= INBOX_IN_ALL
}

async function keep(self: Self, opened: Opened, sealed: Uint8Array): Promise<InboxRow> {
  const row: InboxRow = {
    id: opened.id,
    contact: opened.sender,
    ...insideOf(opened),
    sealed: fileHash(sealed),
    bytes: sealed.length,
    time: seconds(self.clock),
    state: 'waiting',
    late: isLate(self, opened),
    seen: null,
    problem: null
  }
  await writeSealed(quarantinePath(self, row.id), sealed)
  await self.store.append({ type: 'arrive', row })
  return row
}

/** What a row says of a bundle’s inside. */
function insideOf({
  manifest,
  payloadHash,
  sequence
}: Opened): Pick<InboxRow, 'root' | 'payload' | 'sequence' | 'note'> {
  const root = manifest.skills.find(({ uid }) => uid === manifest.root)!.slug
  return { root, payload: payloadHash, sequence, note: manifest.note }
}

/** Whether a bundle that was sealed after this one has arrived before it. */
function isLate(self: Self, { sender, sequence }: Opened): boolean {
  for (const row of self.store.memory.inbox.values()) {
    if (row.contact === sender && row.sequence > sequence) return true
  }
  return false
}

async function keepDamaged(
  self: Self,
  contact: IdentityKey,
  envelope: Envelope,
  sealed: Uint8Array | undefined,
  error: SelkieError
): Promise<void> {
  const { id, bytes } = envelope
  if (sealed) await writeSealed(quarantinePath(self, id), sealed)
  const row: InboxRow = {
    id,
    contact,
    root: '' as Slug,
    sealed: sealed ? fileHash(sealed) : '0'.repeat(64),
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
  await self.store.append({ type: 'arrive', row })
}
