import type { ReviewStatus } from '../api.js'
import type { BundledSkill } from '../bundle/manifest.js'
import type { Opened } from '../bundle/open.js'
import type { Uid, VersionHash } from '../base/ids.js'
import { ancestry, contentOfVersion, lineageOf } from '../editing/find.js'
import { areAlike, twinsOf, type StandsFor } from '../editing/twins.js'
import { versionHash } from '../namespace/version.js'
import type { StoredSkill } from '../store/rows.js'
import type { Self } from '../store/self.js'

/** How an incoming skill stands to what is here. */
export type Standing =
  /** Nothing here is it, or what was it is deleted. */
  | { readonly kind: 'new' }
  /** Here, as it is or in an earlier, a changed, or an own form. */
  | {
      readonly kind: Exclude<ReviewStatus, 'new' | 're-slugged'>
      readonly local: StoredSkill
      /** Whether it is here under another uid only, so that an alias is needed. */
      readonly stranger: boolean
      /** The newest version that both have; undefined where there is none, or no need of one. */
      readonly base: VersionHash | undefined
    }

/**
 * Whether what is here goes by the incoming skill’s id and shares no version with it. An
 * id is no secret: whoever knew it may have given it to a skill of theirs.
 */
export function isUnrelated(standing: Standing): boolean {
  return standing.kind === 'diverged' && standing.base === undefined
}

/** How every skill of a bundle stands to what is here. */
export async function standingsOf(self: Self, opened: Opened): Promise<Map<Uid, Standing>> {
  const standings = new Map<Uid, Standing>()
  const locals = new Map<Uid, StoredSkill>()
  const unknown: BundledSkill[] = []
  for (const skill of opened.manifest.skills) {
    const local = localOf(self, opened, skill)
    if (local) locals.set(skill.uid, local)
    else unknown.push(skill)
  }
  const standsFor = standsForHere(self, opened, locals)
  for (const skill of opened.manifest.skills) {
    const local = locals.get(skill.uid)
    if (local) standings.set(skill.uid, await standingOfKnown(self, opened, skill, local, standsFor))
  }
  const strangers = unknown.map(({ uid, content }) => ({
    uid,
    content: opened.contents.get(content)!.content
  }))
  const twins = await twinsOf(self.store, strangers, standsFor)
  for (const { uid } of unknown) {
    const local = twins.get(uid)
    standings.set(uid, local ? { kind: 'same', local, stranger: true, base: undefined } : { kind: 'new' })
  }
  return standings
}

/** The live skill here that has the incoming one’s uid, or that of a skill it stands in for at its sender’s. */
function localOf(
  { store: { namespace } }: Self,
  { manifest, versions }: Opened,
  skill: BundledSkill
): StoredSkill | undefined {
  const aliases = manifest.aliases.filter(({ to }) => to === skill.uid).map(({ from }) => from)
  const uid = [skill.uid, versions.get(skill.head)!.uid, ...aliases].find((name) => namespace.isLive(name))
  return uid && (namespace.row(uid) as StoredSkill)
}

/** The skill here, or else that of the bundle, which a uid of the bundle stands for. */
function standsForHere(
  { store: { namespace } }: Self,
  { manifest }: Opened,
  locals: ReadonlyMap<Uid, StoredSkill>
): StandsFor {
  const targets = new Map(manifest.aliases.map(({ from, to }) => [from, to]))
  return (uid) => {
    if (namespace.isLive(uid)) return namespace.uidOf(uid)
    const target = targets.get(uid) ?? uid
    return locals.get(target)?.uid ?? target
  }
}

async function standingOfKnown(
  { store, identity }: Self,
  opened: Opened,
  skill: BundledSkill,
  local: StoredSkill,
  standsFor: StandsFor
): Promise<Standing> {
  const stranger = !store.namespace.isLive(skill.uid)
  const lineage = await lineageOf(store, local)
  const known = new Map(lineage.map(({ hash, version }) => [hash, version]))
  const head = known.get(local.head)!
  const mine = await contentOfVersion(store, head)
  const theirs = opened.contents.get(skill.content)!.content
  if (known.has(skill.head) || (mine && areAlike(mine, theirs, standsFor))) {
    return { kind: 'same', local, stranger, base: undefined }
  }
  const base = skill.versions.map(versionHash).find((hash) => known.has(hash))
  if (!base) return { kind: 'diverged', local, stranger, base }
  const common = known.get(base)!
  if (common.content === skill.content) return { kind: 'same', local, stranger, base }
  const before = await contentOfVersion(store, common)
  const isMineUnchanged =
    common.content === head.content || (mine && before && areAlike(mine, before, standsFor))
  if (!isMineUnchanged) return { kind: 'diverged', local, stranger, base }
  const first = (await ancestry([base], async (hash) => known.get(hash))).at(-1)!.version
  return { kind: first.author === identity ? 'yours-edited-by-them' : 'update', local, stranger, base }
}
