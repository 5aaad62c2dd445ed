import type { Uid } from '../base/ids.js'
import { refKey } from '../namespace/linked.js'
import type { Content } from '../namespace/skill.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'
import { shownContent } from './find.js'

/**
 * The live skills that strangers equal byte for byte, whatever their uids and slugs:
 * the same texts and files, and mentions that in turn stand for the same. Every pair
 * that could be equal is taken to be, and pairs whose mentions disagree are struck out
 * until none is left to strike: so rings of skills are found too.
 *
 * @returns the skill that is here, by the stranger's uid
 */
export async function twinsOf(
  store: Store,
  strangers: readonly { readonly uid: Uid; readonly content: Content }[]
): Promise<Map<Uid, StoredSkill>> {
  const { namespace } = store
  const twins = new Map<Uid, { local: StoredSkill; here: Content; theirs: Content }>()
  const byTitle = new Map<string, StoredSkill[]>()
  for (const row of strangers.length > 0 ? namespace.live() : []) {
    byTitle.set(row.title, [...(byTitle.get(row.title) ?? []), row as StoredSkill])
  }
  for (const { uid, content: theirs } of strangers) {
    for (const local of byTitle.get(theirs.title) ?? []) {
      const here = await shownContent(store, local)
      if (sameButForSkills(here, theirs)) twins.set(uid, { local, here, theirs })
    }
  }
  const standsFor = (uid: Uid): Uid => twins.get(uid)?.local.uid ?? namespace.uidOf(uid)
  for (let struck = true; struck; ) {
    struck = false
    for (const [uid, { here, theirs }] of twins) {
      const agree = theirs.body.every((part, i) => {
        const other = here.body[i]!
        if (typeof part === 'string' || typeof other === 'string') return true
        return 'tool' in part || 'tool' in other || standsFor(part.skill) === namespace.uidOf(other.skill)
      })
      if (agree) continue
      twins.delete(uid)
      struck = true
    }
  }
  return new Map([...twins].map(([uid, { local }]) => [uid, local]))
}

/** Whether two contents are the same, leaving open which skills their mentions stand for. */
function sameButForSkills(a: Content, b: Content): boolean {
  const plain = ({ title, summary, header, files, body }: Content): string =>
    JSON.stringify([
      [title, summary, header],
      files.map(({ path, hash, exec }) => [path, hash, exec]),
      body.map((part) => (typeof part === 'string' ? [part] : 'tool' in part ? refKey(part) : 'skill'))
    ])
  return plain(a) === plain(b)
}
