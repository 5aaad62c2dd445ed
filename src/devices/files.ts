import { statfs } from 'node:fs/promises'
import type { FileHash } from '../base/ids.js'
import { systemError } from '../base/system.js'
import type { BlobPointer } from '../store/rows.js'
import type { Self } from '../store/self.js'

/** Files of the namespace that aren't on this device yet. */
export interface MissingFiles {
  readonly files: number
  readonly bytes: number
  /** Whether no device that has them is here, or this one has no room for them. */
  readonly reason: 'waiting' | 'space'
}

/** Bytes that stay free whatever there is to fetch: the store itself must go on. */
const RESERVE = 64 * 1024 * 1024
/** Milliseconds until it is looked again whether there is room. */
const RETRY = 60_000

/**
 * Fetches the files of all skills from the person's other devices, as far as there is
 * room for them on the disk.
 */
export class FilesFollower {
  readonly #self: Self
  readonly #failed: (error: unknown) => void
  readonly #free: () => Promise<number>
  readonly #here = new Set<FileHash>()
  readonly #missing = new Map<FileHash, BlobPointer>()
  readonly #fetching = new Map<FileHash, Promise<void>>()
  readonly #stop = new AbortController()
  #short = false
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()

  /** @param free bytes that are free on the disk; asked of the system unless given */
  constructor(self: Self, failed: (error: unknown) => void, free?: () => Promise<number>) {
    this.#self = self
    this.#failed = failed
    this.#free =
      free ??
      (async () => {
        const { bavail, bsize } = await statfs(self.paths.home)
        return bavail * bsize
      })
  }

  /** Looks which files are missing and fetches them; returns once that is known. */
  async look(): Promise<void> {
    const mine = this.#looking.then(() => this.#look())
    this.#looking = mine.catch(() => {})
    return mine
  }

  /** What is missing, or undefined where everything is here. */
  get missing(): MissingFiles | undefined {
    if (this.#missing.size === 0) return undefined
    const bytes = [...this.#missing.values()].reduce((sum, { byteLength }) => sum + byteLength, 0)
    return { files: this.#missing.size, bytes, reason: this.#short ? 'space' : 'waiting' }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#stop.abort()
    await this.#looking
    await Promise.all(this.#fetching.values())
  }

  async #look(): Promise<void> {
    const { store } = this.#self
    for await (const { row } of store.view.all('blob')) {
      if (this.#here.has(row.hash)) continue
      if (await store.blobs.has(row)) this.#arrived(row.hash)
      else this.#missing.set(row.hash, row)
    }
    await this.#fetchMissing()
  }

  async #fetchMissing(): Promise<void> {
    this.#short = false
    let free = (await this.#free()) - RESERVE
    for (const pointer of this.#missing.values()) {
      if (this.#fetching.has(pointer.hash)) continue
      free -= pointer.byteLength
      if (free < 0) {
        this.#short = true
        this.#retryLater()
        return
      }
      this.#fetching.set(pointer.hash, this.#fetch(pointer))
    }
  }

  async #fetch(pointer: BlobPointer): Promise<void> {
    try {
      const isHere = await this.#self.store.blobs.fetch(pointer, this.#stop.signal)
      if (isHere) this.#arrived(pointer.hash)
    } catch (error) {
      if (this.#stop.signal.aborted) return
      // A disk that is full all the same is looked at again later.
      if (systemError(error)) this.#short = true
      this.#failed(error)
      this.#retryLater()
    } finally {
      this.#fetching.delete(pointer.hash)
    }
  }

  #arrived(hash: FileHash): void {
    this.#here.add(hash)
    this.#missing.delete(hash)
  }

  #retryLater(): void {
    clearTimeout(this.#timer)
    if (this.#stop.signal.aborted) return
    this.#timer = setTimeout(() => void this.look().catch(this.#failed), RETRY)
    this.#timer.unref()
  }
}
