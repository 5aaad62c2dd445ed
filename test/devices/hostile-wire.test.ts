import { randomBytes } from 'node:crypto'
import c from 'compact-encoding'
import Protomux from 'protomux'
import t, { type Test } from 'tap'
import type { DeviceKey, IdentityKey } from '../../src/base/ids.js'
import { isSelkieError } from '../../src/base/errors.js'
import { decode, encode } from '../../src/base/msgpack.js'
import { decodeInvite } from '../../src/devices/invite.js'
import { MAX_CARD_BYTES } from '../../src/keys/card.js'
import { deviceFrom, signWith, type Device as Keys, type DeviceSigner } from '../../src/keys/device.js'
import { consentOf, rootFrom } from '../../src/keys/identity.js'
import { joiningKeyFrom } from '../../src/keys/joining.js'
import { removalOf } from '../../src/keys/removal.js'
import { fromHex, toHex } from '../../src/keys/sodium.js'
import { WRITER, writerBytes } from '../../src/store/apply-devices.js'
import { openLogs } from '../../src/store/home.js'
import { openSelf, type Opened } from '../../src/store/open-self.js'
import { MAX_RECORD, signSuccession, storeKeyHash, type Succession } from '../../src/store/succession.js'
import { newSwarm, type Connection } from '../../src/wire/swarm.js'
import { dhtFor, until } from '../scripts/person.js'
import { person } from '../vectors/people.js'
import { devices, firstDevice, type Device } from './devices.js'

const dht = await dhtFor(t)

/** One end of a connection on which anything may be said. */
interface Line {
  readonly say: (bytes: Uint8Array) => void
  /** What came, in order. */
  readonly heard: { readonly type?: string; readonly code?: string }[]
  readonly closed: Promise<void>
  /** Settles when a request was answered. */
  readonly answered: Promise<void>
  end(): Promise<void>
}

/** Calls a device under a key, on a protocol of its own. */
async function call(t: Test, signer: DeviceSigner, to: string, protocol: string): Promise<Line> {
  const swarm = newSwarm({ bootstrap: [dht], signer })
  const end = (): Promise<void> => swarm.destroy({ force: true })
  t.teardown(end)
  swarm.joinPeer(fromHex(to))
  return new Promise((resolve) => {
    swarm.once('connection', (connection: Connection) => {
      connection.on('error', () => {})
      const closed = new Promise<void>((yes) => connection.once('close', () => yes()))
      const heard: Line['heard'] = []
      const channel = Protomux.from(connection).createChannel({ protocol })!
      let answer!: () => void
      const answered = new Promise<void>((yes) => (answer = yes))
      const wire = channel.addMessage<Buffer>({
        encoding: c.raw,
        onmessage: (bytes) => {
          const message = decode(new Uint8Array(bytes)) as Line['heard'][number]
          heard.push(message)
          if (message.type === 'welcome' || message.type === 'refusal') answer()
        }
      })
      channel.open()
      const say = (bytes: Uint8Array): void => void wire.send(Buffer.from(bytes))
      resolve({ say, heard, answered, closed, end })
    })
  })
}

/** A laptop, and what a further device of its person holds, with which one can do anything. */
async function stolen(t: Test): Promise<{ laptop: Device; to: string; words: string; rogue: Opened }> {
  const { words, all } = await devices(t, dht, 'Ana', 'laptop', 'rogue')
  const [laptop, device] = all
  await device.close()
  const rogue = await openSelf(device.home, async () => '')
  await rogue.self.store.close()
  await rogue.self.logs.close()
  return { laptop, to: await laptop.key(), words, rogue }
}

/** The base that a home lives in. */
async function baseOf(device: Device): Promise<string> {
  await device.close()
  const { self, epoch } = await openSelf(device.home, async () => '')
  await self.store.close()
  await self.logs.close()
  return epoch.base
}

/** That a device is as it was, and works. */
async function isUnharmed(t: Test, laptop: Device, members: number): Promise<void> {
  await laptop.node.create({ title: 'Still here', summary: 'It works.', body: 'It works.' })
  t.equal((await laptop.node.devices()).length, members, 'nobody was let in')
  t.match(await laptop.node.check(), { ok: true })
}

t.test('a sibling that says what no sibling says is hung up on, and nothing comes of it', async (t) => {
  const { laptop, to, words, rogue } = await stolen(t)
  const { self, epoch } = rogue
  const { signer } = self.device
  const { succession } = epoch.record
  const log = '7'.repeat(64)
  const greeting = (change: object = {}): Uint8Array =>
    encode({
      record: epoch.record.bytes,
      encryption: null,
      log,
      signature: signWith(signer, WRITER, writerBytes(epoch.base, log)),
      ...change
    })
  const record = (
    change: Partial<Succession>,
    by: Parameters<typeof signSuccession>[1] = signer
  ): Uint8Array => signSuccession({ ...succession, founder: signer.key, ...change }, by).bytes
  const root = rootFrom(words)
  const removal = removalOf(root, to as DeviceKey)
  const forged = { ...removal, signature: '0'.repeat(128) }
  const flipped = Uint8Array.from(epoch.record.bytes)
  flipped[flipped.length - 1]! ^= 1

  const odd: Record<string, readonly Uint8Array[]> = {
    noise: [randomBytes(100)],
    'no bytes': [new Uint8Array()],
    'another message': [encode({ hello: 1 })],
    'more than a greeting holds': [randomBytes(MAX_RECORD + 1025)],
    'a record that is a text': [greeting({ record: 'record' })],
    'a record that is too long': [greeting({ record: randomBytes(MAX_RECORD + 1) })],
    'more greetings than there are epochs': Array.from({ length: 257 }, () => greeting()),
    'a record that is noise': [greeting({ record: randomBytes(300) })],
    'a record that was changed': [greeting({ record: flipped })],
    'a removal that the root didn’t sign': [greeting({ record: record({ removed: [forged] }) })],
    'a removal that the device signed itself': [
      greeting({
        record: record({
          removed: [{ ...removal, signature: signWith(signer, 'selkie/removal/v1', randomBytes(64)) }]
        })
      })
    ],
    'a record that another device founded': [greeting({ record: record({ founder: to as DeviceKey }) })],
    'a wrong key for this base': [greeting({ encryption: '5'.repeat(64) })],
    'a wrong key for the next base': [
      greeting({ record: record({ base: '1'.repeat(64) }, root), encryption: '5'.repeat(64) })
    ]
  }
  for (const [name, messages] of Object.entries(odd)) {
    const line = await call(t, signer, to, 'selkie/device/1')
    for (const message of messages) line.say(message)
    await line.closed
    t.pass(`${name}: it hangs up`)
    await line.end()
  }
  const codes = laptop.problems.splice(0).map((error) => (isSelkieError(error) ? error.code : error))
  t.same(new Set(codes), new Set(['E_SUCCESSION']), 'a record that is forged is told')

  // What is well-formed and means nothing is passed over: whoever says it may stay.
  const stranger = person('Mallory', 1)
  const [theirs] = stranger.devices as [Keys]
  const key = '6'.repeat(64)
  const told = { encryption: key }
  const own = { base: '0'.repeat(63) + '1', key: toHex(storeKeyHash(fromHex(key))) }
  const line = await call(t, signer, to, 'selkie/device/1')
  const alien = { identity: stranger.identity, founder: theirs.signer.key }
  line.say(greeting({ record: record({ ...own, ...alien }, stranger.root), ...told }))
  line.say(greeting({ record: record({ ...own, life: succession.life + 1 }, root), ...told }))
  line.say(greeting({ record: record({ ...own, founder: theirs.signer.key }, theirs.signer), ...told }))
  line.say(greeting({ record: record(own), ...told }))
  line.say(greeting({ log: 'f'.repeat(64) }))
  // One is heard after the other, so at the end of the last all are.
  line.say(greeting({ record: flipped }))
  await line.closed
  await line.end()
  t.equal(laptop.problems.splice(0).length, 1)
  await isUnharmed(t, laptop, 2)

  // Only who has the words can lead it to a base that there is nothing of; until there is, it stays.
  const last = await call(t, signer, to, 'selkie/device/1')
  last.say(greeting({ record: record(own, root), ...told }))
  last.say(greeting({ record: flipped }))
  await last.closed
  t.equal(laptop.problems.splice(0).length, 1)
  await isUnharmed(t, laptop, 2)
  t.equal(await baseOf(laptop), succession.base)
})

t.test('a device whose log can’t be read any more is named to its person', async (t) => {
  const { laptop, to, rogue } = await stolen(t)
  const { paths, device, store } = rogue.self
  const logs = await openLogs(paths)
  const log = logs.get({ key: fromHex(store.log) })
  await log.ready()
  await log.append(randomBytes(100))
  const swarm = newSwarm({ bootstrap: [dht], signer: device.signer })
  swarm.on('connection', (connection: Connection) => {
    connection.on('error', () => {})
    logs.replicate(connection)
  })
  swarm.joinPeer(fromHex(to))
  await until(async () => laptop.problems.length > 0)
  t.match(laptop.problems.splice(0), [{ code: 'E_DEVICE_LOG', fields: { name: 'rogue' } }])
  await isUnharmed(t, laptop, 2)
  await laptop.online()
  await until(async () => laptop.problems.length > 0)
  t.match(laptop.problems.splice(0), [{ code: 'E_DEVICE_LOG' }], 'also when it starts again')
  await swarm.destroy({ force: true })
  await logs.close()
})

t.test('a guest who doesn’t keep to what guests say isn’t let in', async (t) => {
  const { device: laptop } = await firstDevice(t, dht, 'Ana')
  const [to, identity] = [await laptop.key(), (await laptop.node.status()).identity as IdentityKey]
  const invited = async (): Promise<{ invite: string; signer: DeviceSigner }> => {
    const { invite } = await laptop.node.deviceInvite({ expiresInSeconds: 600 })
    const { publicKey, secret } = joiningKeyFrom(decodeInvite(invite).seed)
    return { invite, signer: { key: publicKey as DeviceKey, secret } }
  }
  const phone = (byte: number): Keys => {
    const seed = new Uint8Array(32).fill(byte)
    return deviceFrom({ signing: seed, sealing: seed })
  }
  const request = (device: Keys, change: object = {}): Uint8Array =>
    encode({
      type: 'request',
      name: 'phone',
      device: device.signer.key,
      sealing: toHex(device.sealing.publicKey),
      consent: consentOf(identity, device),
      ...change
    })

  const odd: Record<string, readonly Uint8Array[]> = {
    noise: [randomBytes(100)],
    'no bytes': [new Uint8Array()],
    'more than a message holds': [randomBytes(MAX_CARD_BYTES + MAX_RECORD + 1)],
    'a refusal of its own': [encode({ type: 'refusal', code: 'E_INVITE_USED' })],
    'a request without a name': [request(phone(1), { name: '' })],
    'a request with a long name': [request(phone(1), { name: 'x'.repeat(65) })],
    'a request with a short key': [request(phone(1), { sealing: '00' })],
    'a request with more in it': [request(phone(1), { admin: true })]
  }
  const { invite, signer } = await invited()
  for (const [name, messages] of Object.entries(odd)) {
    const line = await call(t, signer, to, 'selkie/join/1')
    for (const message of messages) line.say(message)
    await line.closed
    t.pass(`${name}: it hangs up`)
    await line.end()
  }
  const unwilling: Record<string, Uint8Array> = {
    'with the consent of another device': request(phone(1), { consent: consentOf(identity, phone(2)) }),
    'with a consent to someone else': request(phone(1), {
      consent: consentOf(person('Ben', 1).identity, phone(1))
    }),
    'with a sealing key that it didn’t consent to': request(phone(1), {
      sealing: toHex(phone(2).sealing.publicKey)
    })
  }
  for (const [name, message] of Object.entries(unwilling)) {
    const line = await call(t, signer, to, 'selkie/join/1')
    line.say(message)
    await line.closed
    t.match(
      line.heard.filter(({ type }) => type !== 'offer'),
      [{ type: 'refusal', code: 'E_JOIN_REFUSED' }],
      name
    )
    await line.end()
  }
  await isUnharmed(t, laptop, 1)

  // Twice, at once and ahead of the offer: one of them is let in.
  const used = laptop.node.deviceInvited(invite)
  used.catch(() => {})
  const line = await call(t, signer, to, 'selkie/join/1')
  line.say(request(phone(1), { name: 'ph\u001b[31mone\n\u202e' }))
  line.say(request(phone(2)))
  await line.closed
  t.match(
    line.heard,
    [{ type: 'offer' }, { type: 'welcome' }, { type: 'refusal', code: 'E_INVITE_USED' }],
    'one request is heard'
  )
  await line.end()
  const [, joined] = await laptop.node.devices()
  t.equal(joined?.device, phone(1).signer.key)
  t.notMatch(joined?.name, /\p{C}/u, 'its name shows as it is')
  await isUnharmed(t, laptop, 2)

  const late = await call(t, signer, to, 'selkie/join/1')
  late.say(request(phone(3)))
  await late.closed
  t.match(late.heard.at(-1), { code: 'E_INVITE_USED' })
  await late.end()

  // Two who have the same invite, at once.
  const shared = await invited()
  const both = await Promise.all([4, 5].map((n) => callAndAsk(t, shared.signer, to, request(phone(n)))))
  const welcomed = both.filter(({ heard }) => heard.some(({ type }) => type === 'welcome'))
  t.ok(welcomed.length <= 1, 'one of two is welcome at most')
  t.ok((await laptop.node.devices()).length <= 3, 'and one is let in at most')
  t.same(laptop.problems, [])
})

/** Calls, asks to be let in, and waits for what becomes of it. */
async function callAndAsk(t: Test, signer: DeviceSigner, to: string, request: Uint8Array): Promise<Line> {
  const line = await call(t, signer, to, 'selkie/join/1')
  line.say(request)
  await Promise.race([line.closed, line.answered])
  await line.end()
  return line
}
