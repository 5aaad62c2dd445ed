import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Autopass from 'autopass'
import Corestore from 'corestore'
import { shownContent } from '../src/editing/find.js'
import { createSkill, editSkill } from '../src/editing/save.js'
import { signCard } from '../src/keys/card.js'
import { signWith } from '../src/keys/device.js'
import { toHex } from '../src/keys/sodium.js'
import { shown } from '../src/namespace/linked.js'
import { WRITER, writerBytes } from '../src/store/apply-devices.js'
import { foundEpoch } from '../src/store/founding.js'
import { pathsOf, systemClock } from '../src/store/home.js'
import { seconds, type Self } from '../src/store/self.js'
import { Store } from '../src/store/store.js'
import { person } from '../test/vectors/people.js'

/** Two replicas of one store: one writes while they are apart, the other follows. */
export interface Replicas {
  /** Saves a text under a name, where the one writes. */
  save(name: string, text: string): Promise<void>
  /** Connects the two; settles when the other has this text under this name. */
  meet(name: string, text: string): Promise<void>
  close(): Promise<void>
}

/** Two devices of one person, in a folder. The second writes, for the first has founded the store. */
export async function selkies(folder: string): Promise<Replicas> {
  const owner = person('Bench', 2)
  const { identity, attestor } = owner
  const time = seconds(systemClock)
  const [one, two] = ['one', 'two'].map((name) => new Corestore(join(folder, name)))
  const devices = owner.devices.map(({ sealing }, n) => ({
    name: `device ${n}`,
    sealing: toHex(sealing.publicKey),
    attestation: owner.attestations[n]!
  }))
  const card = signCard(
    { identity, name: 'Bench', life: 1, number: 1, devices: devices.slice(0, 1), removed: [] },
    owner.root
  )
  const { store, epoch } = await foundEpoch({
    logs: one!,
    clock: systemClock,
    signer: owner.root,
    attestation: owner.attestations[0]!,
    card,
    life: 1,
    state: [],
    time
  })
  const joined = await Store.join(two!, epoch)
  const { signer } = owner.devices[1]!
  const signature = signWith(signer, WRITER, writerBytes(joined.base, joined.log))
  await store.append(
    { type: 'device', ...devices[1]!, time },
    { type: 'writer', device: signer.key, log: joined.log, signature }
  )

  const selves = [store, joined].map((each, n): Self => ({
    identity,
    attestor,
    device: owner.devices[n]!,
    attestation: owner.attestations[n]!,
    store: each,
    logs: [one!, two!][n]!,
    paths: pathsOf(folder),
    clock: systemClock
  }))
  const [writer, reader] = process.env.FOUNDER ? selves : selves.reverse()
  const connect = (): (() => Promise<void>) => {
    const streams = selves.map(({ logs, store: each }, n) => {
      const stream = logs.replicate(n === 0)
      each.attend(stream)
      return stream
    })
    return joinEnds(streams[0]!, streams[1]!)
  }
  const part = connect()
  if (!joined.writable) await once(joined, 'writable')
  await part()
  return {
    async save(title, body) {
      if (writer!.store.namespace.resolve(title as never)) await editSkill(writer!, title, { body })
      else await createSkill(writer!, { title, summary: 'One of many.', body })
    },
    async meet(title, body) {
      const has = async (): Promise<boolean> => {
        const found = reader!.store.namespace.resolve(title as never)
        if (found?.kind !== 'skill') return false
        const content = await shownContent(reader!.store, found.skill as never)
        return shown(content.body, () => '' as never) === body
      }
      const end = connect()
      while (!(await has())) await once(reader!.store, 'change')
      await end()
    },
    async close() {
      for (const each of selves) {
        await each.store.close()
        await each.logs.close()
      }
    }
  }
}

/** Two instances of autopass, in a folder. */
export async function autopasses(folder: string): Promise<Replicas> {
  const one = new Autopass(new Corestore(join(folder, 'one')), { replicate: false })
  await one.ready()
  const { key, encryptionKey } = one
  const two = new Autopass(new Corestore(join(folder, 'two')), { replicate: false, key, encryptionKey })
  await two.ready()
  await one.addWriter(two.writerKey)
  const connect = (): (() => Promise<void>) => joinEnds(one.base.replicate(true), two.base.replicate(false))
  const end = connect()
  // Paired is who has been heard: as long as only the first one counts, its view is taken over unseen.
  while (!two.writable) await once(two, 'update')
  for (const each of [one, two]) {
    while (each.base.linearizer.indexers.length < 2) {
      for (const speaker of [one, two]) await speaker.add('paired', 'yes')
      await setImmediate()
    }
  }
  await end()
  const [writer, reader] = process.env.FOUNDER ? [one, two] : [two, one]
  return {
    save: (name, text) => writer.add(name, text),
    async meet(name, text) {
      const part = connect()
      while ((await reader.get(name))?.value !== text) await once(reader, 'update')
      await part()
    },
    async close() {
      await one.close()
      await two.close()
    }
  }
}

function joinEnds(a: Duplex, b: Duplex): () => Promise<void> {
  a.pipe(b).pipe(a)
  return async () => {
    for (const end of [a, b]) {
      const closed = new Promise((resolve) => end.once('close', resolve))
      end.on('error', () => {})
      end.destroy()
      await closed
    }
  }
}
