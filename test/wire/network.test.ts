import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Corestore from 'corestore'
import t from 'tap'
import type { Delivery, Invite } from '../../src/api.js'
import type { BundleId, DeviceKey } from '../../src/base/ids.js'
import { pack } from '../../src/bundle/pack.js'
import { seal } from '../../src/bundle/seal.js'
import { readCard, signCard } from '../../src/keys/card.js'
import type { Device } from '../../src/keys/device.js'
import { fromHex, toHex } from '../../src/keys/sodium.js'
import { cardBytes, cardText } from '../../src/people/contacts.js'
import { systemClock } from '../../src/store/home.js'
import { Courier } from '../../src/wire/courier.js'
import { Presence } from '../../src/wire/presence.js'
import { chunksOf, type Receipt } from '../../src/wire/message.js'
import { useInvite } from '../../src/wire/pairing.js'
import { Network, newSwarm, type Connection } from '../../src/wire/swarm.js'
import { ana, packing, tool } from '../bundle/sample.js'
import { dhtFor, Person, until } from '../scripts/person.js'
import { cardDevice, testDevice } from '../keys/people.js'

const MiB = 1024 * 1024
/** Blocks that a reader of a mailbox asks for at once, at most. */
const MOST_ON_THEIR_WAY = 64

/** Ana’s card with her first device on it, as it travels. */
const [ANAS_DEVICE] = ana.devices as [Device]
const ANAS_CARD = signCard(
  {
    identity: ana.identity,
    name: 'Ana',
    life: 1,
    number: 1,
    devices: [cardDevice(ana.root, ANAS_DEVICE)],
    removed: []
  },
  ana.root
).bytes

t.test('cut at half of ten megabytes, a bundle goes on from there', async (t) => {
  const dht = await dhtFor(t)
  const bob = await Person.of(t, dht, 'Bob')
  const { signer } = ANAS_DEVICE
  await writeFile(join(bob.folder, 'card'), cardText(ANAS_CARD))
  await bob.run('pair', '--card', join(bob.folder, 'card'))
  const theirs = readCard(cardBytes((await bob.run<{ card: string }>('card')).card)).card
  const [device] = theirs.devices

  const logs = new Corestore(t.testdir())
  let received: (receipt: Receipt) => void
  const arrived = new Promise<Receipt>((resolve) => (received = resolve))
  const courier = new Courier(logs, {
    ownCard: async () => ANAS_CARD,
    card: async () => {},
    bundle: () => Promise.reject(new Error('nothing is sent to Ana')),
    receipt: async (_, receipt) => received(receipt),
    sending: async () => {},
    failed: (error) => t.fail('the sender fails', { error })
  })
  const presence = new Presence(signer, {
    contact: (connection, key) => courier.meet(connection, key),
    sibling: () => t.fail('Ana has one device'),
    guest: () => t.fail('nobody is invited')
  })
  t.teardown(async () => {
    await presence.close()
    await courier.close()
    await logs.close()
  })

  const bytes = new Uint8Array(randomBytes(5 * MiB))
  const films = ['a.bin', 'b.bin'].map((path, i) => ({ path, bytes: i === 0 ? bytes : bytes.toReversed() }))
  const id = toHex(randomBytes(16)) as BundleId
  const sealed = seal(
    pack(packing([{ slug: 'show-film', body: ['See ', tool('find_file')], files: films }])),
    {
      sender: { signer, attestation: ana.attestations[0]! },
      recipient: { identity: theirs.identity, sealingKeys: [fromHex(device!.sealing)] },
      id,
      sequence: 1,
      created: Date.now()
    }
  )
  const blocks = chunksOf({ bytes: sealed.length })
  await (await courier.mailbox(theirs.identity)).post(id, sealed)
  const log = logs.get({ name: `mailbox/${theirs.identity}` })
  await log.ready()
  let uploaded = 0
  const isHalf = new Promise<void>((resolve) => {
    log.on('upload', () => {
      if (++uploaded === Math.floor(blocks / 2)) resolve()
    })
  })

  await bob.up()
  const contacts = new Set([device!.attestation.device])
  courier.serve(new Map([[theirs.identity, contacts]]))
  presence.admit({ contacts, awaited: new Set(), siblings: new Set(), guests: new Set() })
  await presence.goOnline([dht])
  await isHalf
  await bob.kill('SIGKILL')
  const before = uploaded
  t.comment(`it was cut after ${before} of ${blocks} blocks`)
  await bob.up()
  t.match(await arrived, { id, state: 'received' })
  t.match(await bob.run<Delivery[]>('inbox'), [{ id, state: 'waiting', bytes: sealed.length }])
  // Begun anew, it would be half as many more. What was on its way is sent again: on a machine
  // that is busy more than on one that isn’t.
  t.ok(uploaded <= blocks + MOST_ON_THEIR_WAY, `${uploaded} blocks were sent of ${blocks}`)
})

t.test('a stranger isn’t let in, and leaves nothing behind', async (t) => {
  const dht = await dhtFor(t)
  const swarm = newSwarm({ bootstrap: [dht], signer: testDevice(1).signer, firewall: () => true })
  t.teardown(() => swarm.destroy())
  swarm.on('connection', () => t.fail('a stranger is let in'))
  await swarm.listen()
  for (let n = 2; n < 12; n++) {
    const stranger = newSwarm({ bootstrap: [dht], signer: testDevice(n).signer })
    const refused = once(swarm, 'ban')
    stranger.joinPeer(fromHex(testDevice(1).signer.key))
    await refused
    await stranger.destroy({ force: true })
  }
  t.equal(swarm.peers.size, 0)
  t.equal(swarm.connections.size, 0)
})

t.test('a device is let in while it is admitted, and cut off the moment that it isn’t', async (t) => {
  const dht = await dhtFor(t)
  const [mine, friend] = [testDevice(1).signer, testDevice(2).signer]
  let meet: (device: DeviceKey) => void
  const met = new Promise<DeviceKey>((resolve) => (meet = resolve))
  const onConnection = (_: Connection, device: DeviceKey): void => meet(device)
  const network = await Network.start({ bootstrap: [dht], signer: mine, onConnection })
  t.teardown(() => network.close())
  network.admit(new Set([friend.key]), new Set([friend.key]))

  const swarm = newSwarm({ bootstrap: [dht], signer: friend })
  t.teardown(() => swarm.destroy({ force: true }))
  swarm.joinPeer(fromHex(mine.key))
  const [connection] = (await once(swarm, 'connection')) as [Connection]
  connection.on('error', () => {})
  t.equal(await met, friend.key)
  t.same([...network.connected()], [friend.key])

  const closed = new Promise((resolve) => connection.on('close', resolve))
  network.admit(new Set(), new Set())
  await closed
  await until(async () => network.connected().size === 0)
})

t.test('an inviter who can’t be reached', async (t) => {
  const dht = await dhtFor(t)
  const ann = await Person.of(t, dht, 'Ann')
  await ann.up()
  const { invite } = await ann.run<Invite>('invite')
  await ann.kill()
  const options = { bootstrap: [dht], invite, card: ANAS_CARD, clock: systemClock, admit: async () => {} }
  await t.rejects(useInvite({ ...options, patience: 300 }), { code: 'E_PAIR_UNREACHED' })
})
