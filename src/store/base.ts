import Autobase, { type ApplyHost, type ApplyNode, type AutobaseHandlers } from 'autobase'
import type Corestore from 'corestore'
import Hyperbee from 'hyperbee'
import { isSelkieError, SelkieError } from '../base/errors.js'
import { fromHex, toHex } from '../keys/sodium.js'
import { CellCache } from './cell-cache.js'
import { applyEntry } from './entry.js'
import { GuardedBase } from './guarded-base.js'
import type { Puts } from './puts.js'
import { storeKeyHash } from './succession.js'
import { Table } from './table.js'

export type Base = Autobase<Hyperbee>

/**
 * Opens the Autobase of an epoch, or founds one where `key` is null.
 *
 * Its founder is its only indexer: an indexer could write into the past. No device jumps
 * to a view that another has signed; each comes to its own from the entries alone.
 *
 * @param place the name that its logs have on this device
 * Emits `newer` with the key of a log in which a newer Selkie has written.
 *
 * @param puts told of all that apply puts into the view
 */
export function newBase(
  logs: Corestore,
  place: string,
  key: Uint8Array | null,
  encryption: Uint8Array,
  puts: Puts
): Base {
  const cache = new CellCache()
  const base: Base = new GuardedBase<Hyperbee>(logs.namespace(`epoch/${place}`), key, {
    encrypt: true,
    encryptionKey: encryption,
    blindEncryption: keyCheck(encryption),
    fastForward: false,
    valueEncoding: 'binary',
    open: (views) =>
      new Hyperbee(views.get('view'), { extension: false, keyEncoding: 'utf-8', valueEncoding: 'binary' }),
    apply: (nodes, bee, host) => applyNodes(nodes, bee, host, base, cache, puts)
  })
  for (const event of ['ready', 'reboot']) base.on(event, () => keepToOwnView(base))
  return base
}

/** A log, with what says whether more of it is asked for as soon as someone has more. */
interface Replicated {
  readonly core: { readonly replicator: { eagerUpgrade: boolean } }
}

/** A view that another has signed is of no use to a device that comes to its own: it asks for none. */
function keepToOwnView(base: Base): void {
  const { view, core } = base as unknown as { view: { core: Replicated }; core: Replicated }
  for (const log of [view.core, core]) log.core.replicator.eagerUpgrade = false
}

/**
 * Autobase keeps its encryption key beside its logs, in the clear unless told otherwise.
 * The key belongs to the home’s key file alone: what is kept is a hash that tells it.
 */
function keyCheck(encryption: Uint8Array): AutobaseHandlers<Hyperbee>['blindEncryption'] & object {
  const check = storeKeyHash(encryption)
  return {
    encrypt: async () => ({ type: 0, value: check }),
    decrypt: async ({ value }) => {
      if (Buffer.compare(value, check) !== 0) throw new SelkieError('E_STORE_KEY')
      return { value: encryption }
    }
  }
}

async function applyNodes(
  nodes: readonly ApplyNode[],
  bee: Hyperbee,
  host: ApplyHost,
  base: Base,
  cache: CellCache,
  puts: Puts
): Promise<void> {
  const batch = bee.batch({ update: false })
  const from = bee.core.length
  const put = new Map<string, Uint8Array>()
  const view = new Table(cache.over(bee, batch, put))
  const counted = new Map<string, number>()
  let log = ''
  try {
    for (const { from, length, value } of nodes) {
      log = toHex(from.key)
      counted.set(log, length)
      const admitted = value && (await applyEntry(view, { log, bytes: value }, toHex(base.key)))
      if (admitted) await host.addWriter(fromHex(admitted), { indexer: false })
    }
    for (const [each, length] of counted) await view.put('counted', length, each)
  } catch (error) {
    await batch.close()
    // Skipping what a newer build wrote would part this device from the others for ever.
    if (!isSelkieError(error, 'E_UPGRADE')) throw error
    base.emit('newer', log)
    return host.interrupt(error.message)
  }
  await batch.flush()
  cache.flushed(bee)
  puts.add(from, bee.core.length, put)
}

/** The entries of this device’s own log in a base, from an index on. */
export async function* ownEntries({ local }: Base, from: number): AsyncGenerator<Uint8Array> {
  for (let index = from; index < local.length; index++) {
    const block = (await local.get(index)) as unknown as { node: { value: Uint8Array | null } }
    if (block.node.value) yield block.node.value
  }
}

/** The entries of the log of a base’s founder that are on this device. */
export async function* founderEntries(logs: Corestore, base: Base): AsyncGenerator<Uint8Array> {
  const log = logs.get({ key: base.key, encryption: base.getWriterEncryption() })
  await log.ready()
  try {
    for (let index = 0; index < log.length; index++) {
      const block = await log.get(index, { wait: false })
      const value = block && (await Autobase.decodeValue(block))
      if (value) yield value
    }
  } finally {
    await log.close()
  }
}
