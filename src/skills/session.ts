import type { Slug } from '../base/ids.js'
import { closest } from '../namespace/near.js'
import { MAX_TOLD, refusal, type SkillIdentity, type SkillRefusal } from './results.js'
import type { SkillListing, SkillPackage, SkillProblem, SkillSource, SourceOptions } from './source.js'

/** What changed in the sources since they were last asked. */
export interface Refreshed {
  /** Another content, another source, or hidden where it wasn’t. */
  readonly changed: readonly { readonly from: SkillIdentity; readonly to: SkillIdentity }[]
  readonly deleted: readonly SkillIdentity[]
  readonly added: readonly SkillIdentity[]
  readonly problems: readonly SkillProblem[]
}

/** Who wants a skill: what is hidden is closed to the model until the person has invoked it. */
export type Asker = 'model' | 'person'

/** A skill as it was taken, and the version that was loaded before it. */
export interface Taken {
  readonly ok: true
  readonly skill: SkillPackage
  readonly before: SkillIdentity | undefined
}

interface Known extends SkillIdentity {
  readonly hidden?: boolean
}

/**
 * Which version of each skill a conversation goes by: the one that was there when the
 * source was asked, or that is restored. Only a refresh moves it on.
 */
export class Session {
  readonly #source: SkillSource
  #listing: SkillListing | undefined
  /** What the next loading gives. */
  #known = new Map<string, Known>()
  /** What the model has read, and what further pages and files are of. */
  readonly #loaded = new Map<string, SkillIdentity>()

  constructor(source: SkillSource) {
    this.#source = source
  }

  /** What there is: asked once. */
  async listing(options: SourceOptions = {}): Promise<SkillListing> {
    if (!this.#listing) {
      const listing = await this.#source.list(options)
      // Of two that asked at once the first counts.
      if (!this.#listing) this.#adopt(listing, this.#loaded)
    }
    return this.#listing!
  }

  loaded(): SkillIdentity[] {
    return [...this.#loaded.values()]
  }

  /** From now on that version counts, whether it is there or not. */
  restore(record: SkillIdentity): void {
    this.#loaded.set(record.name, record)
    this.#known.set(record.name, record)
  }

  /**
   * A skill in the version that counts.
   *
   * @param first whether its beginning is wanted; all else is of what was read before
   */
  async take(
    asked: string,
    { first, by }: { readonly first: boolean; readonly by: Asker },
    options: SourceOptions = {}
  ): Promise<Taken | SkillRefusal> {
    await this.listing(options)
    const name = this.#known.has(asked) || this.#loaded.has(asked) ? asked : asked.replace(/^@/, '')
    const before = this.#loaded.get(name)
    const known = this.#known.get(name)
    if (first && !known && before) return refusal('E_SKILL_GONE', { name })
    const wanted = first ? known : (before ?? known)
    if (!wanted) return this.#unknown(name)

    const skill = await this.#source.load(name, { version: wanted.version }, options)
    if (skill?.hash !== wanted.hash) {
      const now = await this.#source.load(name, 'latest', options)
      return refusal(now ? 'E_SKILL_CHANGED' : 'E_SKILL_GONE', { name })
    }
    if (skill.hidden && by === 'model' && !before) return this.#unknown(name)
    return { ok: true, skill, before }
  }

  /** Keeps that the model was given it. */
  note({ skill }: Taken): SkillIdentity {
    const identity = identityOf(skill)
    this.#loaded.set(skill.name, identity)
    return identity
  }

  /** The bytes of a file of a skill that was taken. */
  async read(skill: SkillPackage, path: string, options: SourceOptions): Promise<Uint8Array | SkillRefusal> {
    const bytes = await this.#source.read(skill, path, options)
    return bytes ?? refusal('E_SKILL_CHANGED', { name: skill.name })
  }

  async refresh(options: SourceOptions = {}): Promise<Refreshed> {
    await this.listing(options)
    const before = this.#known
    const listing = await this.#source.list(options)
    this.#adopt(listing)
    const changed: { from: SkillIdentity; to: SkillIdentity }[] = []
    const added: SkillIdentity[] = []
    for (const skill of listing.skills) {
      const from = before.get(skill.name)
      if (!from) added.push(identityOf(skill))
      else if (differs(from, skill)) changed.push({ from: identityOf(from), to: identityOf(skill) })
    }
    const deleted = [...before.values()].filter(({ name }) => !this.#known.has(name)).map(identityOf)
    return { changed, deleted, added, problems: listing.problems }
  }

  #adopt(listing: SkillListing, restored: ReadonlyMap<string, SkillIdentity> = new Map()): void {
    this.#listing = listing
    this.#known = new Map<string, Known>([
      ...listing.skills.map((skill): [string, Known] => [skill.name, skill]),
      ...restored
    ])
  }

  #unknown(asked: string): SkillRefusal {
    const name = asked.slice(0, MAX_TOLD)
    const open = new Set(this.#listing!.skills.filter(({ hidden }) => !hidden).map((skill) => skill.name))
    const near = closest(name as Slug, open as Set<Slug>).filter((each) => open.has(each))
    const said = near.length > 0 ? `Did you mean ${near.map((each) => `“${each}”`).join(' or ')}? ` : ''
    return refusal('E_SKILL_UNKNOWN', { name, near: said })
  }
}

function differs(from: Known, { hash, source, hidden }: Known): boolean {
  return from.hash !== hash || from.source !== source || (from.hidden ?? hidden) !== hidden
}

function identityOf({ name, source, version, hash }: SkillIdentity): SkillIdentity {
  return { name, source, version, hash }
}
