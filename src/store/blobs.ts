import type Corestore from 'corestore'
import Hyperblobs from 'hyperblobs'
import type { FileHash } from '../base/ids.js'
import { fromHex, toHex } from '../keys/sodium.js'
import { fileHash } from '../namespace/skill.js'
import type { BlobPointer } from './rows.js'

/**
 * The bytes of files, by their hash. Each device puts them in one log of its own, under
 * the store's encryption key, and reads the logs of the others.
 */
export class Blobs {
  readonly #logs: Corestore
  readonly #encryption: Uint8Array
  readonly #own: Hyperblobs
  readonly #others = new Map<string, Hyperblobs>()

  constructor(logs: Corestore, encryption: Uint8Array, epoch: number) {
    this.#logs = logs
    this.#encryption = encryption
    this.#own = new Hyperblobs(logs.get({ name: `blobs/${epoch}`, encryption: { key: encryption } }))
  }

  async ready(): Promise<void> {
    await this.#own.ready()
  }

  /** Keeps the bytes and says where they are. They count once an op names the place. */
  async put(bytes: Uint8Array): Promise<BlobPointer> {
    const { blockOffset, blockLength, byteOffset, byteLength } = await this.#own.put(bytes)
    const core = toHex(this.#own.core.key)
    return { hash: fileHash(bytes), core, blockOffset, blockLength, byteOffset, byteLength }
  }

  /** The bytes of a pointer, or undefined where they aren't on this device. */
  async get(pointer: BlobPointer): Promise<Uint8Array | undefined> {
    if (pointer.byteLength === 0) return new Uint8Array()
    const bytes = await this.#open(pointer.core).get(pointer, { wait: false })
    return bytes ?? undefined
  }

  /** Whether what is at the pointer hashes to what it should. */
  async isWhole(pointer: BlobPointer): Promise<boolean> {
    const bytes = await this.get(pointer)
    return bytes !== undefined && fileHash(bytes) === (pointer.hash satisfies FileHash)
  }

  #open(core: string): Hyperblobs {
    if (core === toHex(this.#own.core.key)) return this.#own
    let blobs = this.#others.get(core)
    if (!blobs) {
      blobs = new Hyperblobs(this.#logs.get({ key: fromHex(core), encryption: { key: this.#encryption } }))
      this.#others.set(core, blobs)
    }
    return blobs
  }
}
