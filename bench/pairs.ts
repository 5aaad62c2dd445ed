import type { EventEmitter } from 'node:events'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import Autopass from 'autopass'
import Corestore from 'corestore'
import type { Slug } from '../src/base/ids.js'
import { shownContent } from '../src/editing/find.js'
import { createSkill, editSkill } from '../src/editing/save.js'
import { signCard } from '../src/keys/card.js'
import { signWith } from '../src/keys/device.js'
import { toHex } from '../src/keys/sodium.js'
import { WRITER, writerBytes } from '../src/store/apply-devices.js'
import { foundEpoch } from '../src/store/founding.js'
import { openLogs, pathsOf, systemClock } from '../src/store/home.js'
import type { StoredSkill } from '../src/store/rows.js'
import { seconds, type Self } from '../src/store/self.js'
import { Store } from '../src/store/store.js'
import { person } from '../test/vectors/people.js'

/** Which of two saves while they are apart: who made what they share, or who came to it. */
export type Writer = 'founder' | 'joiner'

/** Two devices that share names and texts, and aren’t connected. */
export interface Pair {
  /** Saves a text under a name on the one that writes. */
  save(name: string, text: string): Promise<void>
  /** Connects them; settles when the other has the text under the name, or when it is cut off. */
  meet(name: string, text: string, cut: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Two devices of one person, each with a store in a folder. */
export async function selkies(folder: string, writer: Writer): Promise<Pair> {
  const owner = person('Bench', 2)
  const { identity, attestor } = owner
  const time = seconds(systemClock)
  const founderPaths = pathsOf(join(folder, 'founder'))
  const joinerPaths = pathsOf(join(folder, 'joiner'))
  const [founderLogs, joinerLogs] = [await openLogs(founderPaths), await openLogs(joinerPaths)]
  const [founder, joiner] = owner.devices.map(({ sealing }, n) => ({
    name: `device ${n}`,
    sealing: toHex(sealing.publicKey),
    attestation: owner.attestations[n]!
  }))
  const card = { identity, name: 'Bench', life: 1, number: 1, devices: [founder!], removed: [] }
  const { store, epoch } = await foundEpoch({
    logs: founderLogs,
    clock: systemClock,
    signer: owner.root,
    attestation: founder!.attestation,
    card: signCard(card, owner.root),
    life: 1,
    state: [],
    time
  })
  const joined = await Store.join(joinerLogs, epoch)
  const { signer } = owner.devices[1]!
  const signature = signWith(signer, WRITER, writerBytes(joined.base, joined.log))
  await store.append(
    { type: 'device', ...joiner!, time },
    { type: 'writer', device: signer.key, log: joined.log, signature }
  )

  const selfOf = (device: number, own: Pick<Self, 'store' | 'logs' | 'paths'>): Self => ({
    ...own,
    identity,
    attestor,
    device: owner.devices[device]!,
    attestation: owner.attestations[device]!,
    clock: systemClock
  })
  const one = selfOf(0, { store, logs: founderLogs, paths: founderPaths })
  const two = selfOf(1, { store: joined, logs: joinerLogs, paths: joinerPaths })
  const connect = (): (() => Promise<void>) =>
    piped(
      [one, two].map(({ logs, store: each }, n) => {
        const stream = logs.replicate(n === 0)
        each.attend(stream)
        return stream
      })
    )
  const part = connect()
  await until(joined, 'writable', () => joined.writable)
  await part()

  const [here, there] = writer === 'founder' ? [one, two] : [two, one]
  return {
    async save(name, body) {
      if (here.store.namespace.resolve(name as Slug)) await editSkill(here, name, { body })
      else await createSkill(here, { title: name, summary: 'One of many.', body })
    },
    async meet(name, body, cut) {
      const has = async (): Promise<boolean> => {
        const found = there.store.namespace.resolve(name as Slug)
        if (found?.kind !== 'skill') return false
        return (await shownContent(there.store, found.skill as StoredSkill)).body[0] === body
      }
      const part = connect()
      await until(there.store, 'change', has, cut)
      await part()
    },
    async close() {
      for (const each of [one, two]) {
        await each.store.close()
        await each.logs.close()
      }
    }
  }
}

/** Two instances of autopass, each in a folder. */
export async function autopasses(folder: string, writer: Writer): Promise<Pair> {
  const one = new Autopass(new Corestore(join(folder, 'founder')), { replicate: false })
  await one.ready()
  const { key, encryptionKey } = one
  const two = new Autopass(new Corestore(join(folder, 'joiner')), { replicate: false, key, encryptionKey })
  await two.ready()
  await one.addWriter(two.writerKey)
  const connect = (): (() => Promise<void>) => piped([one.base.replicate(true), two.base.replicate(false)])
  const part = connect()
  await until(two, 'update', () => two.writable)
  const tell = async (from: Autopass, to: Autopass, round: string): Promise<void> => {
    await from.add('round', round)
    await until(to, 'update', async () => (await to.get('round'))?.value === round)
  }
  // Both count in the order of entries once each has heard the other.
  const counted = (): boolean => [one, two].every(({ base }) => base.linearizer.indexers.length === 2)
  for (let round = 0; !counted(); round++) {
    await tell(one, two, `${round}, one`)
    await tell(two, one, `${round}, two`)
  }
  await part()

  const [here, there] = writer === 'founder' ? [one, two] : [two, one]
  return {
    save: (name, text) => here.add(name, text),
    async meet(name, text, cut) {
      const part = connect()
      await until(there, 'update', async () => (await there.get(name))?.value === text, cut)
      await part()
    },
    async close() {
      for (const each of [one, two]) {
        await each.close()
        await each.store.close()
      }
    }
  }
}

/** Connects two ends; gives what parts them. */
function piped(ends: readonly Duplex[]): () => Promise<void> {
  const [a, b] = ends as [Duplex, Duplex]
  a.pipe(b).pipe(a)
  return async () => {
    const closed = ends.map((end) => new Promise((resolve) => end.once('close', resolve)))
    for (const end of ends) end.on('error', () => {}).destroy()
    await Promise.all(closed)
  }
}

/** Settles as soon as something holds, which may be whenever an event comes; or when it is cut off. */
async function until(
  emitter: EventEmitter,
  event: string,
  holds: () => boolean | Promise<boolean>,
  cut?: AbortSignal
): Promise<void> {
  const stopped = new Promise((resolve) => cut?.addEventListener('abort', resolve, { once: true }))
  for (;;) {
    const next = new Promise((resolve) => emitter.once(event, resolve))
    if (cut?.aborted || (await holds())) return
    await Promise.race([next, stopped])
  }
}
