import { writeFile } from 'node:fs/promises'
import type { Diagnostic, SealedFile, Sent } from '../api.js'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { BundleId, IdentityKey } from '../base/ids.js'
import { MAX_NOTE } from '../base/limits.js'
import { pack, type Packed } from '../bundle/pack.js'
import { seal } from '../bundle/seal.js'
import { liveSkill } from '../editing/find.js'
import { readCard } from '../keys/card.js'
import { fromHex, keyedHash, toHex } from '../keys/sodium.js'
import { fileHash } from '../namespace/skill.js'
import { toolByName } from '../namespace/tool.js'
import { namedContact } from '../people/contacts.js'
import type { ContactRow, OutboxRow, StoredSkill } from '../store/rows.js'
import { sealedFile, writeSealed } from '../store/sealed-files.js'
import { seconds, type Self } from '../store/self.js'
import { refuseFull } from '../store/space.js'
import type { Mailbox } from '../wire/mailbox.js'
import { gather } from './gather.js'

/** The mailbox of this device to a contact. */
export type MailboxOf = (contact: IdentityKey) => Promise<Mailbox>

/**
 * Seals a skill with all that it mentions and queues it for a contact, for any of this
 * person's devices to deliver. It is safe on disk when this returns. The same again, while
 * the first is on its way or has arrived, is the same delivery.
 *
 * Where a newer Selkie has written to the store, nothing can be noted: then it goes
 * straight into this device's mailbox, with a warning.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_CONTACT_UNKNOWN, E_TEXT_LIMIT, and what
 *   {@link pack} refuses
 */
export async function sendSkill(
  self: Self,
  slug: string,
  contact: string,
  note: string | undefined,
  mailboxOf: MailboxOf
): Promise<Sent> {
  return self.store.turn(async () => {
    const prepared = await prepare(self, slug, contact, note)
    const { packed, to } = prepared
    const before = sameDelivery(self, to.identity, packed)
    if (before) return sentOf(before, to)
    const { isBehind } = self.store
    const id = isBehind ? unnotedId(self, prepared) : newId(self)
    const { queued, sealed } = await sealFor(self, prepared, id)
    if (!isBehind && (await isQueued(self, queued, sealed))) return sentOf(queued, to)
    await (await mailboxOf(to.identity)).post(id, sealed)
    return { ...sentOf(queued, to), warning: UNNOTED }
  })
}

/**
 * Seals a skill with all that it mentions into a file, for any other way to the
 * contact. An existing file is not overwritten. Where a newer Selkie has written to the
 * store, nothing can be noted: then there is a warning.
 *
 * @throws SelkieError E_FILE_EXISTS, E_FILE_WRITE, and what {@link sendSkill} throws
 */
export async function sealToFile(
  self: Self,
  slug: string,
  contact: string,
  out: string,
  note?: string
): Promise<SealedFile> {
  return self.store.turn(async () => {
    const prepared = await prepare(self, slug, contact, note)
    const { queued, sealed } = await sealFor(self, prepared, newId(self))
    await writeNew(out, sealed)
    const isNoted = await isAppended(self, { ...queued, byHand: true, state: 'sent' })
    const { id, contact: name, root, bytes, skills, tools } = sentOf(queued, prepared.to)
    return { id, file: out, contact: name, root, bytes, skills, tools, ...(!isNoted && { warning: UNNOTED }) }
  })
}

const UNNOTED: Diagnostic = {
  code: 'W_UNNOTED',
  message:
    'A newer Selkie has written to this store: until Selkie is upgraded on this device, the outbox doesn’t show this.'
}

/** Queues a bundle: its bytes on disk and for the person's other devices, and then its row. */
async function isQueued(self: Self, row: OutboxRow, sealed: Uint8Array): Promise<boolean> {
  // And then they go into a mailbox: what is refused isn't to be sent later.
  await refuseFull(self.paths.store, 3 * sealed.length)
  await writeSealed(sealedPath(self, row.id), sealed)
  return isAppended(self, { ...row, parcel: await self.store.blobs.put(sealed) })
}

/** Appends a row; false where a newer Selkie has written to the store. */
async function isAppended(self: Self, row: OutboxRow): Promise<boolean> {
  try {
    await self.store.append({ type: 'queue', row })
    return true
  } catch (error) {
    if (isSelkieError(error, 'E_UPGRADE')) return false
    throw error
  }
}

/** Where the sealed bytes of a bundle wait until they are in the contact's mailbox. */
export function sealedPath(self: Self, id: BundleId): string {
  return sealedFile(self.paths.outbox, id)
}

/** What is to be sent, and to whom. */
interface Prepared {
  readonly row: StoredSkill
  readonly packed: Packed
  readonly to: ContactRow
}

/** A sealed bundle with its row. */
interface Sealed {
  readonly queued: OutboxRow
  readonly sealed: Uint8Array
}

async function prepare(self: Self, slug: string, contact: string, note = ''): Promise<Prepared> {
  const length = [...note].length
  if (length > MAX_NOTE) {
    throw new SelkieError('E_TEXT_LIMIT', {
      what: 'note',
      size: `${length} characters`,
      limit: `${MAX_NOTE} characters`,
      or: ''
    })
  }
  const row = liveSkill(self.store, slug)
  const to = namedContact(self.store, contact)
  return { row, to, packed: pack(await gather(self.store, row, note)) }
}

/** A delivery of the same to the same contact that wasn't declined. */
function sameDelivery(self: Self, contact: IdentityKey, packed: Packed): OutboxRow | undefined {
  for (const row of self.store.memory.outbox.values()) {
    const same = row.contact === contact && row.payload === packed.payloadHash && !row.byHand
    if (same && row.state !== 'declined') return row
  }
  return undefined
}

const ID_BYTES = 16

function newId(self: Self): BundleId {
  return toHex(self.clock.random(ID_BYTES)) as BundleId
}

async function sealFor(self: Self, { row, packed, to }: Prepared, id: BundleId): Promise<Sealed> {
  const { card } = readCard(to.card)
  const sequence = nextSequence(self, to.identity)
  const sealed = seal(packed, {
    sender: { signer: self.device.signer, attestation: self.attestation },
    recipient: { identity: to.identity, sealingKeys: card.devices.map(({ sealing }) => fromHex(sealing)) },
    id,
    sequence,
    created: self.clock.now()
  })
  const queued: OutboxRow = {
    id,
    contact: to.identity,
    uid: row.uid,
    root: row.slug,
    payload: packed.payloadHash,
    sealed: fileHash(sealed),
    parcel: null,
    bytes: sealed.length,
    sequence,
    time: seconds(self.clock),
    note: packed.manifest.note,
    skills: packed.manifest.skills.map((skill) => skill.slug),
    tools: packed.manifest.tools.map((name) => toolByName(name)!.slug),
    state: 'queued',
    problem: null,
    byHand: false
  }
  return { queued, sealed }
}

/** Without a row, the same to the same contact is known again by an id that only this device can make. */
function unnotedId(self: Self, { packed, to }: Prepared): BundleId {
  const parts = [to.identity, packed.payloadHash].map(fromHex)
  const named = keyedHash(self.device.sealing.secretKey, 'selkie/unnoted/v1', ...parts)
  return toHex(named.subarray(0, ID_BYTES)) as BundleId
}

function nextSequence(self: Self, contact: IdentityKey): number {
  let highest = 0
  for (const row of self.store.memory.outbox.values()) {
    if (row.contact === contact) highest = Math.max(highest, row.sequence)
  }
  return highest + 1
}

function sentOf(row: OutboxRow, to: ContactRow): Sent {
  const { id, state, root, bytes, skills, tools } = row
  return { id, state, contact: to.name, root, bytes, skills: [...skills], tools: [...tools] }
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: 'wx' })
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    throw new SelkieError(exists ? 'E_FILE_EXISTS' : 'E_FILE_WRITE', { path }, { cause })
  }
}
