import type { ReviewStatus } from '../api.js'
import type { BundledSkill } from '../bundle/manifest.js'
import type { Opened } from '../bundle/open.js'
import type { Uid, VersionHash } from '../base/ids.js'
import { lineageOf } from '../editing/find.js'
import { twinsOf } from '../editing/twins.js'
import { versionHash } from '../namespace/version.js'
import type { StoredSkill } from '../store/rows.js'
import type { Self } from '../store/self.js'

/** How an incoming skill stands to what is here. */
export type Standing =
  /** Nothing here is it, or what was it is deleted. */
  | { readonly kind: 'new' }
  /** Here already. `stranger` where it is here under another uid, so that an alias is needed. */
  | { readonly kind: 'same'; readonly local: StoredSkill; readonly stranger: boolean }
  /** Here in an earlier, a changed, or an own form. `base` is the newest version that both have. */
  | {
      readonly kind: Extract<ReviewStatus, 'update' | 'diverged' | 'yours-edited-by-them'>
      readonly local: StoredSkill
      readonly base: VersionHash | undefined
    }

/** How every skill of a bundle stands to what is here. */
export async function standingsOf(self: Self, opened: Opened): Promise<Map<Uid, Standing>> {
  const standings = new Map<Uid, Standing>()
  const unknown: BundledSkill[] = []
  for (const skill of opened.manifest.skills) {
    const local = self.store.namespace.row(skill.uid) as StoredSkill | undefined
    if (!local || local.deleted) unknown.push(skill)
    else standings.set(skill.uid, await standingOfKnown(self, skill, local))
  }
  const strangers = unknown.map(({ uid, content }) => ({ uid, content: opened.contents.get(content)!.content }))
  const twins = await twinsOf(self.store, strangers)
  for (const { uid } of unknown) {
    const local = twins.get(uid)
    standings.set(uid, local ? { kind: 'same', local, stranger: true } : { kind: 'new' })
  }
  return standings
}

async function standingOfKnown(self: Self, skill: BundledSkill, local: StoredSkill): Promise<Standing> {
  const lineage = await lineageOf(self.store, local)
  const known = new Map(lineage.map(({ hash, version }) => [hash, version]))
  const mine = known.get(local.head)!.content
  const same: Standing = { kind: 'same', local, stranger: false }
  if (known.has(skill.head) || mine === skill.content) return same

  const base = skill.versions.map(versionHash).find((hash) => known.has(hash))
  const common = base && known.get(base)!.content
  if (common === skill.content) return same
  if (common !== mine) return { kind: 'diverged', local, base }
  const first = lineage.at(-1)!.version
  return { kind: first.author === self.identity ? 'yours-edited-by-them' : 'update', local, base }
}
