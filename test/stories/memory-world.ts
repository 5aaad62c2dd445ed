import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type Corestore from 'corestore'
import type { FileHash } from '../../src/base/ids.js'
import type { Clock } from '../../src/base/clock.js'
import { hash, utf8 } from '../../src/keys/sodium.js'
import type { HomePaths } from '../../src/store/home.js'
import type { Self } from '../../src/store/self.js'
import type { Store } from '../../src/store/store.js'
import type { Person } from '../vectors/people.js'
import { CausalLog } from './causal-log.js'
import { MemoryBlobs, ReplicaStore } from './replica-store.js'
import { brokenReplica } from './replica.js'
import { View, type Logs } from './view-tree.js'
import type { World } from './world.js'

/** Where a world in memory begins. */
export interface Beginning {
  readonly person: Person
  readonly logs: Logs
  /** What is there before the first entry of a story. */
  readonly view: View
  /** The bytes of files that are there from the beginning. */
  readonly files: ReadonlyMap<FileHash, Uint8Array>
  /** Where each device keeps what is no entry. */
  readonly paths: readonly HomePaths[]
  readonly bundles: readonly string[]
}

interface Device {
  readonly clock: Clock
  readonly blobs: MemoryBlobs
  store: ReplicaStore
  self: Self
  view: View
  /** What it was given of each log, and what of that has all its causes. */
  given: readonly number[]
  seen: readonly number[]
  /** What it saw when it was last looked at, unless it was restarted since. */
  looked: View | undefined
}

/** A person’s devices in memory: the verbs, apply and the memory are the real ones. */
export class MemoryWorld implements World {
  readonly #from: Beginning
  /** What is there before the first entry. */
  readonly #root: View
  readonly #log: CausalLog
  readonly #devices: Device[]
  #received = false

  constructor(
    from: Beginning,
    { devices, order, clocks }: { devices: number; order: readonly number[]; clocks: readonly number[] }
  ) {
    this.#from = from
    this.#root = View.first(from.view)
    this.#log = new CausalLog(devices, order)
    const files = new Map(from.files)
    const nothing = Array.from({ length: devices }, () => 0)
    this.#devices = nothing.map((_, n) => {
      const clock = clockOf(`${from.person.name} ${n} ${from.view.values.size}`, clocks[n] ?? 0)
      const blobs = new MemoryBlobs(files, n)
      return {
        clock,
        blobs,
        ...this.#start(n, clock, blobs, this.#root),
        view: this.#root,
        given: nothing,
        seen: nothing,
        looked: undefined
      }
    })
  }

  get devices(): number {
    return this.#devices.length
  }

  self(device: number): Self {
    return this.#devices[device]!.self
  }

  seen(device: number): readonly number[] {
    return this.#devices[device]!.seen
  }

  bundle(number: number): string {
    this.#received = true
    return this.#from.bundles[number % this.#from.bundles.length]!
  }

  async sync(from: number, to: number, quarters: readonly number[]): Promise<void> {
    const [giver, taker] = [this.#devices[from]!, this.#devices[to]!]
    const given = taker.given.map((length, writer) => {
      const missing = Math.max(0, giver.given[writer]! - length)
      return length + Math.ceil((missing * (quarters[writer] ?? 4)) / 4)
    })
    await this.#take(taker, given)
  }

  async settle(): Promise<void> {
    await this.#write(0, [null])
  }

  async restart(device: number): Promise<void> {
    const each = this.#devices[device]!
    Object.assign(each, this.#start(device, each.clock, each.blobs, each.view), { looked: undefined })
  }

  async append(device: number, bytes: Uint8Array): Promise<void> {
    await this.#write(device, [bytes])
  }

  async broken(device: number): Promise<string[]> {
    const each = this.#devices[device]!
    if (each.looked === each.view) return []
    each.looked = each.view
    return brokenReplica(each.self, each.view)
  }

  async apart(): Promise<string[]> {
    const [{ seen }] = this.#devices as [Device]
    // Whoever comes to it only now reads it from the beginning, with nothing that others came to before.
    const late = await View.first(this.#root).after(this.#log.ordered(seen), this.#from.logs)
    const views = [...this.#devices.map(({ view }) => view), late]
    const dumps = new Map([...new Set(views)].map((view) => [view, view.dump()]))
    return views.flatMap((view, n) =>
      dumps.get(view) === dumps.get(late) ? [] : [`the view of device ${n} is another`]
    )
  }

  /** What a device sees, to begin other worlds with. */
  view(device: number): View {
    return this.#devices[device]!.view
  }

  /** Leaves the homes as they were. */
  async close(): Promise<void> {
    if (!this.#received) return
    for (const { inbox } of this.#from.paths) {
      for (const name of await readdir(inbox)) await rm(join(inbox, name))
    }
  }

  #start(n: number, clock: Clock, blobs: MemoryBlobs, view: View): { store: ReplicaStore; self: Self } {
    const { person, paths } = this.#from
    const store = new ReplicaStore(blobs, (blocks) => this.#write(n, blocks))
    store.moveTo(view)
    const self: Self = {
      identity: person.identity,
      device: person.devices[n]!,
      attestation: person.attestations[n]!,
      attestor: person.attestor,
      store: store as unknown as Store,
      // No verb of a story touches the network.
      logs: undefined as unknown as Corestore,
      paths: paths[n]!,
      clock
    }
    return { store, self }
  }

  async #write(n: number, blocks: readonly (Uint8Array | null)[]): Promise<void> {
    const device = this.#devices[n]!
    for (const bytes of blocks) {
      this.#log.append(n, device.seen, bytes)
      const given = device.seen.with(n, device.seen[n]! + 1)
      await this.#take(device, device.given.with(n, given[n]!))
    }
  }

  async #take(device: Device, given: readonly number[]): Promise<void> {
    device.given = given
    device.seen = this.#log.usable(given)
    device.view = await this.#root.after(this.#log.ordered(device.seen), this.#from.logs)
    device.store.moveTo(device.view)
  }
}

const SECOND = 1000
const YEAR = 365 * 24 * 3600 * SECOND

/** Someone’s clock, years off, that goes on by a second each time; the same in every run. */
export function clockOf(whose: string, years: number): Clock {
  let ticks = 0
  return {
    now: () => 1_760_000_000 * SECOND + years * YEAR + ++ticks * SECOND,
    random: (length) => hash('selkie/test-story/v1', utf8(`${whose} ${++ticks}`)).slice(0, length)
  }
}
