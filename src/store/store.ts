import { EventEmitter } from 'node:events'
import Autobase, { type ApplyHost, type ApplyNode, type AutobaseHandlers } from 'autobase'
import type Corestore from 'corestore'
import Hyperbee from 'hyperbee'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { FileHash } from '../base/ids.js'
import { fromHex, keyedHash } from '../keys/sodium.js'
import type { Namespace } from '../namespace/resolve.js'
import { applyOp } from './apply.js'
import { Blobs } from './blobs.js'
import type { Epoch } from './home.js'
import { Memory } from './memory.js'
import { decodeOp, encodeOp, fitsOneOp, type Op } from './ops.js'
import { Table } from './table.js'

/** Contents that an op carries itself, in bytes; what is more goes ahead of it. A block holds 15 MiB. */
const CARRIED = 8 * 1024 * 1024
/** Bytes of an op, with room for what the log adds. */
const MAX_BLOCK = 14 * 1024 * 1024

/**
 * A person's store: ops in, view out. One Autobase holds what this device appends, and
 * later what the person's other devices do; {@link applyOp} folds it into the view; the
 * {@link Memory} keeps beside it what is looked up all the time. Emits `change` with the kinds of rows that
 * changed, after each step, and `broken` when it can't go on, as on a full disk: then it
 * has to be closed and opened again, and so have the logs.
 */
export class Store extends EventEmitter<{ change: [kinds: ReadonlySet<string>]; broken: [error: unknown] }> {
  readonly memory = new Memory()
  readonly blobs: Blobs
  readonly #base: Autobase<Hyperbee>
  #indexed = 0
  #truncated = false
  #broken: unknown
  #refreshing: Promise<void> = Promise.resolve()
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(base: Autobase<Hyperbee>, blobs: Blobs) {
    super()
    this.#base = base
    this.blobs = blobs
  }

  /**
   * Makes a new base in these logs and gives what it is found by. Nothing is in it yet.
   */
  static async found(
    logs: Corestore,
    encryption: Uint8Array,
    epoch: number
  ): Promise<{ store: Store; base: Uint8Array }> {
    const store = await Store.#start(logs, null, encryption, epoch)
    return { store, base: store.#base.key }
  }

  /**
   * Opens the base of an epoch.
   *
   * What a newer Selkie wrote to it is not shown; what was there before still is.
   *
   * @throws SelkieError E_STORE_KEY when the base or the encryption key isn't the one that
   *   it was written with
   */
  static async open(logs: Corestore, epoch: Epoch): Promise<Store> {
    let store: Store
    try {
      store = await Store.#start(logs, fromHex(epoch.base), fromHex(epoch.encryption), epoch.number)
    } catch (cause) {
      const isNoise = (cause as { code?: unknown }).code === 'DECODING_ERROR'
      throw isNoise ? new SelkieError('E_STORE_KEY', {}, { cause }) : cause
    }
    await store.#base.update()
    await store.#refresh()
    // Under a wrong key everything reads as noise, without an error: the first row tells.
    if (!(await store.view.get('owner').catch(() => undefined))) throw new SelkieError('E_STORE_KEY')
    return store
  }

  static async #start(
    logs: Corestore,
    key: Uint8Array | null,
    encryption: Uint8Array,
    epoch: number
  ): Promise<Store> {
    const base = new Autobase<Hyperbee>(logs.namespace(`epoch/${epoch}`), key, {
      encrypt: true,
      encryptionKey: encryption,
      blindEncryption: keyCheck(encryption),
      valueEncoding: 'binary',
      open: (views) =>
        new Hyperbee(views.get('view'), { extension: false, keyEncoding: 'utf-8', valueEncoding: 'binary' }),
      apply: applyNodes
    })
    const blobs = new Blobs(logs, encryption, epoch)
    const store = new Store(base, blobs)
    base.on('error', (error: unknown) => store.#break(error))
    await base.ready()
    await blobs.ready()
    // Who appends or looks next reads again what couldn't be read now, and hears of it.
    base.on('update', () => void store.#refresh().catch(() => {}))
    base.view.core.on('truncate', () => (store.#truncated = true))
    return store
  }

  /** The names of now. */
  get namespace(): Namespace {
    return this.memory.namespace
  }

  /** The view as it is now. */
  get view(): Table {
    return new Table(this.#base.view as unknown as ConstructorParameters<typeof Table>[0])
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
   * Appends an op and folds it in. Where it carries more contents than fit beside it,
   * they go ahead of it in the same write.
   *
   * @throws SelkieError E_UPGRADE, E_STEP_LIMIT when it is too large for one block of the
   *   log even so
   */
  async append(op: Op): Promise<void> {
    if (this.#base.interrupted) throw new SelkieError('E_UPGRADE')
    const blocks = carried(op).map(encodeOp)
    if (!fitsOneOp(op) || blocks.some(({ length }) => length > MAX_BLOCK))
      throw new SelkieError('E_STEP_LIMIT')
    try {
      await this.#base.append(blocks)
      await this.#refresh()
    } catch (error) {
      if (this.#base.interrupted) throw new SelkieError('E_UPGRADE', {}, { cause: error })
      throw this.#broken ?? error
    }
  }

  /** The bytes of a file by its hash, or undefined where they aren't on this device. */
  async file(hash: FileHash): Promise<Uint8Array | undefined> {
    const pointer = await this.view.get('blob', hash)
    return pointer && (await this.blobs.get(pointer))
  }

  /** Lets go of the base; the logs stay open. */
  async close(): Promise<void> {
    await this.#turn
    await this.#refreshing
    await this.#base.close()
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
    // Read first and taken in at one go: whoever looks meanwhile sees the names as they were.
    const entries: { key: string; value: Uint8Array }[] = []
    if (from === 0) {
      for (const kind of Memory.KINDS) {
        for await (const entry of bee.createReadStream({ gte: `${kind}/`, lt: `${kind}0` }))
          entries.push(entry)
      }
      this.memory.clear()
    } else {
      for await (const entry of bee.createHistoryStream({ gte: from })) {
        if (entry.type === 'put') entries.push(entry)
      }
    }
    const kinds = new Set<string>(from === 0 ? Memory.KINDS : [])
    for (const { key, value } of entries) kinds.add(this.memory.take(key, value))
    this.#indexed = version
    this.emit('change', kinds)
  }
}

/**
 * Autobase keeps its encryption key beside its logs, in the clear unless told otherwise.
 * The key belongs to the home’s key file alone: what is kept is a hash that tells it.
 */
function keyCheck(encryption: Uint8Array): AutobaseHandlers<Hyperbee>['blindEncryption'] & object {
  const check = keyedHash(encryption, 'selkie/store-key/v1')
  return {
    encrypt: async () => ({ type: 0, value: check }),
    decrypt: async ({ value }) => {
      if (Buffer.compare(value, check) !== 0) throw new SelkieError('E_STORE_KEY')
      return { value: encryption }
    }
  }
}

async function applyNodes(nodes: readonly ApplyNode[], bee: Hyperbee, host: ApplyHost): Promise<void> {
  const batch = bee.batch({ update: false })
  const view = new Table(batch)
  try {
    for (const { value } of nodes) {
      const op = value && decodeOp(value)
      if (op) await applyOp(view, op)
    }
  } catch (error) {
    await batch.close()
    // Skipping what a newer build wrote would part this device from the others for ever.
    if (isSelkieError(error, 'E_UPGRADE')) return host.interrupt(error.message)
    throw error
  }
  await batch.flush()
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
