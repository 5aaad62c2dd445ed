import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Diagnostic } from '../api.js'
import { SelkieError, isSelkieError } from '../base/errors.js'
import { declaredOf } from '../folders/declared.js'
import { diagnostic } from '../folders/diagnostics.js'
import { findSkills, type FoundSkill } from '../folders/find.js'
import { readFolders } from '../folders/read.js'
import { merged } from './collisions.js'
import { createCompositeSource } from './composite.js'
import { skillDigest } from './digest.js'
import type {
  SkillListing,
  SkillPackage,
  SkillProblem,
  SkillSource,
  SourceOptions,
  Version
} from './source.js'
import { isVersion, summaryOf } from './versions.js'

export interface FolderSourceOptions {
  /** Folders of SKILL.md folders, or such themselves; of two skills of one name the first counts. */
  readonly roots: readonly string[]
}

/**
 * The skills of SKILL.md folders, read as leniently as an import reads them, anew each
 * time. A skill is called by its slug. A root that isn’t there, and whatever can’t be
 * taken, is a problem of the list. Links are never followed, but for a root itself. It
 * loads from where its last list has found each skill, so that a list decides which of
 * two counts.
 */
export function createFolderSource({ roots }: FolderSourceOptions): SkillSource {
  const sources = roots.map((root) => new FolderSource(resolve(root)))
  return sources.length === 1 ? sources[0]! : createCompositeSource(sources)
}

/** A skill as it is on the disk now. */
interface ReadSkill {
  readonly skill: SkillPackage
  readonly files: ReadonlyMap<string, Uint8Array>
}

class FolderSource implements SkillSource {
  readonly id: string
  readonly #root: string
  /** Where the last list found each name. */
  #places: ReadonlyMap<string, string> | undefined

  constructor(root: string) {
    this.#root = root
    this.id = `folder:${root}`
  }

  async list({ signal }: SourceOptions = {}): Promise<SkillListing> {
    const { found, problems } = await this.#find()
    const read = await inOrder(found, async (each) => {
      signal?.throwIfAborted()
      const { read, problems } = await this.#read(each)
      // Of all the files only their digest is kept.
      return { summary: read && summaryOf(read.skill), problems }
    })
    const skills = read.flatMap(({ summary }) => summary ?? [])
    problems.push(...read.flatMap(({ problems }) => problems))
    const listing = merged(skills, problems)
    this.#places = new Map(listing.skills.map(({ name, folder }) => [name, folder!]))
    return listing
  }

  async load(
    name: string,
    version: Version = 'latest',
    options: SourceOptions = {}
  ): Promise<SkillPackage | undefined> {
    const read = await this.#open(name, options)
    return read && isVersion(read.skill, version) ? read.skill : undefined
  }

  async read(
    { name, hash }: SkillPackage,
    path: string,
    options: SourceOptions = {}
  ): Promise<Uint8Array | undefined> {
    const read = await this.#open(name, options)
    return read?.skill.hash === hash ? read.files.get(path) : undefined
  }

  async #open(name: string, options: SourceOptions): Promise<ReadSkill | undefined> {
    options.signal?.throwIfAborted()
    if (!this.#places) await this.list(options)
    const location = this.#places?.get(name)
    if (location === undefined) return undefined
    const { read } = await this.#read({ location, folder: '.' })
    return read?.skill.name === name ? read : undefined
  }

  async #find(): Promise<{ found: readonly FoundSkill[]; problems: SkillProblem[] }> {
    try {
      const root = await realpath(this.#root)
      if (!(await stat(root)).isDirectory()) throw new SelkieError('E_FOLDER', { path: this.#root })
      const { found, diagnostics } = await findSkills(root)
      if (found.length === 0) diagnostics.push(diagnostic('D_NO_SKILL', { path: '.' }))
      return { found, problems: diagnostics.map((each) => this.#problem(each)) }
    } catch {
      const { code, message } = new SelkieError('E_FOLDER', { path: this.#root })
      return { found: [], problems: [{ code, message }] }
    }
  }

  async #read({
    location,
    folder
  }: Pick<FoundSkill, 'location' | 'folder'>): Promise<{ read?: ReadSkill; problems: SkillProblem[] }> {
    const { skills, diagnostics } = await readFolders([location]).catch((error: unknown) => {
      // Gone since it was found.
      if (isSelkieError(error, 'E_FOLDER')) return { skills: [], diagnostics: [] }
      throw error
    })
    // A folder that has become a link, or lost its SKILL.md, may lead to another’s.
    const incoming = skills.find((skill) => skill.location === location)
    const problems = diagnostics
      .filter(({ code }) => !OF_AN_EXPORT.has(code))
      .map((each) => this.#problem(each, folder, incoming?.slug))
    if (!incoming) return { problems }

    const { slug: name, summary: description, body, header, files } = incoming
    if (incoming.name !== name) {
      const called = diagnostic('D_SKILL_CALLED', { path: 'SKILL.md' }, { name: incoming.name, slug: name })
      problems.push(this.#problem(called, folder, name))
    }
    const content = { name, description, body, files, ...declaredOf(header, files) }
    const hash = skillDigest(content)
    const { hidden, tools } = content
    const references = files.map(({ path, bytes }) => ({ path, size: bytes.length }))
    const skill = { name, description, source: this.id, version: hash, hash, hidden, folder: location }
    return {
      read: {
        skill: { ...skill, body, references, tools },
        files: new Map(files.map(({ path, bytes }) => [path, bytes]))
      },
      problems
    }
  }

  #problem({ code, message, path }: Diagnostic, folder = '.', skill?: string): SkillProblem {
    const place = resolve(this.#root, folder, path ?? '.')
    return { code, message: `${place}: ${message}`, ...(skill === undefined ? {} : { skill }) }
  }
}

/** Skills that are read at once: a disk answers many questions in the time of one. */
const AT_ONCE = 8

async function inOrder<T, R>(items: readonly T[], each: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  const readers = Array.from({ length: AT_ONCE }, async () => {
    // All of them take from one iterator.
    for (const [i, item] of left) results[i] = await each(item)
  })
  await Promise.all(readers)
  return results
}

/** What an export would write otherwise: here everything is as it was written. */
const OF_AN_EXPORT: ReadonlySet<string> = new Set([
  'D_COMPATIBILITY_LONG',
  'D_DESCRIPTION_LONG',
  'D_FILE_NAME',
  'D_KEY_EMPTY',
  'D_KEY_TEXT',
  'D_KEY_UNKNOWN',
  'D_NAME',
  'D_TITLE',
  'D_TOOLS_LIST',
  'D_YAML_STYLE'
])
