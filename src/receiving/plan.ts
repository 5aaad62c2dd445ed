import type { Decisions, ReviewStatus } from '../api.js'
import { SelkieError } from '../base/errors.js'
import type { Slug, Uid } from '../base/ids.js'
import type { BundledSkill } from '../bundle/manifest.js'
import type { Opened } from '../bundle/open.js'
import { liveSkill } from '../editing/find.js'
import { refsOf } from '../namespace/linked.js'
import type { Namespace } from '../namespace/resolve.js'
import type { Content } from '../namespace/skill.js'
import { freeSlug, slugOf } from '../namespace/slug.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'
import { isUnrelated, type Standing } from './standing.js'

/** What becomes of one incoming skill. */
export interface Planned {
  readonly skill: BundledSkill
  readonly content: Content
  readonly standing: Standing
  readonly status: ReviewStatus | 'mine' | 'dropped'
  /** The slug that it has, gets, or is stood in for by. */
  readonly slug: Slug
  /** The skill of one's own that stands in for it from now on; undefined where none has to. */
  readonly standIn: StoredSkill | undefined
}

/**
 * What a bundle would do to the namespace under these decisions, skill by skill in the
 * bundle's order. Nothing is changed yet.
 *
 * @throws SelkieError E_DECISION_UNKNOWN, E_DECISION_TWICE, E_SLUG_FORM, E_SLUG_TAKEN,
 *   E_SLUG_UNKNOWN, E_RENAME_HERE, E_USE_MINE_HERE, E_DROP_NEEDED
 */
export function planImport(
  store: Store,
  opened: Opened,
  standings: ReadonlyMap<Uid, Standing>,
  decisions: Decisions
): Planned[] {
  refuseOddDecisions(opened, decisions)
  const { namespace } = store
  const renames = new Map(Object.entries(decisions.rename ?? {}))
  const mine = new Map(Object.entries(decisions.useMine ?? {}))
  const drop = new Set(decisions.drop)
  // What a person chose has its slug first; what is left is minted around it.
  const claimed = new Set<Slug>()
  for (const [incoming, typed] of renames) claimed.add(chosenSlug(namespace, claimed, incoming, typed))

  const planned = opened.manifest.skills.map((skill): Planned => {
    const standing = standings.get(skill.uid)!
    const { content } = opened.contents.get(skill.content)!
    const plan = { skill, content, standing, standIn: undefined }
    const incoming = skill.slug
    const local = standing.kind === 'new' ? undefined : standing.local
    if (drop.has(incoming)) return { ...plan, status: 'dropped', slug: local?.slug ?? incoming }
    const typedMine = mine.get(incoming)
    if (typedMine !== undefined)
      return { ...plan, status: 'mine', ...standInFor(store, skill, typedMine, standing) }
    const typed = renames.get(incoming)
    if (local) {
      if (typed !== undefined) throw new SelkieError('E_RENAME_HERE', { incoming, slug: local.slug })
      return { ...plan, status: standing.kind, slug: local.slug, standIn: strangersStandIn(standing) }
    }
    const slug =
      typed !== undefined ? slugOf(typed) : freeSlug(incoming, (s) => namespace.isTaken(s) || claimed.has(s))
    claimed.add(slug)
    return { ...plan, status: slug === incoming ? 'new' : 're-slugged', slug }
  })
  refuseNeededDrops(namespace, opened, planned)
  return planned
}

function refuseOddDecisions(opened: Opened, { rename = {}, useMine = {}, drop = [] }: Decisions): void {
  const names = new Set<string>(opened.manifest.skills.map(({ slug }) => slug))
  const decided = new Set<string>()
  for (const incoming of [...Object.keys(rename), ...Object.keys(useMine), ...drop]) {
    if (!names.has(incoming)) throw new SelkieError('E_DECISION_UNKNOWN', { incoming })
    if (decided.has(incoming)) throw new SelkieError('E_DECISION_TWICE', { incoming })
    decided.add(incoming)
  }
}

function chosenSlug(namespace: Namespace, claimed: ReadonlySet<Slug>, incoming: string, typed: string): Slug {
  const slug = slugOf(typed)
  const taken = namespace.resolve(slug)
  if (taken || claimed.has(slug))
    throw new SelkieError('E_SLUG_TAKEN', { slug, kind: taken?.kind ?? `name for “${incoming}”` })
  return slug
}

function standInFor(
  store: Store,
  skill: BundledSkill,
  typed: string,
  standing: Standing
): { slug: Slug; standIn: StoredSkill | undefined } {
  const incoming = skill.slug
  const chosen = liveSkill(store, typed)
  if (standing.kind === 'new') return { slug: chosen.slug, standIn: chosen }
  if (standing.local.uid !== chosen.uid) {
    throw new SelkieError('E_USE_MINE_HERE', { incoming, slug: standing.local.slug })
  }
  // Said once by a person, it goes for the versions that follow this one.
  const vouched = isUnrelated(standing) && chosen.uid !== skill.uid ? chosen : strangersStandIn(standing)
  return { slug: chosen.slug, standIn: vouched }
}

/** What is here under its own uid or an alias needs nothing to stand in for it. */
function strangersStandIn(standing: Standing): StoredSkill | undefined {
  return standing.kind !== 'new' && standing.stranger ? standing.local : undefined
}

/**
 * What is left out must not be mentioned by what comes in, unless it is here already. A
 * skill that has no more than its id isn’t it.
 */
function refuseNeededDrops(namespace: Namespace, { manifest }: Opened, planned: readonly Planned[]): void {
  const targets = new Map(manifest.aliases.map(({ from, to }) => [from, to]))
  const dropped = new Map(
    planned.filter(({ status }) => status === 'dropped').map((plan) => [plan.skill.uid, plan])
  )
  for (const { status, content, skill } of planned) {
    if (status === 'dropped' || status === 'mine' || status === 'same') continue
    for (const ref of refsOf(content.body)) {
      if ('tool' in ref) continue
      const needed = dropped.get(targets.get(ref.skill) ?? ref.skill)
      if (!needed) continue
      const isHere = namespace.isLive(ref.skill) || namespace.isLive(needed.skill.uid)
      if (!isHere || isUnrelated(needed.standing))
        throw new SelkieError('E_DROP_NEEDED', { incoming: needed.skill.slug, by: skill.slug })
    }
  }
}
