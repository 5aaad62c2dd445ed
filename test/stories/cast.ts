import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addNote } from '../../src/editing/notes.js'
import { newProfile } from '../../src/editing/profiles.js'
import { createSkill, editSkill } from '../../src/editing/save.js'
import { signCard, type CardDevice } from '../../src/keys/card.js'
import { signWith } from '../../src/keys/device.js'
import { toHex } from '../../src/keys/sodium.js'
import { takeCard } from '../../src/people/contacts.js'
import { acceptBundle } from '../../src/receiving/import.js'
import { receiveFile } from '../../src/receiving/inbox.js'
import { reviewBundle } from '../../src/receiving/review.js'
import { sealToFile } from '../../src/sending/send.js'
import { WRITER, writerBytes } from '../../src/store/apply-devices.js'
import { pathsOf } from '../../src/store/home.js'
import { encodeOp, type Op } from '../../src/store/ops.js'
import type { Self } from '../../src/store/self.js'
import { person, type Person } from '../vectors/people.js'
import { MemoryWorld, type Beginning } from './memory-world.js'
import { PROFILES } from './story.js'
import { View, type Logs } from './view-tree.js'

/** Whose devices a story is about. */
export const ana = person('Ana', 5)
/** Senders of bundles, and contacts from the beginning. */
const ben = person('Ben', 1)
const bea = person('Bea', 1)
/** Whom a story may make a contact; two of them go by one name. */
export const people: readonly Person[] = [
  ben,
  person('Kim', 1),
  { ...person('Kim the second', 1), name: 'Kim' }
]

const cards = new Map<string, Uint8Array>()

/** A person’s card of a number, with all their devices on it, as the root signs it. */
export function cardOf(who: Person, number: number): Uint8Array {
  const key = `${who.identity} ${number}`
  let card = cards.get(key)
  if (!card) cards.set(key, (card = signed(who, number, devicesOf(who))))
  return card
}

function signed(who: Person, number: number, devices: readonly CardDevice[]): Uint8Array {
  const { identity, name, root } = who
  return signCard({ identity, name, life: 1, number, devices, removed: [] }, root).bytes
}

function devicesOf({ devices, attestations }: Person): CardDevice[] {
  return devices.map(({ sealing }, n) => ({
    name: `device ${n}`,
    sealing: toHex(sealing.publicKey),
    attestation: attestations[n]!
  }))
}

/** What is in Ana’s notebook from the beginning. */
export const NOTES: readonly string[] = ['Milk and bread.', 'The key is under the stone.']

/**
 * Where Ana’s stories begin, made with the verbs: two skills that mention each other, two
 * contacts, and bundles from them that are on their way to her; two notes, and a profile.
 *
 * @param folder where homes, sealed files and folders of skills may lie
 */
export async function beginning(folder: string): Promise<Beginning> {
  const [anas, bens, beas] = [await homeOf(ana, folder), await homeOf(ben, folder), await homeOf(bea, folder)]
  const [hers, his, other] = [anas, bens, beas].map((home) => new MemoryWorld(home, ALONE)) as [
    MemoryWorld,
    MemoryWorld,
    MemoryWorld
  ]
  const [a, b, c] = [hers.self(0), his.self(0), other.self(0)]
  for (const contact of [ben, bea]) await takeCard(a, cardOf(contact, 1))
  for (const self of [b, c]) await takeCard(self, cardOf(ana, 1))
  await write(a, 'Pack', 'First, a list.\n\nThen bags.\n\nThen a coat.\n')
  await write(a, 'Search', 'Look with @find-file.\n\nThen @pack.\n\nThen rest.\n')
  for (const text of NOTES) await addNote(a, text)
  await newProfile(a, PROFILES[0])
  const start = hers.view(0)

  const sealed: string[] = []
  const seal = async (self: Self, slug: string): Promise<void> => {
    const file = join(folder, `${sealed.length}.selkie`)
    await sealToFile(self, slug, 'Ana', file)
    sealed.push(file)
  }
  await write(b, 'Plan it', 'Where to?\n\nWith @current-date.\n\nGo.\n')
  await write(b, 'Pack', 'His own way.\n\nSee @plan-it.\n\nGo.\n')
  await seal(b, 'pack')
  await editSkill(b, 'plan-it', { body: 'Where to, and when?\n\nWith @current-date.\n\nGo.\n' })
  await write(b, 'Trip', 'See @plan-it, then @pack.\n')
  await seal(b, 'trip')
  // The same texts from someone else, under ids of their own.
  await write(c, 'Plan it', 'Where to?\n\nWith @current-date.\n\nGo.\n')
  await write(c, 'Route', 'From @plan-it to there.\n')
  await seal(c, 'route')
  const toBen = join(folder, 'to-ben.selkie')
  await sealToFile(a, 'search', 'Ben', toBen)
  const { row } = await receiveFile(b, toBen)
  await reviewBundle(b, row.id, () => false)
  await acceptBundle(b, row.id, { rename: { pack: 'hers' } })
  await editSkill(b, 'hers', { body: 'First, a list.\n\nThen bags.\n\nThen a coat, by Ben.\n' })
  await seal(b, 'search')
  await editSkill(b, 'search', { body: 'Look with @find-file.\n\nThen @hers.\n\nThen @trip.\n' })
  await seal(b, 'search')
  return { ...anas, view: start, bundles: sealed }
}

/** A folder with skills that mention each other and what a namespace may have. */
export async function skillFolder(folder: string): Promise<string> {
  const set = join(folder, 'set')
  const skill = async (name: string, body: string): Promise<void> => {
    await mkdir(join(set, name), { recursive: true })
    await writeFile(
      join(set, name, 'SKILL.md'),
      `---\nname: ${name}\ndescription: About ${name}.\n---\n${body}\n`
    )
  }
  await skill('ring', 'See @trip, @pack and @calendar.')
  await skill('trip', 'See @ring.')
  await writeFile(join(set, 'trip', 'map.txt'), 'Here.\n')
  return set
}

const ALONE = { devices: 1, order: [0], clocks: [] }

/** A person’s devices when their store is just founded. */
async function homeOf(who: Person, folder: string): Promise<Beginning> {
  const keys = who.devices.map((_, n) => n.toString(16).repeat(64).slice(0, 64))
  const logs: Logs = { keys, base: keys[0]! }
  const time = 1_760_000_000
  const [first, ...others] = devicesOf(who) as [CardDevice, ...CardDevice[]]
  const card = signed(who, 1, [first])
  const ops: Op[] = [{ type: 'found', name: who.name, card, attestation: first.attestation, time }]
  for (const [n, device] of others.entries()) {
    const log = keys[n + 1]!
    const { signer } = who.devices[n + 1]!
    const signature = signWith(signer, WRITER, writerBytes(logs.base, log))
    ops.push({ type: 'device', ...device, time }, { type: 'writer', device: signer.key, log, signature })
  }
  const entries = ops.map((op, index) => ({ writer: 0, index, seen: [index], bytes: encodeOp(op) }))
  const paths = who.devices.map((_, n) => pathsOf(join(folder, `${who.name}-${n}`)))
  for (const { inbox, outbox } of paths) {
    await mkdir(inbox, { recursive: true })
    await mkdir(outbox, { recursive: true })
  }
  const view = await View.first().after(entries, logs)
  return { person: who, logs, view, files: new Map(), paths, bundles: [] }
}

async function write(self: Self, title: string, body: string): Promise<void> {
  await createSkill(self, { title, summary: `How to: ${title}.`, body })
}
