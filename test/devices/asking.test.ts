import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import c from 'compact-encoding'
import Protomux from 'protomux'
import t, { type Test } from 'tap'
import { FileFinder } from '../../src/agent/files/finder.js'
import type { DeviceKey } from '../../src/base/ids.js'
import { decode, encode } from '../../src/base/msgpack.js'
import { Asking, type Asked, type AskingHandler } from '../../src/devices/asking.js'
import type { Device as Keys } from '../../src/keys/device.js'
import { fromHex } from '../../src/keys/sodium.js'
import type { FileAnswer, FoundFile } from '../../src/wire/asking.js'
import { Presence } from '../../src/wire/presence.js'
import { newSwarm, type Connection } from '../../src/wire/swarm.js'
import { tree } from '../folders/tree.js'
import { dhtFor, until } from '../scripts/person.js'
import { person } from '../vectors/people.js'

const dht = await dhtFor(t)
const [LAPTOP, DESKTOP, ROGUE, ...REST] = person('Ana', 5).devices as [Keys, Keys, Keys, ...Keys[]]

const EMPTY: FileAnswer = { granted: true, hits: [], problems: [], more: false }
const { signal } = new AbortController()
const question = { query: 'needle', limit: 20 }

/** Waits for a device for as long as it takes a machine that is busy. */
const PATIENT = { patience: 60_000 }

/** Never answers, until nobody waits any more. */
const never: AskingHandler['answer'] = async (_, signal) => {
  await once(signal, 'abort')
  return EMPTY
}

type Patience = NonNullable<ConstructorParameters<typeof Asking>[1]>

/** One of Ana’s devices on the network, that lets in the others. */
class Peer {
  readonly asking: Asking
  readonly presence: Presence
  readonly failures: unknown[] = []

  constructor(t: Test, keys: Keys, answer: AskingHandler['answer'], options: Patience = PATIENT) {
    const failed = (error: unknown): void => void this.failures.push(error)
    this.asking = new Asking({ answer, failed }, options)
    const nobody = (connection: Connection): void => void connection.destroy()
    this.presence = new Presence(keys.signer, {
      contact: nobody,
      guest: nobody,
      sibling: (connection, device) => this.asking.meet(connection, device)
    })
    t.teardown(async () => {
      await this.presence.close()
      await this.asking.close()
    })
  }

  async online(...others: readonly Keys[]): Promise<this> {
    const [contacts, awaited, guests] = [new Set<DeviceKey>(), new Set<DeviceKey>(), new Set<DeviceKey>()]
    this.presence.admit({
      contacts,
      awaited,
      guests,
      siblings: new Set(others.map(({ signer }) => signer.key))
    })
    await this.presence.goOnline([dht])
    return this
  }

  ask({ signer }: Keys, asked = question): Promise<Asked> {
    return this.asking.ask(signer.key, asked, signal)
  }

  sees({ signer }: Keys): boolean {
    return this.presence.connected().has(signer.key)
  }
}

/** The laptop and the desktop, connected. */
async function pair(
  t: Test,
  answer: AskingHandler['answer'],
  options?: Patience
): Promise<{ laptop: Peer; desktop: Peer }> {
  const laptop = await new Peer(t, LAPTOP, async () => EMPTY, options).online(DESKTOP)
  const desktop = await new Peer(t, DESKTOP, answer).online(LAPTOP)
  await until(async () => laptop.sees(DESKTOP) && desktop.sees(LAPTOP))
  return { laptop, desktop }
}

t.test('each device answers from its own grants, as they are when it is asked', async (t) => {
  const root = await tree(t, { 'notes/May.txt': 'a needle\nand more', 'needle 2.txt': 'x' })
  const grants = { files: [] as string[] }
  const finder = new FileFinder(grants)
  t.teardown(() => finder.close())
  const { laptop } = await pair(t, ({ query, limit }, signal) => finder.find(query, { limit, signal }))
  const nothing = { answer: { granted: false, hits: [], problems: [], more: false } }
  t.same(await laptop.ask(DESKTOP), nothing)
  grants.files.push(root)
  const asked = await laptop.ask(DESKTOP)
  t.equal('answer' in asked && asked.answer.hits.length, 2)
  t.match(asked, {
    answer: {
      granted: true,
      hits: [
        { path: join(root, 'needle 2.txt'), matched: 'name', size: 1 },
        { path: join(root, 'notes/May.txt'), matched: 'text', line: 1, excerpt: 'a needle', size: 17 }
      ],
      more: false
    }
  })
  await writeFile(join(root, 'new.txt'), 'one more needle')
  t.match(await laptop.ask(DESKTOP, { query: 'one more', limit: 1 }), { answer: { hits: [{ size: 15 }] } })
  grants.files.pop()
  t.same(await laptop.ask(DESKTOP), nothing)
})

t.test('both ask each other at once, and each gets its own answers', async (t) => {
  const echo: AskingHandler['answer'] = async ({ query }) => ({ ...EMPTY, problems: [query] })
  const laptop = await new Peer(t, LAPTOP, echo).online(DESKTOP)
  const desktop = await new Peer(t, DESKTOP, echo).online(LAPTOP)
  await until(async () => laptop.sees(DESKTOP) && desktop.sees(LAPTOP))
  for (let round = 0; round < 20; round++) {
    const asked = ['a', 'b', 'c', 'd'].map((letter) => `${letter}${round}`)
    const answers = await Promise.all([
      ...asked.map((query) => laptop.ask(DESKTOP, { query, limit: 1 })),
      ...asked.map((query) => desktop.ask(LAPTOP, { query, limit: 1 }))
    ])
    t.same(
      answers.map((each) => 'answer' in each && each.answer.problems[0]),
      [...asked, ...asked]
    )
  }
})

t.test('a device that never answers isn’t waited for, and doesn’t block the connection', async (t) => {
  let answer!: (answer: FileAnswer) => void
  const held = new Promise<FileAnswer>((resolve) => (answer = resolve))
  const { laptop } = await pair(t, () => held, { patience: 50 })
  const late = { why: 'it didn’t answer within 0.05 seconds' }
  t.same(await Promise.all([1, 2, 3, 4].map(() => laptop.ask(DESKTOP))), [late, late, late, late])
  t.same(await laptop.ask(DESKTOP), { why: 'it hasn’t answered earlier questions yet' })
  answer(EMPTY)
  await until(async () => 'answer' in (await laptop.ask(DESKTOP)))
  t.ok(laptop.sees(DESKTOP), 'what comes late is no offence')
})

t.test('three seconds is how long a device is waited for', async (t) => {
  const { laptop } = await pair(t, never, {})
  const since = performance.now()
  t.same(await laptop.ask(DESKTOP), { why: 'it didn’t answer within 3 seconds' })
  const took = performance.now() - since
  t.ok(took >= 2990, `${took} ms`)
})

t.test('a device that isn’t there, or goes while it is asked', async (t) => {
  const asked = new EventEmitter()
  const { laptop, desktop } = await pair(t, (question, signal) => {
    asked.emit('asked')
    return never(question, signal)
  })
  t.same(await laptop.ask(ROGUE), { why: 'it is offline' })
  const gone = laptop.ask(DESKTOP)
  await once(asked, 'asked')
  await desktop.presence.close()
  t.same(await gone, { why: 'it went offline before it answered' })
  await until(async () => 'why' in (await laptop.ask(DESKTOP)))
  t.same(await laptop.ask(DESKTOP), { why: 'it is offline' })
})

t.test('who asks can break off', async (t) => {
  const { laptop } = await pair(t, never)
  const stop = new AbortController()
  const asked = laptop.asking.ask(DESKTOP.signer.key, question, stop.signal)
  stop.abort(new Error('enough'))
  await t.rejects(asked, { message: 'enough' })
  await t.rejects(laptop.asking.ask(DESKTOP.signer.key, question, stop.signal), { message: 'enough' })
})

t.test('a search that fails is said there, and told here', async (t) => {
  const { laptop, desktop } = await pair(t, () => Promise.reject(new Error('the disk is broken')))
  t.same(await laptop.ask(DESKTOP), {
    answer: { granted: true, hits: [], problems: ['its search failed'], more: false }
  })
  t.match(desktop.failures, [{ message: 'the disk is broken' }])
})

t.test('an answer that is too long for a message is cut, and says so', async (t) => {
  const hits = Array.from({ length: 300 }, (_, n): FoundFile => ({
    path: `/${'deep/'.repeat(500)}${n}`,
    size: 5_000_000_000_000,
    modified: new Date(n).toISOString(),
    matched: 'text',
    line: n + 1,
    excerpt: '\u{1f600}'.repeat(120)
  }))
  const { laptop } = await pair(t, async () => ({ ...EMPTY, hits, problems: ['x'.repeat(10_000), '\ud800'] }))
  const asked = await laptop.ask(DESKTOP)
  if (!('answer' in asked)) throw new Error(asked.why)
  const { answer } = asked
  t.ok(answer.hits.length > 50 && answer.hits.length < 200)
  t.same(answer.hits, hits.slice(0, answer.hits.length))
  t.ok(answer.more)
  t.ok(laptop.sees(DESKTOP))
})

/** A connection of the rogue device to another, on which anything may be said. */
async function rogue(
  t: Test,
  { signer: { key } }: Keys
): Promise<{
  say(message: unknown): void
  sayBytes(bytes: Uint8Array): void
  readonly heard: { type?: string; id?: number }[]
  readonly closed: Promise<void>
  end(): Promise<void>
}> {
  const swarm = newSwarm({ bootstrap: [dht], signer: ROGUE.signer })
  const end = (): Promise<void> => swarm.destroy({ force: true })
  t.teardown(end)
  swarm.joinPeer(fromHex(key))
  const [connection] = (await once(swarm, 'connection')) as [Connection]
  connection.on('error', () => {})
  const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()))
  const heard: { type?: string; id?: number }[] = []
  const channel = Protomux.from(connection).createChannel({ protocol: 'selkie/ask/1' })!
  const wire = channel.addMessage<Buffer>({
    encoding: c.raw,
    onmessage: (bytes) => void heard.push(decode(new Uint8Array(bytes)) as { type?: string })
  })
  channel.open()
  const sayBytes = (bytes: Uint8Array): void => void wire.send(Buffer.from(bytes))
  return { say: (message) => sayBytes(encode(message)), sayBytes, heard, closed, end }
}

t.test('a device that doesn’t keep to what devices say is hung up on, and nothing comes of it', async (t) => {
  // A device that isn’t known to be somewhere else by now.
  const [TABLET] = REST as [Keys, Keys]
  let asked = 0
  const answer: AskingHandler['answer'] = async () => {
    asked++
    return EMPTY
  }
  const tablet = await new Peer(t, TABLET, answer).online(ROGUE, DESKTOP)
  const desktop = await new Peer(t, DESKTOP, answer).online(TABLET)
  await until(async () => desktop.sees(TABLET))
  const ask = (id: unknown, change: object = {}, more: object = {}): object => ({
    type: 'ask',
    id,
    question: { query: 'x', limit: 1, ...change },
    ...more
  })
  const hit = { path: '/a', size: '1', modified: new Date(0).toISOString(), matched: 'name' }
  const said = (change: object): object => ({ type: 'answer', id: 0, answer: { ...EMPTY, ...change } })
  const odd: Record<string, readonly unknown[]> = {
    noise: [randomBytes(100)],
    'no bytes': [new Uint8Array()],
    'more than a message holds': [randomBytes(256 * 1024 + 1)],
    'another message': [{ type: 'grant', path: '/' }],
    'no query': [ask(0, { query: '' })],
    'a query that is too long': [ask(0, { query: 'x'.repeat(1001) })],
    'a query that is a number': [ask(0, { query: 7 })],
    'more than the most hits': [ask(0, { limit: 201 })],
    'no hits': [ask(0, { limit: 0 })],
    'a folder to search': [ask(0, { folder: '/' })],
    'a grant of its own': [ask(0, {}, { granted: ['/'] })],
    'an id that is a text': [ask('0')],
    'an answer that nobody asked for': [said({})],
    'an answer with hits that are none': [said({ hits: [{ ...hit, size: '-1' }] })],
    'an answer with too many hits': [said({ hits: Array.from({ length: 201 }, () => hit) })],
    'thanks for nothing': [{ type: 'got', id: 0 }],
    'the same question twice at once': [ask(1), ask(1)],
    'more questions at once than are open': [0, 1, 2, 3, 4].map((id) => ask(id))
  }
  for (const [name, messages] of Object.entries(odd)) {
    const line = await rogue(t, TABLET)
    for (const message of messages) {
      if (message instanceof Uint8Array) line.sayBytes(message)
      else line.say(message)
    }
    await line.closed
    t.pass(`${name}: it hangs up`)
    await line.end()
  }
  t.ok(asked <= 6, 'at most what was well-formed was searched')
  await until(async () => desktop.sees(TABLET))
  t.same(await desktop.ask(TABLET), { answer: EMPTY }, 'the others are answered as before')
  t.same(tablet.failures, [])
})

t.test('a device that asks and never says that it has the answer isn’t answered any more', async (t) => {
  const [, PHONE] = REST as [Keys, Keys]
  let [asked, atOnce, most] = [0, 0, 0]
  const phone = await new Peer(t, PHONE, async () => {
    asked++
    most = Math.max(most, ++atOnce)
    await setTimeout(5)
    atOnce--
    return EMPTY
  }).online(ROGUE, DESKTOP)
  const desktop = await new Peer(t, DESKTOP, async () => EMPTY).online(PHONE)
  await until(async () => desktop.sees(PHONE))
  const line = await rogue(t, PHONE)
  for (let id = 0; id < 4; id++) line.say({ type: 'ask', id, question })
  await until(async () => line.heard.length === 4)
  t.equal(most, 1, 'one question after the other')
  line.say({ type: 'got', id: 0 })
  line.say({ type: 'ask', id: 4, question })
  await until(async () => line.heard.length === 5)
  line.say({ type: 'ask', id: 5, question })
  await line.closed
  t.equal(asked, 5)
  t.same(phone.failures, [])
})
