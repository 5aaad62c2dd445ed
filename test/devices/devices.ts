import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import type { NodeApi, Saved } from '../../src/api.js'
import { joinHome, type Joined } from '../../src/join.js'
import { initHome, openNode } from '../../src/node.js'
import { recoverHome, type Recovered } from '../../src/recover.js'
import { readLaterEpoch, type Epoch } from '../../src/store/epoch.js'
import { openSelf } from '../../src/store/open-self.js'
import type { Self } from '../../src/store/self.js'
import { until } from '../scripts/person.js'

/** Milliseconds until devices that have heard everything must be alike. */
const PATIENCE = 10_000

/** A device of someone: a home of its own, that the test takes online and offline. */
export class Device {
  readonly #dht: string
  readonly #passphrase: string
  #node: NodeApi | undefined
  /** What failed where nobody waits: nothing should. */
  readonly problems: unknown[] = []

  constructor(
    t: Test,
    dht: string,
    readonly name: string,
    readonly home: string,
    passphrase = ''
  ) {
    this.#dht = dht
    this.#passphrase = passphrase
    t.teardown(async () => {
      await this.close()
      if (this.problems.length > 0)
        throw new AggregateError(this.problems, `something failed unseen on ${name}`)
    })
  }

  get node(): NodeApi {
    if (!this.#node) throw new Error(`${this.name} is closed`)
    return this.#node
  }

  /** Opens it on the network, whatever it was before. */
  async online(): Promise<NodeApi> {
    return this.#open(true)
  }

  /** Opens it without a network, whatever it was before. */
  async offline(): Promise<NodeApi> {
    return this.#open(false)
  }

  async close(): Promise<void> {
    const node = this.#node
    this.#node = undefined
    await node?.close()
  }

  /** Runs `step` on what is under the facade, with the device closed before and after. */
  async under<T>(step: (self: Self) => Promise<T>): Promise<T> {
    await this.close()
    const { self } = await openSelf(this.home, async () => this.#passphrase)
    try {
      const result = await step(self)
      await self.store.close()
      return result
    } finally {
      await self.logs.close()
    }
  }

  /** Says something in a skill that no other device edits; gives its slug. */
  async say(body: string): Promise<string> {
    const slug = `said-by-${this.name.toLowerCase()}`
    const isThere = (await this.node.list()).some((skill) => skill.slug === slug)
    if (isThere) await this.node.edit(slug, { body })
    else await this.node.create({ title: `Said by ${this.name}`, summary: 'Said last.', body })
    return slug
  }

  /** Its key. */
  async key(): Promise<string> {
    return (await this.node.status()).device
  }

  async #open(online: boolean): Promise<NodeApi> {
    await this.close()
    this.#node = await openNode({
      home: this.home,
      bootstrap: [this.#dht],
      online,
      passphrase: async () => this.#passphrase,
      onProblem: (error) => this.problems.push(error)
    })
    return this.#node
  }
}

/** Someone’s first device, online, and the words of the identity. */
export async function firstDevice(
  t: Test,
  dht: string,
  person: string,
  options: { readonly name?: string; readonly passphrase?: string } = {}
): Promise<{ device: Device; words: string }> {
  const { name = 'laptop', passphrase = '' } = options
  const device = new Device(t, dht, name, await folder(t), passphrase)
  const { words } = await initHome({ home: device.home, name: person, passphrase })
  const node = await device.online()
  await node.renameDevice(await device.key(), name)
  return { device, words }
}

/** A further device, joined through one that is online; it is closed yet. */
export async function joined(
  t: Test,
  dht: string,
  by: Device,
  name: string,
  passphrase = ''
): Promise<Device> {
  const device = new Device(t, dht, name, await folder(t), passphrase)
  const { invite } = await by.node.deviceInvite({ expiresInSeconds: 600 })
  const used = by.node.deviceInvited(invite)
  await joinAt(dht, device.home, invite, name, passphrase)
  await used
  return device
}

export function joinAt(
  dht: string,
  home: string,
  invite: string,
  deviceName: string,
  passphrase = ''
): Promise<Joined> {
  const options = { home, invite, deviceName, bootstrap: [dht] }
  return joinHome({ ...options, ...(passphrase && { passphrase }) })
}

/** A device that comes from the words; it is closed yet. */
export async function recovered(
  t: Test,
  dht: string,
  words: string,
  options: Recovering
): Promise<Device & { readonly recovered: Recovered }> {
  const device = new Device(t, dht, options.deviceName, await folder(t))
  return Object.assign(device, { recovered: await recoverAt(dht, device.home, words, options) })
}

interface Recovering {
  readonly name?: string
  readonly deviceName: string
  readonly patience?: number
}

export function recoverAt(dht: string, home: string, words: string, options: Recovering): Promise<Recovered> {
  return recoverHome({ home, words, bootstrap: [dht], ...options })
}

/** A person with so many devices, which have met; all are online. */
export async function devices<const Names extends readonly [string, ...string[]]>(
  t: Test,
  dht: string,
  person: string,
  ...names: Names
): Promise<{ words: string; all: { readonly [I in keyof Names]: Device } }> {
  const { device, words } = await firstDevice(t, dht, person, { name: names[0] })
  const all: [Device, ...Device[]] = [device]
  for (const name of names.slice(1)) {
    const next = await joined(t, dht, device, name)
    await next.online()
    all.push(next)
  }
  await met(...all)
  return { words, all: all as unknown as { readonly [I in keyof Names]: Device } }
}

/** Waits until these devices, and no others, are a person’s on each of them; then they must be {@link alike}. */
export async function only(...those: readonly [Device, ...Device[]]): Promise<void> {
  const expected = those
    .map(({ name }) => name)
    .toSorted()
    .join()
  for (const device of those) await until(async () => (await names(device)).join() === expected)
  await settled(...those)
}

/** What a device’s person calls theirs, as this one knows it. */
export async function names({ node }: Device): Promise<string[]> {
  return (await node.devices()).map(({ name }) => name).toSorted()
}

export async function slugs({ node }: Device): Promise<string[]> {
  return (await node.list()).map(({ slug }) => slug)
}

/** A new skill. */
export function make({ node }: Device, title: string, body: string): Promise<Saved> {
  return node.create({ title, summary: `How to: ${title}.`, body })
}

/** The epoch that a device has gone on to; the device is closed by it. */
export async function laterEpoch(device: Device): Promise<Epoch | undefined> {
  return device.under(({ paths, device: { sealing } }) => readLaterEpoch(paths.keyfile, sealing))
}

/** A folder for a home, its path a real one that a socket may have; it goes when the test ends. */
export async function folder(t: Test): Promise<string> {
  const made = await realpath(await mkdtemp(join(tmpdir(), 'selkie-test-')))
  t.teardown(() => rm(made, { recursive: true, force: true }))
  return made
}

let meetings = 0

/** Lets devices that are online hear of each other all that there is; then they must be {@link alike}. */
export async function settled(...all: readonly [Device, ...Device[]]): Promise<void> {
  await met(...all)
  await alike(...all)
}

/**
 * Waits until each of these devices has heard all that each has said: each says the
 * number of the meeting last, in a skill that it alone edits, and once everyone has heard
 * that of everyone, everyone has heard all.
 */
export async function met(...all: readonly Device[]): Promise<void> {
  const body = `Meeting ${++meetings}.`
  const slugs = await Promise.all(all.map((device) => device.say(body)))
  for (const { node } of all) {
    await until(async () => {
      const said = slugs.map((slug) => node.show(slug).catch(() => undefined))
      return (await Promise.all(said)).every((skill) => skill?.body === body)
    })
  }
}

/**
 * Waits until everything that devices show is the same, to the byte.
 *
 * @throws Error where it never is, where a check finds something, or where an honest
 *   device is said to have appended what isn't valid
 */
export async function alike(...[first, ...others]: readonly [Device, ...Device[]]): Promise<void> {
  for (const end = Date.now() + PATIENCE; ; await setTimeout(20)) {
    const difference = await differenceOf(first, others)
    if (!difference) break
    if (Date.now() > end) throw new Error(difference)
  }
  for (const device of [first, ...others]) {
    await whole(device)
    const accused = (await device.node.devices()).filter(({ refused }) => refused > 0)
    if (accused.length > 0) throw new Error(`accused on ${device.name}: ${JSON.stringify(accused)}`)
  }
}

/** Waits until a check finds nothing: files come by and by. */
export async function whole({ node, name }: Device): Promise<void> {
  for (const end = Date.now() + PATIENCE; ; await setTimeout(20)) {
    const { problems } = await node.check()
    if (problems.length === 0) return
    if (Date.now() > end) throw new Error(`check on ${name}: ${JSON.stringify(problems)}`)
  }
}

async function differenceOf(first: Device, others: readonly Device[]): Promise<string | undefined> {
  for (const [what, shown] of Object.entries(SHOWN)) {
    const [expected, ...texts] = await Promise.all(
      [first, ...others].map(async ({ node }) => JSON.stringify(await shown(node)))
    )
    const odd = texts.findIndex((text) => text !== expected)
    if (odd < 0) continue
    const at = [...expected!].findIndex((letter, i) => letter !== texts[odd]![i])
    const excerpt = (whole: string): string => whole.slice(Math.max(0, at - 80), at + 200)
    return `${what} differ:\n${first.name}: ${excerpt(expected!)}\n${others[odd]!.name}: ${excerpt(texts[odd]!)}`
  }
  return undefined
}

/** All that a device shows and that has to be the same on every one. */
const SHOWN: Readonly<Record<string, (node: NodeApi) => Promise<unknown>>> = {
  list: (node) => node.list(),
  devices: async (node) => {
    const rows = (await node.devices()).map(({ name, device, added, refused }) => ({
      name,
      device,
      added,
      refused
    }))
    return rows.sort((a, b) => (a.device < b.device ? -1 : 1))
  },
  contacts: async (node) => (await node.contacts()).map((contact) => ({ ...contact, online: null })),
  inbox: (node) => node.inbox(),
  outbox: (node) => node.outbox(),
  card: (node) => node.card(),
  conflicts: (node) => node.conflicts(),
  notes: async (node) => [await node.notes({}), await node.notes({ deleted: true })],
  profiles: (node) => node.profiles(),
  skills: async (node) => Promise.all((await node.list()).map(({ slug }) => node.show(slug))),
  logs: async (node) => {
    const edited = (await node.list()).filter(
      ({ title, versions }) => versions > 1 && !title.startsWith('Said by')
    )
    return Promise.all(edited.map(({ slug }) => node.log(slug)))
  }
}
