/** What a source lists: enough for a catalog, and no more. */
export interface SkillSummary {
  /** What the model calls it. */
  readonly name: string
  readonly description: string
  /** Which source it comes from: see {@link SkillSource.id}. */
  readonly source: string
  /** What this source calls its version; for a folder, the content hash. */
  readonly version: string
  /** BLAKE2b-256 over all that the skill says, lower-case hex: it changes when any of that does. */
  readonly hash: string
  /**
   * In a list: out of the catalog. Of a package: closed to the model too, until the person
   * has invoked it.
   */
  readonly hidden: boolean
  /** Where its files are, for whoever can open them; null where there is no such place. */
  readonly folder?: string | null
}

/** A file of a skill beside its text. */
export interface SkillReference {
  /** Relative to the skill, with `/`. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** A skill as a whole. */
export interface SkillPackage extends SkillSummary {
  /** Markdown, without its frontmatter. */
  readonly body: string
  readonly folder: string | null
  readonly references: readonly SkillReference[]
  /** Names of the tools that it declares. A declaration: it grants nothing. */
  readonly tools: readonly string[]
}

/** Something odd that a source has met; it has gone on. */
export interface SkillProblem {
  /** A code of ours, beginning with `D_` or `E_`. */
  readonly code: string
  readonly message: string
  readonly skill?: string
  /** Where two skills have one name: which of them counts. */
  readonly collision?: SkillCollision
}

/** Two skills of one name. */
export interface SkillCollision {
  readonly winner: SkillPlace
  readonly loser: SkillPlace
}

/** One of two that have one name: the same source may hold both. */
export type SkillPlace = Pick<SkillPackage, 'source' | 'version' | 'hash' | 'folder'>

/** The skills of a source, no two of one name, and what was odd. */
export interface SkillListing {
  readonly skills: readonly SkillSummary[]
  readonly problems: readonly SkillProblem[]
}

/** How a source is asked. */
export interface SourceOptions {
  readonly signal?: AbortSignal | undefined
}

/**
 * Which version is asked for: the newest, the one its owner has published, or that one.
 * Where a source knows no drafts, the newest is the published one.
 */
export type Version = 'latest' | 'published' | { readonly version: string }

/** Where skills come from. What it can’t reach at all it may reject with. */
export interface SkillSource {
  /** Names the source: `memory:…`, `folder:/path`, `namespace:<identity>`. */
  readonly id: string
  /** All that it has, anew on each call. */
  list(options?: SourceOptions): Promise<SkillListing>
  /** One skill; undefined where it has none of that name or not that version. */
  load(name: string, version?: Version, options?: SourceOptions): Promise<SkillPackage | undefined>
  /**
   * The bytes of a file of exactly that package. Undefined where the path isn’t one of its
   * references, or where what is there now is no longer of that hash.
   */
  read(skill: SkillPackage, path: string, options?: SourceOptions): Promise<Uint8Array | undefined>
  /** Told when something may have changed, until the signal aborts; absent where it can’t tell. */
  watch?(onChange: () => void, options: { readonly signal: AbortSignal }): void
}
