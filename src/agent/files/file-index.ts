import { lstatSync, readdirSync, realpathSync, type Dirent, type Stats } from 'node:fs'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { systemWords } from '../../base/system.js'
import { isWithin } from '../granted.js'
import { FileEntry, Folder } from './folder.js'
import { Kind } from './read-text.js'
import { Texts } from './texts.js'
import { Watch } from './watch.js'

/** Files that an index takes, all granted folders together. */
export const MAX_FILES = 1_000_000
/** Changes that are remembered one by one. */
const MAX_CHANGES = 50_000
/** Milliseconds of work after which others get their turn. */
const TURN = 10
/** How a folder is looked at. */
interface Look {
  /** Whether it is watched from now on. */
  readonly watch: boolean
  /** Whether its files that are known may have changed. */
  readonly files: boolean
  /** Whether its folders that are known are looked at too, and all are watched anew. */
  readonly folders: boolean
}

/** As fast as can be: somebody waits for the first answer. */
const FIRST: Look = { watch: false, files: false, folders: false }
/** For what is there that wasn’t: nothing else can have changed. */
const NEW: Look = { watch: true, files: false, folders: false }
/** For a folder of which nothing was told. */
const UNTOLD: Look = { watch: true, files: true, folders: false }
/** Where nothing is known any more. */
const ALL: Look = { watch: true, files: true, folders: true }

/** Names of what changed in a folder, and whether each may be another now; '' is the folder itself. */
type Changes = Map<string, boolean>

/**
 * What is in granted folders: the names of all files, and the texts of those that have one.
 * They are walked at the first question, and once more when it is answered, to watch them;
 * from then on only that is looked at which the system says has changed, and that of which
 * it can’t say so. Links aren’t followed.
 *
 * What it can’t say is that a file was changed through a mapping into memory alone (mmap(2)).
 */
export class FileIndex {
  /** The granted folders that are there, by their paths. */
  readonly roots = new Map<string, Folder>()
  readonly texts: Texts
  /** Whether there are more files than an index takes. */
  isFull = false
  readonly #watch: Watch
  readonly #apart: ReadonlySet<string>
  readonly #changed = new Map<Folder, Changes>()
  #changes = 0
  /** Folders that aren’t watched. */
  readonly #untold = new Set<Folder>()
  /** Those folders that weren’t tried to be watched yet. */
  readonly #unwatched = new Set<Folder>()
  #count = 0

  /**
   * @param options.cookies see {@link Watch}
   * @param options.apart folders that aren’t entered, wherever they are
   * @param options.room bytes of text that are held
   */
  constructor(options: {
    readonly cookies: string | undefined
    readonly apart: readonly string[]
    readonly room?: number
  }) {
    this.#watch = new Watch(options.cookies)
    this.#apart = new Set(options.apart)
    this.texts = new Texts((entry) => this.#dropFile(entry), options.room)
  }

  /** Makes it say what is on the disk now, or later, in exactly these folders. */
  async refresh(roots: readonly string[]): Promise<void> {
    for (const [path, root] of this.roots) if (!roots.includes(path)) this.#drop(root)
    const isKnown = (await this.#watch.settle()) && this.#changes <= MAX_CHANGES && !this.isFull
    const changed = [...this.#changed]
    this.#changed.clear()
    this.#changes = 0
    this.isFull = false
    if (isKnown) {
      await this.#walk(this.#lookAgain(changed), NEW)
      await this.#walk(Array.from(this.#untold), UNTOLD)
      for (const entry of Array.from(this.texts.linked)) this.#lookAtFile(entry, looked(entry.path))
    }
    for (const path of roots) {
      const before = this.roots.get(path)
      const root = this.#root(path)
      if (root && root !== before) await this.#walk([root], FIRST)
      else if (root && !isKnown) await this.#walk([root], ALL)
    }
    await this.texts.finish()
  }

  /**
   * Gets ready for the next question: watches what isn’t watched yet, and reads once what
   * isn’t held, to know what need not be read again.
   *
   * @param goOn asked now and then whether nobody waits
   */
  async prepare(goOn: () => boolean): Promise<void> {
    await this.#walk(Array.from(this.#unwatched), UNTOLD, goOn)
    await this.texts.finish()
    await this.texts.digest(goOn)
  }

  /** The folder that is granted; undefined where it isn’t there, or something else is. */
  #root(path: string): Folder | undefined {
    const known = this.roots.get(path)
    const isApart = [...this.#apart].some((each) => isWithin(path, each))
    const stats = realPath(path) === path && !isApart ? looked(path) : undefined
    if (known && stats?.ino === known.inode && stats.dev === known.device) return known
    if (known) this.#drop(known)
    if (!stats?.isDirectory()) return undefined
    const root = new Folder(path)
    root.device = stats.dev
    root.inode = stats.ino
    this.roots.set(path, root)
    return root
  }

  /** Looks at what has changed; gives the folders that are to be looked at next. */
  #lookAgain(changed: readonly (readonly [Folder, Changes])[]): Folder[] {
    const walk: Folder[] = []
    for (const [folder, changes] of changed) {
      for (const [name, isOther] of changes) {
        if (folder.isGone) break
        if (name !== '') this.#lookAt(folder, name, isOther, walk)
        else if (!isOther) this.#look(folder, NEW, walk)
        else if (folder.parent) this.#lookAt(folder.parent, basename(folder.path), true, walk)
        else this.#drop(folder)
      }
    }
    return walk
  }

  async #walk(walk: Folder[], how: Look, goOn = (): boolean => true): Promise<void> {
    let since = performance.now()
    for (let folder = walk.pop(); folder && !this.isFull; folder = walk.pop()) {
      if (!folder.isGone) this.#look(folder, how, walk)
      if (performance.now() - since < TURN) continue
      this.texts.threads.pump()
      await setImmediate()
      if (!goOn()) return
      since = performance.now()
    }
  }

  /** Looks at what a folder holds; those to be looked at next are added to `walk`. */
  #look(folder: Folder, how: Look, walk: Folder[]): void {
    // Before anything is read, so that no change falls in between.
    if (how.watch) this.#follow(folder, how.folders)
    let found: Dirent[]
    try {
      found = readdirSync(folder.path, { withFileTypes: true })
    } catch (error) {
      if (!looked(folder.path)) return this.#drop(folder)
      this.#empty(folder)
      folder.problem = systemWords(error)
      this.#untold.add(folder)
      return
    }
    folder.problem = undefined
    if (!how.watch) this.#unwatched.add(folder)
    else if (!this.#isOurs(folder)) return this.#drop(folder)
    if (folder.unwatch) this.#untold.delete(folder)
    else this.#untold.add(folder)
    this.#forget(folder, found)
    for (const entry of found) {
      const { name } = entry
      const known = folder.files.get(name)
      if (entry.isDirectory()) this.#lookAtFolder(folder, name, how, walk)
      else if (entry.isFile() && !known) this.#read(folder, name)
      else if (known && how.files) this.#lookAtFile(known, looked(known.path))
    }
  }

  /** Watches a folder, where that can be; `anew` where what was told of it may be lost. */
  #follow(folder: Folder, anew: boolean): void {
    this.#unwatched.delete(folder)
    if (anew) this.#unwatch(folder)
    folder.unwatch ??= this.#watch.follow(folder.path, (name, isOther) => this.#note(folder, name, isOther))
  }

  /** Whether it isn’t a link by now: then what was found was another folder’s. */
  #isOurs(folder: Folder): boolean {
    const stats = looked(folder.path)
    if (!stats?.isDirectory()) return false
    if (!this.#watch.tells(stats.dev, folder.path)) this.#unwatch(folder)
    return true
  }

  /** Drops what isn’t among what was found. */
  #forget({ files, folders }: Folder, found: readonly Dirent[]): void {
    if (files.size === 0 && folders.size === 0) return
    const kinds = new Map(found.map((entry) => [entry.name, entry]))
    for (const entry of files.values()) if (!kinds.get(entry.name)?.isFile()) this.#dropFile(entry)
    for (const [name, each] of folders) if (!kinds.get(name)?.isDirectory()) this.#drop(each)
  }

  #lookAtFolder(folder: Folder, name: string, how: Look, walk: Folder[]): void {
    const known = folder.folders.get(name)
    if (known) return void (how.folders && walk.push(known))
    const path = folder.pathOf(name)
    if (this.#apart.has(path)) return
    const added = new Folder(path, folder)
    folder.folders.set(name, added)
    // Until it is looked at, nothing is known of it.
    this.#untold.add(added)
    this.#unwatched.add(added)
    walk.push(added)
  }

  /** Looks at one name in a folder, of which the system has told something. */
  #lookAt(folder: Folder, name: string, isOther: boolean, walk: Folder[]): void {
    const stats = looked(folder.pathOf(name))
    const known = folder.folders.get(name)
    if (known && (isOther || !stats?.isDirectory())) this.#drop(known)
    else if (known) this.#look(known, NEW, walk)
    if (stats?.isDirectory()) this.#lookAtFolder(folder, name, NEW, walk)
    if (stats?.isFile()) this.#read(folder, name)
    else this.#dropFile(folder.files.get(name))
  }

  #lookAtFile(entry: FileEntry, stats: Stats | undefined): void {
    if (!stats?.isFile()) this.#dropFile(entry)
    else if (!isAsRead(entry, stats)) this.#read(entry.folder, entry.name)
  }

  /** Reads a file soon. */
  #read(folder: Folder, name: string): void {
    let entry = folder.files.get(name)
    if (!entry) {
      if (this.#count === MAX_FILES) return void (this.isFull = true)
      this.#count++
      entry = new FileEntry(folder, name)
      folder.files.set(name, entry)
    }
    this.texts.read(entry)
  }

  #note(folder: Folder, name: string | null, isOther: boolean): void {
    if (this.#changes > MAX_CHANGES) return
    let changes = this.#changed.get(folder)
    if (!changes) this.#changed.set(folder, (changes = new Map<string, boolean>()))
    const note = (what: string): void => {
      if (!changes.has(what)) this.#changes++
      changes.set(what, isOther || changes.get(what) === true)
    }
    // What happens to the folder itself is told under its own name.
    if (name === null || name === basename(folder.path)) note('')
    if (name !== null) note(name)
  }

  #drop(folder: Folder): void {
    if (folder.isGone) return
    this.#empty(folder)
    this.#unwatch(folder)
    this.#untold.delete(folder)
    this.#unwatched.delete(folder)
    folder.isGone = true
    if (folder.parent) folder.parent.folders.delete(basename(folder.path))
    else this.roots.delete(folder.path)
  }

  #empty(folder: Folder): void {
    for (const entry of folder.files.values()) this.#dropFile(entry)
    for (const each of folder.folders.values()) this.#drop(each)
  }

  #dropFile(entry: FileEntry | undefined): void {
    if (!entry || entry.isGone) return
    entry.isGone = true
    entry.folder.files.delete(entry.name)
    this.#count--
    this.texts.drop(entry)
  }

  #unwatch(folder: Folder): void {
    folder.unwatch?.()
    folder.unwatch = undefined
  }
}

/** Whether what was read of a file must still be true. */
function isAsRead({ kind, read, isSettled }: FileEntry, stats: Stats): boolean {
  return (
    isSettled &&
    kind !== Kind.unreadable &&
    read.inode === stats.ino &&
    read.size === stats.size &&
    read.modified === stats.mtimeMs &&
    read.changed === stats.ctimeMs
  )
}

function looked(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
