import { basename, sep } from 'node:path'
import { fold } from './fold.js'
import { ReadRow, rowsOf } from './read-row.js'
import { Kind } from './read-text.js'

/** A folder of the index. */
export class Folder {
  readonly folders = new Map<string, Folder>()
  readonly files = new Map<string, FileEntry>()
  /** As it is compared: from the granted folder’s own name on, with `/` between and at the end. */
  readonly folded: string
  /** Ends the watching; undefined where it isn’t watched. */
  unwatch: (() => void) | undefined
  /** The system’s numbers for it: the volume, the folder on it. */
  device = 0
  inode = 0
  /** Why it can’t be read. */
  problem: string | undefined
  /** Whether the index has dropped it. */
  isGone = false

  constructor(
    readonly path: string,
    readonly parent?: Folder
  ) {
    this.folded = `${parent?.folded ?? ''}${fold(basename(path))}/`
  }

  /** The granted folder that it belongs to. */
  get root(): Folder {
    return this.parent?.root ?? this
  }

  /** The path of something in it. */
  pathOf(name: string): string {
    return this.path.endsWith(sep) ? this.path + name : this.path + sep + name
  }

  /** This one and all below. */
  *all(): Generator<Folder> {
    const rest: Folder[] = [this]
    for (let folder = rest.pop(); folder; folder = rest.pop()) {
      yield folder
      for (const each of folder.folders.values()) rest.push(each)
    }
  }
}

/** A chunk of held texts, and whose they are. */
export interface Chunk {
  readonly number: number
  readonly bytes: Buffer
  /** Where each text begins, rising, and the file that it was read from. */
  readonly offsets: number[]
  readonly entries: FileEntry[]
  /** Bytes up to which it is filled, and how many of them are of files that are there. */
  used: number
  live: number
  /** Whether its thread won’t fill it any more. */
  isLeft: boolean
}

const NEVER = new ReadRow(rowsOf([{ kind: Kind.away }]), 0)

/** A file of the index. */
export class FileEntry {
  readonly folded: string
  kind: Kind = Kind.away
  /** What it was when it was read. */
  read = NEVER
  /** Whether it had been so for a while by then, so that the same times mean the same text. */
  isSettled = false
  /** Whether the index has dropped it. */
  isGone = false
  /** Where its text lies, where that is held. */
  chunk: Chunk | undefined
  offset = 0
  length = 0
  /** What its text may hold, where that isn’t held. */
  digest: Uint32Array | undefined
  /** Which words of the query are in its path, a bit for each: while a search runs. */
  mask = 0

  constructor(
    readonly folder: Folder,
    readonly name: string
  ) {
    this.folded = fold(name)
  }

  get path(): string {
    return this.folder.pathOf(this.name)
  }
}
