import { writeFile } from 'node:fs/promises'
import type { SealedFile, Sent } from '../api.js'
import { SelkieError } from '../base/errors.js'
import type { BundleId, IdentityKey } from '../base/ids.js'
import { MAX_NOTE } from '../base/limits.js'
import { pack, type Packed } from '../bundle/pack.js'
import { seal } from '../bundle/seal.js'
import { liveSkill } from '../editing/find.js'
import { readCard } from '../keys/card.js'
import { fromHex, toHex } from '../keys/sodium.js'
import { toolByName } from '../namespace/tool.js'
import { namedContact } from '../people/contacts.js'
import type { ContactRow, OutboxRow, StoredSkill } from '../store/rows.js'
import { sealedFile, writeSealed } from '../store/sealed-files.js'
import { seconds, type Self } from '../store/self.js'
import { gather } from './gather.js'

/**
 * Seals a skill with all that it mentions and queues it for a contact. It is safe on
 * disk when this returns. The same again, while the first is on its way or has arrived,
 * is the same delivery.
 *
 * @throws SelkieError E_SLUG_UNKNOWN, E_CONTACT_UNKNOWN, E_TEXT_LIMIT, and what
 *   {@link pack} refuses
 */
export async function sendSkill(self: Self, slug: string, contact: string, note = ''): Promise<Sent> {
  return self.store.turn(async () => {
    const { row, packed, to } = await prepare(self, slug, contact, note)
    const before = sameDelivery(self, to.identity, packed)
    if (before) return sentOf(before, to)
    const { queued, sealed } = await sealFor(self, row, packed, to, { byHand: false })
    await writeSealed(sealedPath(self, queued.id), sealed)
    await self.store.append({ type: 'queue', row: queued })
    return sentOf(queued, to)
  })
}

/**
 * Seals a skill with all that it mentions into a file, for any other way to the
 * contact. An existing file is not overwritten.
 *
 * @throws SelkieError E_FILE_EXISTS, E_FILE_WRITE, and what {@link sendSkill} throws
 */
export async function sealToFile(
  self: Self,
  slug: string,
  contact: string,
  out: string,
  note = ''
): Promise<SealedFile> {
  return self.store.turn(async () => {
    const { row, packed, to } = await prepare(self, slug, contact, note)
    const { queued, sealed } = await sealFor(self, row, packed, to, { byHand: true })
    await writeNew(out, sealed)
    await self.store.append({ type: 'queue', row: { ...queued, state: 'sent' } })
    const { id, contact: name, root, bytes, skills, tools } = sentOf(queued, to)
    return { id, file: out, contact: name, root, bytes, skills, tools }
  })
}

/** Where the sealed bytes of a bundle wait until they are in the contact's mailbox. */
export function sealedPath(self: Self, id: BundleId): string {
  return sealedFile(self.paths.outbox, id)
}

async function prepare(
  self: Self,
  slug: string,
  contact: string,
  note: string
): Promise<{ row: StoredSkill; packed: Packed; to: ContactRow }> {
  const length = [...note].length
  if (length > MAX_NOTE) {
    throw new SelkieError('E_TEXT_LIMIT', {
      what: 'note',
      size: `${length} characters`,
      limit: `${MAX_NOTE} characters`
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

async function sealFor(
  self: Self,
  row: StoredSkill,
  packed: Packed,
  to: ContactRow,
  { byHand }: { byHand: boolean }
): Promise<{ queued: OutboxRow; sealed: Uint8Array }> {
  const { card } = readCard(to.card)
  const id = toHex(self.clock.random(16)) as BundleId
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
    bytes: sealed.length,
    sequence,
    time: seconds(self.clock),
    note: packed.manifest.note,
    skills: packed.manifest.skills.map((skill) => skill.slug),
    tools: packed.manifest.tools.map((name) => toolByName(name)!.slug),
    state: 'queued',
    problem: null,
    byHand
  }
  return { queued, sealed }
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
