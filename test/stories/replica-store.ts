import type { FileHash } from '../../src/base/ids.js'
import { SelkieError } from '../../src/base/errors.js'
import { fileHash } from '../../src/namespace/skill.js'
import type { Namespace } from '../../src/namespace/resolve.js'
import type { Blobs } from '../../src/store/blobs.js'
import { Memory } from '../../src/store/memory.js'
import { encodeOp, fitsOneOp, MAX_ENTRY, type Op } from '../../src/store/ops.js'
import type { BlobPointer } from '../../src/store/rows.js'
import type { Store } from '../../src/store/store.js'
import { Table, type Cells } from '../../src/store/table.js'
import type { View } from './view-tree.js'

type BlobSurface = Pick<Blobs, 'put' | 'get' | 'has' | 'fetch' | 'clear' | 'isWhole'>

/** What the verbs use of a store. */
type Surface = Pick<Store, 'memory' | 'namespace' | 'view' | 'turn' | 'append' | 'file'> & {
  readonly blobs: BlobSurface
}

/** The bytes of files that one device puts; what one has put, all of them have at once. */
export class MemoryBlobs implements BlobSurface {
  readonly #shared: Map<FileHash, Uint8Array>
  readonly #core: string
  #length = 0

  constructor(shared: Map<FileHash, Uint8Array>, device: number) {
    this.#shared = shared
    this.#core = device.toString(16).padStart(64, '0')
  }

  async put(bytes: Uint8Array): Promise<BlobPointer> {
    const hash = fileHash(bytes)
    this.#shared.set(hash, bytes)
    const place = { blockOffset: this.#length++, blockLength: 1, byteOffset: 0, byteLength: bytes.length }
    return { hash, core: this.#core, key: '0'.repeat(64), ...place }
  }

  async get({ hash }: BlobPointer): Promise<Uint8Array | undefined> {
    return this.#shared.get(hash)
  }

  async has({ hash }: BlobPointer): Promise<boolean> {
    return this.#shared.has(hash)
  }

  fetch(pointer: BlobPointer): Promise<boolean> {
    return this.has(pointer)
  }

  download(pointer: BlobPointer): Promise<boolean> {
    return this.has(pointer)
  }

  isWhole(pointer: BlobPointer): Promise<boolean> {
    return this.has(pointer)
  }

  async clear(): Promise<boolean> {
    return true
  }
}

/**
 * Stands in for a {@link Store} over an Autobase: the same memory over a view that lies
 * beside it, brought up to it in the same way.
 */
export class ReplicaStore implements Surface {
  readonly memory = new Memory()
  readonly blobs: MemoryBlobs
  readonly #write: (bytes: readonly Uint8Array[]) => Promise<void>
  #at: View | undefined

  constructor(blobs: MemoryBlobs, write: (bytes: readonly Uint8Array[]) => Promise<void>) {
    this.blobs = blobs
    this.#write = write
  }

  get namespace(): Namespace {
    return this.memory.namespace
  }

  /** As of an Autobase, it goes on with what is seen. */
  readonly view = new Table({
    get: (key) => this.#cells.get(key),
    put: (key, value) => this.#cells.put(key, value),
    del: (key) => this.#cells.del(key),
    createReadStream: (range) => this.#cells.createReadStream(range)
  })

  get #cells(): Cells {
    return this.#at!.cells
  }

  /** A story does one thing after the other. */
  async turn<T>(step: () => Promise<T>): Promise<T> {
    return step()
  }

  async append(...ops: readonly Op[]): Promise<void> {
    const blocks = ops.map(encodeOp)
    if (!ops.every(fitsOneOp) || blocks.some(({ length }) => length > MAX_ENTRY))
      throw new SelkieError('E_STEP_LIMIT')
    await this.#write(blocks)
  }

  async file(hash: FileHash): Promise<Uint8Array | undefined> {
    const pointer = await this.view.get('blob', hash)
    return pointer && (await this.blobs.get(pointer))
  }

  /** Goes on to another view: with what was put since, or, where the order changed, anew. */
  moveTo(view: View): void {
    const puts = this.#at && view.putsSince(this.#at)
    this.#at = view
    if (puts) {
      for (const { key, value } of puts) this.memory.take(key, value)
      return
    }
    this.memory.clear()
    readAll(this.memory, view)
  }
}

/** Reads a view into a memory that is empty. */
export function readAll(memory: Memory, { values }: View): void {
  const keys = [...values.keys()].sort()
  for (const kind of Memory.KINDS) {
    for (const key of keys) if (key.startsWith(`${kind}/`)) memory.take(key, values.get(key)!)
  }
}
