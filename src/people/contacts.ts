import type { Contact } from '../api.js'
import { SelkieError } from '../base/errors.js'
import { freeName, OWN_NAME } from '../base/name.js'
import type { DeviceKey, IdentityKey } from '../base/ids.js'
import { checkSuccession, deviceKeys, isNewer, readCard, type Card, type SignedCard } from '../keys/card.js'
import { isSealingKey } from '../keys/device.js'
import { safetyWords } from '../keys/safety.js'
import { fromHex } from '../keys/sodium.js'
import type { ContactRow } from '../store/rows.js'
import type { Self } from '../store/self.js'
import type { Store } from '../store/store.js'

/** The contacts that are not forgotten, by name. */
export function contactRows(store: Store): ContactRow[] {
  const rows = [...store.memory.contacts.values()].filter(({ forgotten }) => !forgotten)
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * The contact that a person named: by identity key, by at least eight digits that it
 * begins with, or by name in any case.
 *
 * @throws SelkieError E_CONTACT_UNKNOWN
 */
export function namedContact(store: Store, typed: string): ContactRow {
  const rows = contactRows(store)
  const wanted = typed.trim().toLowerCase()
  // The key first: a name is what its owner chose, and may look like another's key.
  const keyed = wanted.length < 8 ? [] : rows.filter(({ identity }) => identity.startsWith(wanted))
  if (keyed.length === 1) return keyed[0]!
  const named = rows.find(({ name }) => name.toLowerCase() === wanted)
  if (named) return named
  throw new SelkieError('E_CONTACT_UNKNOWN', { contact: typed })
}

/** A contact as a person sees it. */
export function contactShown(self: Self, row: ContactRow, online: boolean): Contact {
  const { card } = readCard(row.card)
  return {
    name: row.name,
    identity: row.identity,
    verified: row.verified,
    devices: card.devices.map(({ name, attestation }) => ({ name, device: attestation.device })),
    safetyWords: safetyWords(self.identity, row.identity),
    online
  }
}

/**
 * Takes a card in: of someone new under a name that is free among the contacts, of
 * someone known in the place of the one before. A card that is known already changes
 * nothing.
 *
 * @throws SelkieError E_CARD, E_CARD_OLD, E_CARD_ROOT, E_PAIR_SELF
 */
export async function takeCard(self: Self, bytes: Uint8Array): Promise<ContactRow> {
  const signed = readCard(bytes)
  const { identity } = signed.card
  if (identity === self.identity) throw new SelkieError('E_PAIR_SELF')
  return self.store.turn(async () => {
    const known = self.store.memory.contacts.get(identity)
    if (known && sameCard(known, signed) && !known.forgotten) return known
    if (known) checkSuccession(readCard(known.card), signed)
    await refuseUnfitDevices(self, signed.card)
    const taken = new Set([OWN_NAME, ...contactRows(self.store).map((row) => row.name.toLowerCase())])
    const isNew = !known || known.forgotten
    const name = isNew ? freeName(signed.card.name, taken, identity.slice(0, 12)) : known.name
    await self.store.append({ type: 'contact', identity, name, card: bytes })
    return self.store.memory.contacts.get(identity)!
  })
}

/**
 * Takes in the card that a contact shows now. Of someone who was forgotten meanwhile it
 * is not taken: they would be a contact again.
 *
 * @throws SelkieError E_CARD, E_CARD_ROOT, E_CONTACT_UNKNOWN
 */
export async function renewCard(self: Self, identity: IdentityKey, bytes: Uint8Array): Promise<void> {
  const signed = readCard(bytes)
  if (signed.card.identity !== identity) throw new SelkieError('E_CARD', { why: 'it is someone else’s' })
  await self.store.turn(async () => {
    const known = self.store.memory.contacts.get(identity)
    if (!known || known.forgotten) throw new SelkieError('E_CONTACT_UNKNOWN', { contact: signed.card.name })
    const before = readCard(known.card)
    // A device that was brought back from a backup shows an old card: the newer one stays.
    if (!isNewer(before, signed)) return
    checkSuccession(before, signed)
    await refuseUnfitDevices(self, signed.card)
    await self.store.append({ type: 'renew', identity, card: bytes })
  })
}

/** Marks a contact as verified, or takes the mark away. */
export async function setVerified(self: Self, typed: string, verified: boolean): Promise<ContactRow> {
  return self.store.turn(async () => {
    const row = namedContact(self.store, typed)
    await self.store.append({ type: 'verify', identity: row.identity, verified })
    return { ...row, verified }
  })
}

/** Forgets a contact: nothing goes to them or comes from them any more. */
export async function forgetContact(self: Self, typed: string): Promise<ContactRow> {
  return self.store.turn(async () => {
    const row = namedContact(self.store, typed)
    await self.store.append({ type: 'forget', identity: row.identity })
    return row
  })
}

/** The devices of an identity that bundles may come from: a contact’s; undefined for a stranger. */
export function devicesOfContact(row: ContactRow | undefined): ReadonlySet<DeviceKey> | undefined {
  return row && !row.forgotten ? new Set(deviceKeys(readCard(row.card).card)) : undefined
}

function sameCard(known: ContactRow, next: SignedCard): boolean {
  return Buffer.compare(known.card, next.bytes) === 0
}

/** A device that is on two cards would let one person pass for the other; one without a key could get nothing. */
async function refuseUnfitDevices(self: Self, card: Card): Promise<void> {
  const others = contactRows(self.store).filter(({ identity }) => identity !== card.identity)
  const taken = new Set([
    ...self.store.memory.devices.keys(),
    ...others.flatMap((row) => deviceKeys(readCard(row.card).card))
  ])
  if (!card.devices.every(({ sealing }) => isSealingKey(fromHex(sealing))))
    throw new SelkieError('E_CARD', { why: 'nothing can be sealed to a device on it' })
  if (deviceKeys(card).some((key) => taken.has(key))) {
    throw new SelkieError('E_CARD', { why: 'a device on it is someone else’s' })
  }
}

/** What stands in a card’s text in front of its bytes. */
const CARD_PREFIX = 'selkie-card:'

/** A card as text that travels in a file or a message. */
export function cardText(bytes: Uint8Array): string {
  return CARD_PREFIX + Buffer.from(bytes).toString('base64url')
}

/**
 * The bytes of a card's text.
 *
 * @throws SelkieError E_CARD
 */
export function cardBytes(text: string): Uint8Array {
  const plain = text.trim()
  if (!plain.startsWith(CARD_PREFIX)) throw new SelkieError('E_CARD', { why: 'it isn’t a card' })
  return new Uint8Array(Buffer.from(plain.slice(CARD_PREFIX.length), 'base64url'))
}
