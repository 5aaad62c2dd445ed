import { Chunks } from './chunks.js'
import type { FileEntry } from './folder.js'
import type { Done } from './jobs.js'
import { ReadRow } from './read-row.js'
import { Kind } from './read-text.js'
import { newBudget, TextRoom } from './text-room.js'
import { Threads } from './threads.js'

/** Files that a job reads, and how many there must be for helpers to be worth their start. */
const BATCH = 512
const MANY = 1000
/** Files that get a digest in one round, and bytes that all digests may take. */
const ROUND = 4 * BATCH
const MAX_DIGESTS = 256 * 1024 * 1024
/** Milliseconds that a file must have been as it is, so that the same times mean the same text. */
const SETTLED = 3000

/** Reads the files of an index, and holds what is known of their texts. */
export class Texts {
  readonly chunks: Chunks
  readonly threads: Threads
  /** Files that have another name somewhere: what is changed by that isn’t told by the folder here. */
  readonly linked = new Set<FileEntry>()
  readonly #gone: (entry: FileEntry) => void
  #unread: FileEntry[] = []
  #reading = 0
  /** Those whose texts aren’t held and have no digest. */
  readonly #undigested = new Set<FileEntry>()
  #digests = 0

  /**
   * @param gone told of a file that isn’t there when it is read
   * @param room bytes of text that are held
   */
  constructor(gone: (entry: FileEntry) => void, room?: number) {
    const budget = newBudget(room)
    const own = new TextRoom(budget)
    this.#gone = gone
    this.chunks = new Chunks(budget, own)
    this.threads = new Threads(budget, own)
  }

  /** Reads a file soon. */
  read(entry: FileEntry): void {
    this.#unread.push(entry)
    if (++this.#reading >= MANY) this.threads.start()
    if (this.#unread.length === BATCH) this.#queue()
  }

  /** Reads what is still to be read. */
  async finish(): Promise<void> {
    if (this.#unread.length > 0) this.#queue()
    await this.threads.finish()
    this.#reading = 0
    this.chunks.tidy()
  }

  /** Forgets a file. */
  drop(entry: FileEntry): void {
    this.linked.delete(entry)
    this.chunks.remove(entry)
    this.#setDigest(entry, undefined)
    this.#undigested.delete(entry)
  }

  /**
   * Reads once what isn’t held, to know what need not be read again.
   *
   * @param goOn asked now and then whether nobody waits
   */
  async digest(goOn: () => boolean): Promise<void> {
    while (goOn() && this.#undigested.size > 0 && this.#digests < MAX_DIGESTS) {
      const some: FileEntry[] = []
      for (const entry of this.#undigested) if (some.push(entry) === ROUND) break
      for (let i = 0; i < some.length; i += BATCH) {
        const entries = some.slice(i, i + BATCH)
        this.threads.add({ type: 'digest', paths: pathsOf(entries) }, ({ digests = [] }) => {
          for (const [n, entry] of entries.entries()) this.#setDigest(entry, digests[n])
        })
      }
      await this.threads.finish()
    }
  }

  #queue(): void {
    const [entries, since] = [this.#unread, Date.now()]
    this.#unread = []
    this.threads.add({ type: 'read', paths: pathsOf(entries) }, (done) => this.#take(entries, since, done))
  }

  #take(entries: readonly FileEntry[], since: number, { rows = new Float64Array(), room }: Done): void {
    if (room) this.chunks.note(room)
    for (const [i, entry] of entries.entries()) {
      if (entry.isGone) continue
      const read = new ReadRow(rows, i)
      if (read.kind === Kind.gone) {
        this.#gone(entry)
        continue
      }
      entry.kind = read.kind
      entry.read = read
      entry.isSettled = since - Math.max(read.modified, read.changed) > SETTLED
      if (read.kind === Kind.held) this.chunks.put(entry, read.chunk, read.offset, read.length)
      else this.chunks.remove(entry)
      this.#setDigest(entry, undefined)
      if (read.links > 1) this.linked.add(entry)
      else this.linked.delete(entry)
    }
  }

  #setDigest(entry: FileEntry, digest: Uint32Array | undefined): void {
    this.#digests += (digest?.byteLength ?? 0) - (entry.digest?.byteLength ?? 0)
    entry.digest = digest
    if (entry.kind === Kind.away && !digest) this.#undigested.add(entry)
    else this.#undigested.delete(entry)
  }
}

function pathsOf(entries: readonly FileEntry[]): string[] {
  return entries.map(({ path }) => path)
}
