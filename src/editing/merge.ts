import type { Conflict, MergeResult } from '../api.js'
import { SelkieError } from '../base/errors.js'
import type { VersionHash } from '../base/ids.js'
import type { Content } from '../namespace/skill.js'
import type { Version } from '../namespace/version.js'
import type { StoredSkill } from '../store/rows.js'
import { isoTime, type Self } from '../store/self.js'
import type { Store } from '../store/store.js'
import { ancestry, contentAt, contentHere, liveSkill, namedVersion } from './find.js'
import { authorName } from './history.js'
import { shownBody } from './present.js'
import { checked, filesAgreedTo, refuseInvisible, saveVersion } from './save.js'
import { threeWay, type Side } from './three-way.js'

/** The skills of which versions were made apart, and what stands beside the shown one. */
export async function conflictsOf(self: Self): Promise<Conflict[]> {
  const conflicts: Conflict[] = []
  for (const row of self.store.namespace.live()) {
    const beside: Conflict['beside'] = []
    for (const head of row.heads) {
      const version = head === row.head ? undefined : await self.store.view.get('version', head)
      if (!version) continue
      beside.push({ version: head, author: authorName(self, version.author), time: isoTime(version.time) })
    }
    if (beside.length > 0) conflicts.push({ slug: row.slug, uid: row.uid, shown: row.head, beside })
  }
  return conflicts
}

/**
 * Merges a version that stands beside the shown one into it. Without `save` nothing is
 * changed: the merge is offered. With it a clean merge becomes the next version; a body
 * that was merged by hand does so in any case, and of what else is in conflict the
 * shown version's stays.
 *
 * @param options.with the version, where more than one stands beside
 * @throws SelkieError E_SLUG_UNKNOWN, E_MERGE_NOTHING, E_MERGE_WHICH, E_VERSION_UNKNOWN,
 *   E_VERSION_AWAY, E_MERGE_CONFLICT, and what saving refuses
 */
export async function mergeSkill(
  self: Self,
  typed: string,
  options: { with?: string; save?: boolean; body?: string }
): Promise<MergeResult> {
  return self.store.turn(async () => {
    const { store } = self
    const row = liveSkill(store, typed)
    const theirs = await besideOf(store, row, options.with)
    const base = await commonVersion(store, row.head, theirs)
    const before = base && (await contentAt(store, base))
    const merged = threeWay(
      before && asSide(store, before),
      asSide(store, await contentHere(store, row, row.head)),
      asSide(store, await contentHere(store, row, theirs))
    )
    const body = options.body ?? merged.body
    const result = {
      slug: row.slug,
      uid: row.uid,
      shown: row.head,
      with: theirs,
      base: base ?? null,
      conflicts: [...merged.conflicts],
      title: merged.title,
      summary: merged.summary,
      body
    }
    if (!options.save && options.body === undefined) return { ...result, saved: null }
    if (merged.conflicts.length > 0 && options.body === undefined) {
      throw new SelkieError('E_MERGE_CONFLICT', { slug: row.slug, what: merged.conflicts.join(', ') })
    }
    const from = (await store.view.get('version', theirs))!
    const files = await filesAgreedTo(self, row, from, merged.files)
    const content = checked(store, { ...merged, files, body })
    refuseInvisible(self, row, from, content)
    const { version } = await saveVersion(self, {
      uid: row.uid,
      slug: row.slug,
      content,
      parents: [row.head, theirs],
      row
    })
    return { ...result, saved: version }
  })
}

async function besideOf(store: Store, row: StoredSkill, typed: string | undefined): Promise<VersionHash> {
  const beside = row.heads.filter((head) => head !== row.head)
  if (beside.length === 0) throw new SelkieError('E_MERGE_NOTHING', { slug: row.slug })
  if (typed !== undefined) return (await namedVersion(store, row, typed)).hash
  if (beside.length > 1) {
    throw new SelkieError('E_MERGE_WHICH', {
      slug: row.slug,
      versions: beside.map((hash) => hash.slice(0, 12)).join(', ')
    })
  }
  return beside[0]!
}

/** The newest version that both follow, or undefined where none is known. */
async function commonVersion(store: Store, a: VersionHash, b: VersionHash): Promise<VersionHash | undefined> {
  const find = (hash: VersionHash): Promise<Version | undefined> => store.view.get('version', hash)
  const past = new Set((await ancestry([a], find)).map(({ hash }) => hash))
  return (await ancestry([b], find)).find(({ hash }) => past.has(hash))?.hash
}

/** A content as it is merged, with the slugs of now. */
export function asSide(store: Store, content: Content): Side {
  const { title, summary, header, files } = content
  return { title, summary, header, files, body: shownBody(store, content) }
}
