import type Corestore from 'corestore'
import Hyperblobs from 'hyperblobs'
import type { FileHash } from '../base/ids.js'
import { fromHex, keyedHash, toHex } from '../keys/sodium.js'
import { fileHash } from '../namespace/skill.js'
import { download } from './download.js'
import { nameIn } from './generation.js'
import type { BlobPointer } from './rows.js'
import { refuseFull } from './space.js'

/** What is noted with a log of files that this device puts; Autobase notes a `referrer` with its own. */
const MARK = 'selkie/blobs'

/** Bytes of a block, but for the last one of a file: as Hyperblobs cuts them. */
const BLOCK = 64 * 1024

/**
 * The bytes of files, by their hash. Each device puts them in one log of its own, under
 * a key of the store's epoch that every pointer carries, and reads the logs of the others.
 */
export class Blobs {
  readonly #logs: Corestore
  readonly #key: Uint8Array
  readonly #own: Hyperblobs
  readonly #others = new Map<string, Hyperblobs>()

  private constructor(logs: Corestore, key: Uint8Array, name: string) {
    this.#logs = logs
    this.#key = key
    this.#own = new Hyperblobs(logs.get({ name, encryption: { key } }))
  }

  /** Opens the log of this device in an epoch, or makes it. */
  static async open(logs: Corestore, encryption: Uint8Array, place: string): Promise<Blobs> {
    const key = keyedHash(encryption, 'selkie/blobs/v1')
    return new Blobs(logs, key, await nameIn(logs, `blobs/${place}`))
  }

  async ready(): Promise<void> {
    await this.#own.ready()
    await this.#own.core.setUserData(MARK, Uint8Array.of(1))
  }

  /**
   * Keeps the bytes and says where they are. They count once an op names the place.
   *
   * @throws SelkieError E_DISK_FULL
   */
  async put(bytes: Uint8Array): Promise<BlobPointer> {
    await refuseFull(this.#logs.storage.path, bytes.length)
    const { blockOffset, blockLength, byteOffset, byteLength } = await this.#own.put(bytes)
    const core = toHex(this.#own.core.key)
    const key = toHex(this.#key)
    return { hash: fileHash(bytes), core, key, blockOffset, blockLength, byteOffset, byteLength }
  }

  /** The bytes of a pointer, or undefined where they aren't on this device. */
  async get(pointer: BlobPointer): Promise<Uint8Array | undefined> {
    if (pointer.byteLength === 0) return new Uint8Array()
    const bytes = await this.#open(pointer).get(pointer, { wait: false })
    return bytes ?? undefined
  }

  /**
   * Brings the bytes of a pointer onto this device, for {@link get}, waiting as long as it
   * takes for another device that has them.
   *
   * @returns false where the pointer or what came for it isn’t right
   * @throws the reason of `signal`, once that says stop
   */
  async fetch(pointer: BlobPointer, signal: AbortSignal): Promise<boolean> {
    const { blockOffset: start, blockLength, byteLength } = pointer
    if (blockLength !== Math.ceil(byteLength / BLOCK)) return false
    const { core } = this.#open(pointer)
    return download(core, { start, end: start + blockLength }, (_, bytes) => bytes <= BLOCK, signal)
  }

  /**
   * Lets go of the bytes of a pointer on this device. While others are connected, one of
   * them may be fetching just these, and asking for dozens of blocks that are gone it
   * would take no others over that connection either: then nothing is done.
   *
   * @param force for what can’t wait any longer
   * @returns whether they are gone
   */
  async clear(pointer: BlobPointer, { force = false } = {}): Promise<boolean> {
    const { core } = this.#open(pointer)
    await core.ready()
    // A pointer says what the device that wrote it likes: a base’s logs, say, are nobody’s files.
    const isOther = core.writable ? !(await core.getUserData(MARK)) : await core.getUserData('referrer')
    if (isOther) return true
    if (core.peers.length > 0 && !force) return false
    await core.clear(pointer.blockOffset, pointer.blockOffset + pointer.blockLength)
    return true
  }

  /** Whether the bytes of a pointer are on this device. */
  async has(pointer: BlobPointer): Promise<boolean> {
    const { blockOffset, blockLength, byteLength } = pointer
    return byteLength === 0 || this.#open(pointer).core.has(blockOffset, blockOffset + blockLength)
  }

  /** Whether what is at the pointer hashes to what it should. */
  async isWhole(pointer: BlobPointer): Promise<boolean> {
    let bytes: Uint8Array | undefined
    try {
      bytes = await this.get(pointer)
    } catch (error) {
      // The store's own checksum failed, or the disk did: either way these bytes are lost.
      if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error
    }
    return bytes !== undefined && fileHash(bytes) === (pointer.hash satisfies FileHash)
  }

  #open({ core, key }: BlobPointer): Hyperblobs {
    if (core === toHex(this.#own.core.key)) return this.#own
    let blobs = this.#others.get(core)
    if (!blobs) {
      blobs = new Hyperblobs(this.#logs.get({ key: fromHex(core), encryption: { key: fromHex(key) } }))
      this.#others.set(core, blobs)
    }
    return blobs
  }
}
