import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import type Corestore from 'corestore'
import { SelkieError } from '../base/errors.js'
import { systemError } from '../base/system.js'
import type { DeviceKey, FileHash } from '../base/ids.js'
import { fromHex, toHex } from '../keys/sodium.js'
import type { Namespace } from '../namespace/resolve.js'
import { founderEntries, newBase, ownEntries, type Base } from './base.js'
import { Blobs } from './blobs.js'
import type { Place } from './epoch.js'
import { generationOf, nameIn } from './generation.js'
import { Memory } from './memory.js'
import { idOf, kindOf, Puts, type PutsBetween } from './puts.js'
import { decodeOp, encodeOp, fitsOneOp, MAX_ENTRY, type Op } from './ops.js'
import { refuseFull } from './space.js'
import { Table } from './table.js'

/** Contents that an op carries itself, in bytes; what is more goes ahead of it. A block holds 15 MiB. */
const CARRIED = 8 * 1024 * 1024

type Events = {
  change: [kinds: ReadonlySet<string>, notes: ReadonlySet<string> | null]
  writable: []
  unreadable: [log: string]
  broken: [error: unknown]
}

/**
 * A person's store: ops in, view out. One Autobase holds what this device and the
 * person's other devices append; apply folds it into the view; the {@link Memory} keeps
 * beside it what is looked up all the time. Emits `change` after each step, with the kinds
 * of rows that changed and the ids of the notes, or null where it may be any; `writable`
 * when this device has been let in to append; and `broken` when it can't go on, as on a
 * full disk: then it has to be closed and opened again, and so have the logs.
 */
export class Store extends EventEmitter<Events> {
  readonly memory = new Memory()
  /** Logs of other devices that are written as none may be: what follows in them counts for nothing. */
  readonly unreadable = new Set<string>()
  readonly #logs: Corestore
  /** Former bases stay open for who reads from them just now. */
  readonly #former: Base[] = []
  #base: Base
  #puts: Puts
  #blobs: Blobs
  /** The log in which a newer Selkie has written. */
  #newer = ''
  #indexed = 0
  #truncated = false
  #broken: unknown
  #refreshing: Promise<void> = Promise.resolve()
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(logs: Corestore, base: Base, puts: Puts, blobs: Blobs) {
    super()
    this.#logs = logs
    this.#base = base
    this.#puts = puts
    this.#blobs = blobs
    this.#follow(base)
  }

  /**
   * Makes a new base in these logs and gives what it is found by. Nothing is in it yet.
   */
  static async found(logs: Corestore, place: string, encryption: Uint8Array): Promise<Store> {
    return Store.#start(logs, place, null, encryption)
  }

  /**
   * Opens the base of an epoch.
   *
   * What a newer Selkie wrote to it is not shown; what was there before still is.
   *
   * @throws SelkieError E_STORE_KEY when the base or the encryption key isn't the one that
   *   it was written with
   */
  static async open(logs: Corestore, place: Place): Promise<Store> {
    const store = await Store.join(logs, place)
    // Under a wrong key everything reads as noise, without an error: the first row tells.
    if (!(await store.isFounded())) throw new SelkieError('E_STORE_KEY')
    return store
  }

  /**
   * Opens a base that this device has just heard of: what it holds comes from others, and
   * nothing may be there yet.
   *
   * @throws SelkieError E_STORE_KEY
   */
  static async join(logs: Corestore, { place, base, encryption }: Place): Promise<Store> {
    let store: Store
    try {
      store = await Store.#start(logs, place, fromHex(base), fromHex(encryption))
    } catch (cause) {
      const isNoise = (cause as { code?: unknown }).code === 'DECODING_ERROR'
      throw isNoise ? new SelkieError('E_STORE_KEY', {}, { cause }) : cause
    }
    await store.#base.update()
    await store.#refresh()
    return store
  }

  static async #start(
    logs: Corestore,
    place: string,
    key: Uint8Array | null,
    encryption: Uint8Array
  ): Promise<Store> {
    const puts = new Puts()
    const base = newBase(logs, place, key, encryption, puts)
    const store = new Store(logs, base, puts, await Blobs.open(logs, encryption, place))
    await base.ready()
    // Where an adopted copy comes to for the first time, its original may have been before.
    if (key && base.local.length === 0 && (await generationOf(logs)) !== '') await store.beginLog()
    await store.blobs.ready()
    return store
  }

  /** Public key of the base, 64 hex digits. */
  get base(): string {
    return toHex(this.#base.key)
  }

  /** Public key of the log that this device appends to, once it may: 64 hex digits. */
  get log(): string {
    return toHex(this.#base.local.key)
  }

  /** Whether this device may append. */
  get writable(): boolean {
    return this.#base.writable
  }

  /**
   * Appends to a log of its own from now on that no copy of this home has; once another
   * device has let it in.
   */
  async beginLog(): Promise<void> {
    const log = this.#logs.get({ name: await nameIn(this.#logs, `log/${this.base}`) })
    await log.ready()
    const { key } = log
    await log.close()
    await this.#base.setLocal(key)
  }

  /** Whether a newer Selkie has written what this one can’t read. */
  get isBehind(): boolean {
    return this.#base.interrupted !== null
  }

  /** The devices of which one has written that; none where this one isn’t behind. */
  async behindOf(): Promise<readonly DeviceKey[]> {
    return this.isBehind ? ((await this.view.get('writer', this.#newer)) ?? []) : []
  }

  /** The files’ bytes. */
  get blobs(): Blobs {
    return this.#blobs
  }

  /** The names of now. */
  get namespace(): Namespace {
    return this.memory.namespace
  }

  /** The view as it is now. */
  get view(): Table {
    return new Table(this.#base.view as unknown as ConstructorParameters<typeof Table>[0])
  }

  /** Whether this device may append, and all that it was let in after is here and in memory. */
  async isEntered(): Promise<boolean> {
    if (!this.writable) return false
    await this.#base.update()
    await this.#refresh()
    return this.isFounded()
  }

  /** Whether the base has begun: its founder’s first entries are here. */
  async isFounded(): Promise<boolean> {
    return (await this.view.get('owner').catch(() => undefined)) !== undefined
  }

  /**
   * Runs `step` alone: no other turn looks or appends meanwhile, so what it has checked
   * still holds when it appends.
   */
  async turn<T>(step: () => Promise<T>): Promise<T> {
    const before = this.#turn
    const mine = before.then(step, step)
    this.#turn = mine.catch(() => {})
    return mine
  }

  /**
   * Appends ops in one write and folds them in. Where one carries more contents than fit
   * beside it, they go ahead of it in the same write.
   *
   * @throws SelkieError E_UPGRADE, E_STEP_LIMIT when one is too large for one block of the
   *   log even so, E_DISK_FULL when nothing was written, E_DISK_FULL_LATE when some may have been
   */
  async append(...ops: readonly Op[]): Promise<void> {
    if (this.#base.interrupted) throw new SelkieError('E_UPGRADE')
    const blocks = ops.flatMap(carried).map(encodeOp)
    if (!ops.every(fitsOneOp) || blocks.some(({ length }) => length > MAX_ENTRY))
      throw new SelkieError('E_STEP_LIMIT')
    // It is written as an op, and then into the view.
    await refuseFull(this.#logs.storage.path, 2 * blocks.reduce((sum, { length }) => sum + length, 0))
    try {
      await this.#base.append(blocks)
      await this.#refresh()
    } catch (error) {
      if (this.#base.interrupted) throw new SelkieError('E_UPGRADE', {}, { cause: error })
      const cause = this.#broken ?? error
      const isFull = systemError(cause)?.code === 'E_DISK_FULL'
      throw isFull ? new SelkieError('E_DISK_FULL_LATE', {}, { cause }) : cause
    }
  }

  /** Waits until what is being written is written, and the names in memory are those of the view. */
  async settled(): Promise<void> {
    await this.turn(() => this.#refresh())
  }

  /** The bytes of a file by its hash, or undefined where they aren't on this device. */
  async file(hash: FileHash): Promise<Uint8Array | undefined> {
    const pointer = await this.view.get('blob', hash)
    return pointer && (await this.blobs.get(pointer))
  }

  /** Tells another of this person’s devices what is new here, and hears what is new there. */
  attend(connection: Duplex): void {
    this.#base.wakeupProtocol.addStream(connection)
  }

  /** The ops that this device has appended, from an index of its log on. */
  async *ownOps(from: number): AsyncGenerator<Op> {
    for await (const bytes of ownEntries(this.#base, from)) {
      const op = decodeOp(bytes)
      if (op) yield op
    }
  }

  /** The ops that this device has appended to a base that it lived in before. */
  async *formerOps(place: Place, from: (log: string) => Promise<number>): AsyncGenerator<Op> {
    const known = this.#former.find(({ key }) => toHex(key) === place.base)
    const lived = known ? undefined : await Store.join(this.#logs, place)
    const base = known ?? lived!.#base
    try {
      for await (const bytes of ownEntries(base, await from(toHex(base.local.key)))) {
        const op = decodeOp(bytes)
        if (op) yield op
      }
    } finally {
      await lived?.close()
    }
  }

  /** The ops that the base was founded with. */
  async *foundingOps(): AsyncGenerator<Op> {
    for await (const bytes of founderEntries(this.#logs, this.#base)) {
      const op = decodeOp(bytes)
      if (op?.type === 'found') return
      if (op) yield op
    }
  }

  /**
   * Goes on with the base of another store, which is used up by it. To be called within a
   * turn; whoever appends afterwards appends there.
   */
  async become(next: Store): Promise<void> {
    this.#former.push(this.#base)
    this.#base = next.#base
    this.#puts = next.#puts
    this.#blobs = next.#blobs
    this.#indexed = 0
    this.#truncated = true
    this.#follow(this.#base)
    await this.#refresh()
  }

  /** Lets go of the base; the logs stay open. */
  async close(): Promise<void> {
    await this.#turn
    await this.#refreshing
    for (const base of [this.#base, ...this.#former]) await base.close()
    await flush(this.#logs)
  }

  #follow(base: Base): void {
    const isCurrent = (): boolean => this.#base === base
    base.on('error', (error: unknown) => isCurrent() && this.#break(error))
    // Who appends or looks next reads again what couldn't be read now, and hears of it.
    base.on('update', () => isCurrent() && void this.#refresh().catch(() => {}))
    base.on('newer', (log: string) => {
      if (isCurrent()) this.#newer = log
    })
    base.on('writable', () => isCurrent() && this.emit('writable'))
    base.on('unreadable', (log: string) => {
      this.unreadable.add(log)
      this.emit('unreadable', log)
    })
    base.view.core.on('truncate', () => {
      if (isCurrent()) this.#truncated = true
    })
  }

  /** Brings the names in memory up to the view, one refresh after the other. */
  async #refresh(): Promise<void> {
    const mine = this.#refreshing.then(() => this.#catchUp())
    this.#refreshing = mine.catch(() => {})
    return mine
  }

  #break(error: unknown): void {
    this.#broken = error
    this.emit('broken', error)
  }

  async #catchUp(): Promise<void> {
    const bee = this.#base.view
    const { version } = bee
    const from = this.#truncated ? 0 : this.#indexed
    this.#truncated = false
    if (from === version) return
    // Should reading break off, the next refresh begins anew.
    this.#indexed = 0
    const { rows, kinds, notes } =
      from === 0 ? await everyRow(bee) : (this.#puts.take(from, version) ?? (await putsSince(bee, from)))
    // Taken in at one go: whoever looks meanwhile sees the names as they were.
    if (from === 0) this.memory.clear()
    for (const [key, value] of rows) this.memory.take(key, value)
    this.#indexed = version
    this.emit('change', kinds, notes)
  }
}

/**
 * Brings what was lately written to logs into their tables. Else whoever opens them next
 * reads it again first, up to 64 MiB, and its process keeps the memory that this takes.
 */
async function flush(logs: Corestore): Promise<void> {
  try {
    await logs.storage.db.flush()
  } catch {
    // A full disk, or logs that are closed already: it is still where it was written first.
  }
}

/** All rows of a view that the memory keeps; anything may have changed. */
async function everyRow(bee: Base['view']): Promise<PutsBetween> {
  const rows = new Map<string, Uint8Array>()
  for (const kind of Memory.KINDS) {
    for await (const { key, value } of bee.createReadStream({ gte: `${kind}/`, lt: `${kind}0` }))
      rows.set(key, value)
  }
  return { rows, kinds: new Set([...Memory.KINDS, 'blob', 'note']), notes: null }
}

/** What was put into a view since it had a length, from its own history. */
async function putsSince(bee: Base['view'], length: number): Promise<PutsBetween> {
  const rows = new Map<string, Uint8Array>()
  for await (const { type, key, value } of bee.createHistoryStream({ gte: length })) {
    if (type === 'put') rows.set(key, value)
  }
  const keys = [...rows.keys()]
  const notes = new Set(keys.filter((key) => kindOf(key) === 'note').map(idOf))
  return { rows, kinds: new Set(keys.map(kindOf)), notes }
}

/** The op, and ahead of it as many others as its contents need. */
function carried(op: Op): Op[] {
  if (!('contents' in op)) return [op]
  const loads: Uint8Array[][] = [[]]
  let size = 0
  for (const content of op.contents) {
    if (size + content.length > CARRIED) {
      loads.push([])
      size = 0
    }
    loads.at(-1)!.push(content)
    size += content.length
  }
  const last = loads.pop()!
  return [...loads.map((contents): Op => ({ type: 'contents', contents })), { ...op, contents: last }]
}
