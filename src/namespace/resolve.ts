import { closest } from './near.js'
import type { Slug, ToolName, Uid } from '../base/ids.js'
import type { Ref } from './linked.js'
import type { SkillRow } from './skill.js'
import { toolByName, toolBySlug, type Tool } from './tool.js'
import { toolsFrom } from './tools-from.js'

/** What a slug names: a skill or a tool. */
export type Resolved =
  { readonly kind: 'skill'; readonly skill: SkillRow } | { readonly kind: 'tool'; readonly tool: Tool }

/**
 * The names of one node, in memory: rows by uid and by slug, and the aliases by which
 * a skill of this node stands in for one that was received. It holds what the store's
 * view holds and is changed only by it.
 */
export class Namespace {
  readonly #rows = new Map<Uid, SkillRow>()
  readonly #bySlug = new Map<Slug, Uid>()
  readonly #aliases = new Map<Uid, Uid>()
  readonly #aliasesOf = new Map<Uid, Set<Uid>>()
  readonly #mentionedBy = new Map<Uid, Set<Uid>>()

  /** Forgets everything. */
  clear(): void {
    for (const map of [this.#rows, this.#bySlug, this.#aliases, this.#aliasesOf, this.#mentionedBy])
      map.clear()
  }

  /** Puts a row in the place of the one of its uid. */
  put(row: SkillRow): void {
    const before = this.#rows.get(row.uid)
    if (before) this.#unindex(before)
    this.#rows.set(row.uid, row)
    if (row.deleted) return
    this.#bySlug.set(row.slug, row.uid)
    for (const ref of row.refs) {
      if ('skill' in ref) getOrAdd(this.#mentionedBy, ref.skill).add(row.uid)
    }
  }

  /** Lets `alias` stand for the skill `uid` in every reference. */
  putAlias(alias: Uid, uid: Uid): void {
    this.#aliasesOf.get(this.uidOf(alias))?.delete(alias)
    this.#aliases.set(alias, uid)
    getOrAdd(this.#aliasesOf, uid).add(alias)
  }

  #unindex(row: SkillRow): void {
    if (this.#bySlug.get(row.slug) === row.uid) this.#bySlug.delete(row.slug)
    for (const ref of row.refs) {
      if ('skill' in ref) this.#mentionedBy.get(ref.skill)?.delete(row.uid)
    }
  }

  /** The row of a uid or of an alias, deleted ones too. */
  row(uid: Uid): SkillRow | undefined {
    return this.#rows.get(this.uidOf(uid))
  }

  /** The uid that a uid or an alias stands for. */
  uidOf(uid: Uid): Uid {
    return this.#aliases.get(uid) ?? uid
  }

  /** Whether a uid or an alias stands for a live skill. */
  isLive(uid: Uid): boolean {
    return this.row(uid)?.deleted === false
  }

  /** The aliases that stand for a skill. */
  aliasesOf(uid: Uid): Uid[] {
    return [...(this.#aliasesOf.get(uid) ?? [])]
  }

  /** The live skill or the tool of a slug, disabled skills too; undefined where there is none. */
  resolve(slug: Slug): Resolved | undefined {
    const tool = toolBySlug(slug)
    if (tool) return { kind: 'tool', tool }
    const uid = this.#bySlug.get(slug)
    return uid && { kind: 'skill', skill: this.#rows.get(uid)! }
  }

  /** The live skills in the order of their slugs. */
  live(): SkillRow[] {
    return [...this.#bySlug].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, uid]) => this.#rows.get(uid)!)
  }

  /** The live skills that are enabled and advertised, in the order of their slugs. */
  advertised(): SkillRow[] {
    const rows: SkillRow[] = []
    for (const row of this.#rows.values())
      if (row.advertised && row.enabled && !row.deleted && !this.#aliases.has(row.uid)) rows.push(row)
    return rows.sort((a, b) => (a.slug < b.slug ? -1 : 1))
  }

  /** Every row, deleted ones too, in no order. */
  all(): Iterable<SkillRow> {
    return this.#rows.values()
  }

  /**
   * The deleted skills in the order of their slugs, and of one slug in that of their uids.
   * What another stands in for doesn’t come back, so it isn’t among them.
   */
  deleted(): SkillRow[] {
    const rows = [...this.#rows.values()].filter(({ deleted, uid }) => deleted && !this.#aliases.has(uid))
    return rows.sort((a, b) => (a.slug === b.slug ? before(a.uid, b.uid) : before(a.slug, b.slug)))
  }

  /** The live skills that mention a skill, itself left out, in the order of their slugs. */
  mentionersOf(uid: Uid): SkillRow[] {
    const names = [uid, ...this.aliasesOf(uid)]
    const by = new Set(names.flatMap((name) => [...(this.#mentionedBy.get(name) ?? [])]))
    by.delete(uid)
    return [...by].map((mentioner) => this.#rows.get(mentioner)!).sort((a, b) => (a.slug < b.slug ? -1 : 1))
  }

  /** The slug that a reference shows: of a deleted skill, the last that it had. */
  slugOf(uid: Uid): Slug {
    const row = this.row(uid)
    if (!row) throw new TypeError(`no skill ${uid}`)
    return row.slug
  }

  /** The slugs of references, in their order. */
  slugsOf(refs: readonly Ref[]): Slug[] {
    return refs.map((ref) => ('skill' in ref ? this.slugOf(ref.skill) : toolByName(ref.tool)!.slug))
  }

  /** Up to three slugs of skills and tools that are spelt much like `slug`, nearest first. */
  near(slug: Slug): Slug[] {
    return closest(slug, this.#bySlug.keys())
  }

  /** What a slug stands for in a body, or undefined. */
  refOf(slug: Slug): Ref | undefined {
    const resolved = this.resolve(slug)
    if (!resolved) return undefined
    return resolved.kind === 'tool' ? { tool: resolved.tool.name } : { skill: resolved.skill.uid }
  }

  /** What slugs stand for, in their order; those that name nothing are left out. */
  refsOf(slugs: readonly Slug[]): Ref[] {
    return slugs.flatMap((slug) => this.refOf(slug) ?? [])
  }

  /** Whether a skill or a tool has the slug. */
  isTaken(slug: Slug): boolean {
    return this.#bySlug.has(slug) || toolBySlug(slug) !== undefined
  }

  /**
   * The tools to bind for a plan that names `handles`: tools as they are, enabled
   * skills by what they mention, recursively. In the order of first appearance, once
   * each. Handles that name nothing, and disabled skills, add nothing.
   */
  toolsForPlan(handles: readonly Slug[]): ToolName[] {
    return toolsFrom(this.refsOf(handles), (uid) => {
      const row = this.row(uid)
      return row?.enabled && !row.deleted ? row : undefined
    })
  }
}

function before(a: string, b: string): number {
  return a < b ? -1 : 1
}

function getOrAdd<K, V>(map: Map<K, Set<V>>, key: K): Set<V> {
  let set = map.get(key)
  if (!set) map.set(key, (set = new Set()))
  return set
}
