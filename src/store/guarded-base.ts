// Autobase marks with a dash what it keeps to itself.
/* oxlint-disable no-underscore-dangle */
import Autobase, {
  type AutobaseHandlers,
  type BaseEncryption,
  type DagNode,
  type Head,
  type Writer
} from 'autobase'
import messages, { type OplogMessage } from 'autobase/lib/messages.js'
import type Corestore from 'corestore'
import type { CoreOptions } from 'corestore'
import { toHex } from '../keys/sodium.js'

/**
 * An Autobase that another device can’t bring to a halt by what it writes into its log.
 * Autobase takes for granted that blocks link to each other as its own do, and ends the
 * base or the process where they don’t. Here a log counts up to its first block that
 * doesn’t; what is looked at is the log alone, so that all devices stop at the same
 * block. Emits `unreadable` with the key of such a log.
 *
 * It overrides what Autobase keeps to itself, so it goes with the one version of it that
 * it was written for.
 */
export class GuardedBase<View> extends Autobase<View> {
  constructor(store: Corestore, key: Uint8Array | null, handlers: AutobaseHandlers<View>) {
    super(store, key, handlers)
    const get = store.get.bind(store)
    store.get = (options) =>
      get(isOthers(options, this) ? { ...options, valueEncoding: othersBlocks } : options)
    store.watch(refuseForks)
  }

  override _makeWriter(...how: Parameters<Autobase<View>['_makeWriter']>): Writer {
    const writer = super._makeWriter(...how)
    if (!writer.core.writable) guard(this, writer)
    return writer
  }

  override getWriterEncryption(): BaseEncryption {
    const encryption = super.getWriterEncryption()
    const get = encryption.get.bind(encryption)
    const decrypt = encryption.decrypt.bind(encryption)
    encryption.get = async (id, log) => {
      // No key but the first is ever in use: for another Autobase would wait for ever.
      if (id !== 0) throw new Error('the block is under a key that no one has')
      return get(id, log)
    }
    encryption.decrypt = async (index, block, log) => {
      try {
        await decrypt(index, block, log)
      } catch (cause) {
        throw new Undecryptable('the block can’t be decrypted', { cause })
      }
    }
    return encryption
  }

  /** Whoever is connected may name any number of logs; those of no device stay closed. */
  override async _wakeupWriter(key: Uint8Array, length: number): Promise<void> {
    if (isSame(key, this.key) || (await this.system.get(key))) await super._wakeupWriter(key, length)
  }
}

class Undecryptable extends Error {}

function isOthers<View>({ key, valueEncoding }: CoreOptions, { local }: Autobase<View>): boolean {
  return valueEncoding === messages.OplogMessage && key !== undefined && !(local && isSame(key, local.key))
}

/** Without what isn’t needed of others: signatures of views, and hints what to fetch. */
const othersBlocks: typeof messages.OplogMessage = {
  ...messages.OplogMessage,
  decode(state): OplogMessage {
    const { version, node } = messages.OplogMessage.decode(state)
    return { version, node, checkpoint: null, digest: null, optimistic: false, trace: null }
  }
}

/** A device whose log goes another way than it went is heard no further. */
function refuseForks(core: { readonly replicator: { allowFork: boolean } }): void {
  core.replicator.allowFork = false
}

function guard<View>(base: Autobase<View>, writer: Writer): void {
  const update = writer.update.bind(writer)
  const load = writer._loadNextNode.bind(writer)
  const link = writer._ensureNodeDependencies.bind(writer)
  /** How many blocks of the batch are to come, as the last one says. */
  let rest = 1

  const stop = (): false => {
    writer.frozen = true
    base.emit('unreadable', toHex(writer.core.key))
    return false
  }
  // It was written twice, and differently: what others have of it may be another log.
  writer.core.once('conflict', stop)
  writer._loadNextNode = async () => {
    if (!(await load())) return false
    const node = writer.node!
    if (!isSound(node, writer.core.key, rest)) return stop()
    rest = node.batch
    return true
  }
  writer._ensureNodeDependencies = async (boot) => {
    if (!(await link(boot))) return false
    const node = writer.node!
    for (const head of node.actualHeads) {
      if (!isPrevious(node, head, writer.core.key) && (await batchAt(base, head)) > 1) return stop()
    }
    // Autobase links the block before in any case; named, it is no loose end any more.
    const { length } = node
    if (length > 1 && !node.actualHeads.some((head) => isPrevious(node, head, writer.core.key)))
      node.actualHeads.push({ key: writer.core.key, length: length - 1 })
    return true
  }
  writer.update = async (boot) => {
    try {
      return await update(boot)
    } catch (error) {
      const isNoise =
        (error as { code?: unknown }).code === 'DECODING_ERROR' || error instanceof Undecryptable
      if (isNoise) return stop()
      throw error
    }
  }
}

/** Whether a block fits behind the one before it, and names its heads as Autobase does. */
function isSound(node: DagNode, log: Uint8Array, rest: number): boolean {
  const { heads, batch, length } = node
  const names = new Set(heads.map(({ key, length }) => `${toHex(key)} ${length}`))
  if (names.size < heads.length || heads.some((head) => head.length < 1)) return false
  if (heads.some(({ key, length: at }) => at >= length && isSame(key, log))) return false
  if (rest === 1) return batch >= 1
  return batch === rest - 1 && heads.length === 1 && isPrevious(node, heads[0]!, log)
}

function isPrevious({ length }: DagNode, head: Head, log: Uint8Array): boolean {
  return head.length === length - 1 && isSame(head.key, log)
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/** How many blocks of its batch are to come from a block on: 1 for the last, which alone may be linked. */
async function batchAt<View>(base: Autobase<View>, { key, length }: Head): Promise<number> {
  const known = base.activeWriters.get(key)?.nodes.get(length - 1)
  if (known) return known.batch
  const core = base._makeWriterCore(key)
  try {
    await core.ready()
    const block = (await core.get(length - 1, { wait: false })) as unknown as OplogMessage | null
    return block?.node.batch ?? 1
  } finally {
    await core.close()
  }
}
