import { readFile, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SelkieError } from '../base/errors.js'
import type { GrantKind, GrantsShown } from '../agent-api.js'
import { replaceFile } from '../base/replace-file.js'
import { flag, list, object, shape, text } from '../base/schema.js'

/** Paths of one kind, and characters of one. */
const MAX_PATHS = 256
const MAX_LENGTH = 4096

interface Granted {
  files: string[]
  calendars: string[]
  notebook: boolean
  memory: boolean
}

const paths = list(text(MAX_LENGTH, 1), MAX_PATHS)
const isGranted = shape<Granted>(object({ files: paths, calendars: paths, notebook: flag, memory: flag }))

const NOTHING: Granted = { files: [], calendars: [], notebook: false, memory: false }

/**
 * What the tools may see on this device, in a file of its home. Only the person's own
 * verbs change it: nothing that another device, a skill, a plan or a model says does.
 */
export class Grants {
  readonly #path: string
  #granted: Granted
  #changing: Promise<unknown> = Promise.resolve()

  private constructor(path: string, granted: Granted) {
    this.#path = path
    this.#granted = granted
  }

  /**
   * The grants of a home: none where no file is.
   *
   * @param failed told E_GRANTS_DAMAGED where the file isn't one of ours. Then nothing is
   *   granted: whoever changed it may have meant less than it said before
   */
  static async open(home: string, failed: (error: unknown) => void): Promise<Grants> {
    const path = join(home, 'grants.json')
    let granted: unknown
    try {
      granted = JSON.parse(await readFile(path, 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') granted = NOTHING
    }
    if (isGranted(granted)) return new Grants(path, granted)
    failed(new SelkieError('E_GRANTS_DAMAGED', { path }))
    return new Grants(path, NOTHING)
  }

  /** Folders that find_file may search: absolute, links resolved when they were granted. */
  get files(): readonly string[] {
    return this.#granted.files
  }

  /** `.ics` files, and folders of such, likewise. */
  get calendars(): readonly string[] {
    return this.#granted.calendars
  }

  /** Whether anything of a kind is granted. */
  has(kind: GrantKind): boolean {
    const { files, calendars, notebook, memory } = this.#granted
    return { files: files.length > 0, calendar: calendars.length > 0, notebook, memory }[kind]
  }

  /**
   * For a tool that is about to run.
   *
   * @throws SelkieError E_NOT_GRANTED
   */
  require(kind: GrantKind): void {
    if (!this.has(kind))
      throw new SelkieError('E_NOT_GRANTED', { kind, what: WHAT[kind], given: GIVEN[kind] })
  }

  async shown(): Promise<GrantsShown> {
    const { files, calendars, notebook, memory } = this.#granted
    return { files: await looked(files), calendars: await looked(calendars), notebook, memory }
  }

  /**
   * Grants a kind; of files and calendars, one path.
   *
   * @throws SelkieError E_GRANT_PATH where there is nothing of that kind, E_GRANT_MANY
   */
  async grant(kind: GrantKind, path?: string): Promise<void> {
    if (kind === 'notebook' || kind === 'memory') return this.#change((now) => ({ ...now, [kind]: true }))
    const real = await grantable(kind, path!)
    const key = kind === 'files' ? 'files' : 'calendars'
    await this.#change((now) => {
      if (now[key].includes(real)) return now
      if (now[key].length === MAX_PATHS) throw new SelkieError('E_GRANT_MANY', { limit: MAX_PATHS })
      return { ...now, [key]: [...now[key], real].sort() }
    })
  }

  /**
   * Takes a grant back; of files and calendars, that of one path, or of all.
   *
   * @throws SelkieError E_GRANT_UNKNOWN where that path isn't granted
   */
  async revoke(kind: GrantKind, path?: string): Promise<void> {
    if (kind === 'notebook' || kind === 'memory') return this.#change((now) => ({ ...now, [kind]: false }))
    const key = kind === 'files' ? 'files' : 'calendars'
    // What is gone from the disk can be revoked all the same, by the path that is shown.
    const real = path === undefined ? undefined : await realpath(path).catch(() => path)
    await this.#change((now) => {
      if (real === undefined) return { ...now, [key]: [] }
      const left = now[key].filter((each) => each !== real && each !== path)
      if (left.length === now[key].length) throw new SelkieError('E_GRANT_UNKNOWN', { path: path! })
      return { ...now, [key]: left }
    })
  }

  /** One change after the other. */
  async #change(changed: (now: Granted) => Granted): Promise<void> {
    const mine = this.#changing.then(() => this.#write(changed(this.#granted)))
    this.#changing = mine.catch(() => {})
    return mine
  }

  /** The file comes first: what couldn't be written isn't granted. */
  async #write(granted: Granted): Promise<void> {
    await replaceFile(this.#path, `${JSON.stringify(granted, null, 2)}\n`)
    this.#granted = granted
  }
}

const WHAT: Record<GrantKind, string> = {
  files: 'no folder',
  calendar: 'no calendar',
  notebook: 'not the notebook',
  memory: 'not the memory'
}

/** What stands after `selkie grant` for that. */
const GIVEN: Record<GrantKind, string> = {
  files: 'files DIR',
  calendar: 'calendar PATH',
  notebook: 'notebook',
  memory: 'memory'
}

async function grantable(kind: 'files' | 'calendar', path: string): Promise<string> {
  try {
    const real = await realpath(path)
    const stats = await stat(real)
    if (stats.isDirectory() || (kind === 'calendar' && stats.isFile() && /\.ics$/i.test(real))) return real
  } catch (cause) {
    throw new SelkieError('E_GRANT_PATH', { path, kind }, { cause })
  }
  throw new SelkieError('E_GRANT_PATH', { path, kind })
}

function looked(paths: readonly string[]): Promise<{ path: string; there: boolean }[]> {
  return Promise.all(
    paths.map(async (path) => ({
      path,
      there: await stat(path).then(
        () => true,
        () => false
      )
    }))
  )
}
