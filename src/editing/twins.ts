import type { Uid } from '../base/ids.js'
import { refKey, refsOf } from '../namespace/linked.js'
import type { Content } from '../namespace/skill.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'
import { shownContent } from './find.js'

/** The skill that a uid stands for: one that is here, or, of what isn’t, itself. */
export type StandsFor = (uid: Uid) => Uid

/** A skill from elsewhere, and the skills here that it may be. */
interface Stranger {
  readonly uid: Uid
  readonly content: Content
  twins: { readonly row: StoredSkill; readonly content: Content }[]
}

/**
 * The live skills that strangers equal byte for byte, whatever their uids and slugs:
 * the same texts and files, and mentions that in turn stand for the same. Every pair
 * that could be equal is taken to be, and pairs whose mentions disagree are struck out
 * until none is left to strike: so rings of skills are found too. Where a stranger
 * equals several skills, it is the one that other strangers mention as it.
 *
 * @returns the skill that is here, by the stranger's uid
 */
export async function twinsOf(
  store: Store,
  strangers: readonly { readonly uid: Uid; readonly content: Content }[],
  standsFor: StandsFor = (uid) => store.namespace.uidOf(uid)
): Promise<Map<Uid, StoredSkill>> {
  const { namespace } = store
  const byTitle = new Map<string, StoredSkill[]>()
  for (const row of strangers.length > 0 ? namespace.live() : []) {
    byTitle.set(row.title, [...(byTitle.get(row.title) ?? []), row as StoredSkill])
  }
  const candidates = new Map<Uid, Stranger>()
  for (const { uid, content } of strangers) {
    const stranger: Stranger = { uid, content, twins: [] }
    for (const row of byTitle.get(content.title) ?? []) {
      const here = await shownContent(store, row)
      if (plain(here) === plain(content)) stranger.twins.push({ row, content: here })
    }
    if (stranger.twins.length > 0) candidates.set(uid, stranger)
  }
  strike(candidates, standsFor)
  // Those that mention others decide for the others: they come first.
  const deciding = [...candidates.values()].sort((a, b) => mentionCount(b.content) - mentionCount(a.content))
  for (const stranger of deciding) decide(candidates, standsFor, stranger)
  return new Map([...candidates].map(([uid, { twins }]) => [uid, twins[0]!.row]))
}

/** Whether two contents are the same, their mentions standing for the same skills. */
export function areAlike(a: Content, b: Content, standsFor: StandsFor): boolean {
  return plain(a) === plain(b) && mentionsAgree(a, b, (x, y) => standsFor(x) === standsFor(y))
}

/** Strikes out twins whose mentions can't stand for the same, until all that are left may. */
function strike(candidates: Map<Uid, Stranger>, standsFor: StandsFor): void {
  const mayBe = (theirs: Uid, here: Uid): boolean => {
    const uid = standsFor(here)
    const stranger = candidates.get(standsFor(theirs))
    return stranger ? stranger.twins.some(({ row }) => row.uid === uid) : standsFor(theirs) === uid
  }
  for (let struck = true; struck;) {
    struck = false
    for (const stranger of candidates.values()) {
      const left = stranger.twins.filter(({ content }) => mentionsAgree(stranger.content, content, mayBe))
      if (left.length === stranger.twins.length) continue
      struck = true
      stranger.twins = left
      if (left.length === 0) candidates.delete(stranger.uid)
    }
  }
}

/** Settles a stranger on its first twin, and what it mentions on what that one mentions. */
function decide(candidates: Map<Uid, Stranger>, standsFor: StandsFor, first: Stranger): void {
  const settled = new Map([[first, first.twins[0]]])
  // A map goes on iterating over what is added meanwhile.
  for (const [stranger, twin] of settled) {
    if (!twin) continue
    stranger.twins = [twin]
    mentionsAgree(stranger.content, twin.content, (theirs, here) => {
      const mentioned = candidates.get(standsFor(theirs))
      const uid = standsFor(here)
      if (mentioned && !settled.has(mentioned)) {
        settled.set(
          mentioned,
          mentioned.twins.find(({ row }) => row.uid === uid)
        )
      }
      return true
    })
  }
  strike(candidates, standsFor)
}

/** Whether each mention of a skill in `a` stands for the one in its place in `b`. Both have the same parts. */
function mentionsAgree(a: Content, b: Content, agree: (a: Uid, b: Uid) => boolean): boolean {
  return a.body.every((part, i) => {
    const other = b.body[i]!
    if (typeof part === 'string' || typeof other === 'string') return true
    return 'tool' in part || 'tool' in other || agree(part.skill, other.skill)
  })
}

/** A content as text that leaves open which skills its mentions stand for. */
function plain({ title, summary, header, files, body }: Content): string {
  return JSON.stringify([
    [title, summary, header],
    files.map(({ path, hash, exec }) => [path, hash, exec]),
    body.map((part) => (typeof part === 'string' ? [part] : 'tool' in part ? refKey(part) : 'skill'))
  ])
}

function mentionCount({ body }: Content): number {
  return refsOf(body).filter((ref) => 'skill' in ref).length
}
