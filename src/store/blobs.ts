import type Corestore from 'corestore'
import Hyperblobs from 'hyperblobs'
import type { FileHash } from '../base/ids.js'
import { fromHex, keyedHash, toHex } from '../keys/sodium.js'
import { fileHash } from '../namespace/skill.js'
import type { BlobPointer } from './rows.js'

/**
 * The bytes of files, by their hash. Each device puts them in one log of its own, under
 * a key of the store's epoch that every pointer carries, and reads the logs of the others.
 */
export class Blobs {
  readonly #logs: Corestore
  readonly #key: Uint8Array
  readonly #own: Hyperblobs
  readonly #others = new Map<string, Hyperblobs>()

  constructor(logs: Corestore, encryption: Uint8Array, epoch: number) {
    this.#logs = logs
    this.#key = keyedHash(encryption, 'selkie/blobs/v1')
    this.#own = new Hyperblobs(logs.get({ name: `blobs/${epoch}`, encryption: { key: this.#key } }))
  }

  async ready(): Promise<void> {
    await this.#own.ready()
  }

  /** Keeps the bytes and says where they are. They count once an op names the place. */
  async put(bytes: Uint8Array): Promise<BlobPointer> {
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

  /** Whether what is at the pointer hashes to what it should. */
  async isWhole(pointer: BlobPointer): Promise<boolean> {
    const bytes = await this.get(pointer)
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
