import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Contact, Delivery, Invite } from '../../src/api.js'
import { startTestnet } from '../../src/wire/testnet.js'

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))

/** What a person never gets to see: a trace, or an error in a library’s own words. */
const RAW = /^ {4}at |\b\w*Error: |node:internal/m

/** What a refused command says with `--json`. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** How a command ended. */
export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Someone with a home of their own, who uses Selkie as a program and in no other way. */
export class Person {
  readonly #t: Test
  readonly #network: string
  #node: ChildProcess | undefined
  #said = ''

  private constructor(
    t: Test,
    network: string,
    readonly name: string,
    readonly folder: string,
    readonly home: string
  ) {
    this.#t = t
    this.#network = network
  }

  /** Someone whose home is not made yet, in a folder with a path short enough for a socket. */
  static async before(t: Test, network: string, name: string): Promise<Person> {
    const folder = await mkdtemp(join(tmpdir(), 'story-'))
    const person = new Person(t, network, name, folder, join(folder, 'home'))
    t.teardown(async () => {
      await person.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    })
    return person
  }

  /** Someone with a home. */
  static async of(t: Test, network: string, name: string): Promise<Person> {
    const person = await Person.before(t, network, name)
    await person.run('init', '--name', name)
    return person
  }

  /** Runs a command to its end. Whatever it says must be fit for a person. */
  async command(argv: readonly string[], stdin = ''): Promise<Ended> {
    const child = this.start(argv)
    child.stdin!.on('error', () => {}).end(stdin)
    const [[status], stdout, stderr] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      text(child.stdout!),
      text(child.stderr!)
    ])
    if (RAW.test(stdout + stderr))
      this.#t.fail(`${argv.join(' ')} shows what is not for people`, { stdout, stderr })
    return { status, stdout, stderr }
  }

  /** Runs a command that must succeed, and gives its result. */
  async run<T>(...argv: string[]): Promise<T> {
    const { status, stdout, stderr } = await this.command([...argv, '--json'])
    if (status !== 0)
      throw new Error(`${this.name}: selkie ${argv.join(' ')} gave ${status}\n${stdout}${stderr}`)
    return JSON.parse(stdout) as T
  }

  /** Runs a command that must be refused, and gives what it says. */
  async refused(...argv: string[]): Promise<Refusal> {
    const { status, stdout, stderr } = await this.command([...argv, '--json'])
    if (status !== 1 && status !== 2)
      throw new Error(`selkie ${argv.join(' ')} gave ${status}\n${stdout}${stderr}`)
    this.#t.equal(stderr, '', 'with --json the refusal is on stdout alone')
    const { error } = JSON.parse(stdout) as { error: Refusal }
    this.#t.equal(status, error.code === 'E_USAGE' ? 2 : 1)
    this.#t.ok(error.message !== '' && error.hint !== '', `${error.code} says what happened and what to do`)
    return error
  }

  /** Starts the node, and gives the line that it prints when it is ready. */
  async up(...flags: string[]): Promise<{ ready: boolean; home: string; name: string; identity: string }> {
    const node = this.start(['up', '--json', ...flags])
    this.#node = node
    node.stderr!.setEncoding('utf8').on('data', (said: string) => (this.#said += said))
    const line = await Promise.race([
      once(createInterface(node.stdout!), 'line') as Promise<[string]>,
      once(node, 'exit').then(() => undefined)
    ])
    if (!line) throw new Error(`${this.name}: up has ended\n${this.#said}`)
    return JSON.parse(line[0]) as Awaited<ReturnType<Person['up']>>
  }

  /** What the node has said on stderr, all times that it was up. */
  get said(): string {
    return this.#said
  }

  /** Ends the node, and waits until it is gone; the status that it ends with. */
  async kill(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    if (!this.#node) return null
    const status = await Person.end(this.#node, signal)
    if (RAW.test(this.#said)) this.#t.fail('the node shows what is not for people', { said: this.#said })
    return status
  }

  /** Ends a process, and waits until it is gone; the status that it ends with. */
  static async end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const gone = once(child, 'exit') as Promise<[number | null]>
    child.kill(signal)
    return (await gone)[0]
  }

  /** Pairs with someone; both nodes are up. Gives how each sees the other. */
  async pair(other: Person): Promise<[theirs: Contact, mine: Contact]> {
    const { invite } = await this.run<Invite>('invite')
    const mine = await other.run<Contact>('pair', invite)
    return [await this.run<Contact>('verify', other.name, '--yes'), mine]
  }

  /** The state of a bundle that was sent. */
  async sent(id: string): Promise<Delivery | undefined> {
    return (await this.run<Delivery[]>('outbox')).find((delivery) => delivery.id === id)
  }

  /** The inbox, once it holds so many bundles. */
  async arrived(count: number): Promise<Delivery[]> {
    return until(async () => {
      const inbox = await this.run<Delivery[]>('inbox')
      return inbox.length >= count ? inbox : undefined
    })
  }

  /** Starts a command without waiting for its end. */
  start(argv: readonly string[]): ChildProcess {
    const { NODE_DEBUG: _, ...env } = process.env
    return spawn(process.execPath, [MAIN, ...argv, '--home', this.home, '--bootstrap', this.#network], {
      env
    })
  }
}

/** A network of the test’s own: the address to enter it by. */
export async function dhtFor(t: Test): Promise<string> {
  const dht = await startTestnet()
  t.teardown(() => dht.close())
  return dht.address
}

/**
 * Ann and Bob, who know each other by their cards; neither is up.
 *
 * @param prepare sees each before their home is made
 */
export async function pairedByCard(
  t: Test,
  network: string,
  prepare: (person: Person) => Promise<void> | false = () => false
): Promise<[ann: Person, bob: Person]> {
  const meet = async (name: string): Promise<Person> => {
    const person = await Person.before(t, network, name)
    await prepare(person)
    await person.run('init', '--name', name)
    return person
  }
  const [ann, bob] = await Promise.all([meet('Ann'), meet('Bob')])
  const takeCard = async (from: Person, to: Person): Promise<void> => {
    const card = join(from.folder, 'card')
    await from.run('card', '--out', card)
    await to.run('pair', '--card', card)
  }
  await Promise.all([takeCard(ann, bob), takeCard(bob, ann)])
  return [ann, bob]
}

/** How long anything may take that is waited for, in milliseconds. */
const PATIENCE = 60_000

/** Looks again and again until there is something to see. */
export async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + PATIENCE; ; await setTimeout(50)) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > end) throw new Error(`waited ${PATIENCE} ms in vain for: ${look.toString()}`)
  }
}
