import type { Uid } from '../base/ids.js'
import { refKey } from '../namespace/linked.js'
import type { Content } from '../namespace/skill.js'
import type { StoredSkill } from '../store/rows.js'
import type { Store } from '../store/store.js'
import { shownContent } from './find.js'

/** The skill that a uid stands for: one that is here, or, of what isn’t, itself. */
export type StandsFor = (uid: Uid) => Uid

/** A skill here that a stranger may be, and what its mentions stand for, in their order. */
interface Twin {
  readonly row: StoredSkill
  readonly mentions: readonly Uid[]
}

/** A skill from elsewhere, and the skills here that it may be, by their uids. */
interface Stranger {
  readonly uid: Uid
  readonly mentions: readonly Uid[]
  /** Shared by all that have the same text, until one is struck out. */
  twins: ReadonlyMap<Uid, Twin>
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
  const byText = new Map(strangers.map(({ content }) => [plain(content), new Map<Uid, Twin>()]))
  const titles = new Set(strangers.map(({ content }) => content.title))
  for (const row of strangers.length > 0 ? store.namespace.live() : []) {
    if (!titles.has(row.title)) continue
    const content = await shownContent(store, row as StoredSkill)
    const mentions = mentionsIn(content, standsFor)
    byText.get(plain(content))?.set(row.uid, { row: row as StoredSkill, mentions })
  }
  const pairing = new Pairing()
  for (const { uid, content } of strangers) {
    pairing.add({ uid, mentions: mentionsIn(content, standsFor), twins: byText.get(plain(content))! })
  }
  return pairing.settled()
}

/** Whether two contents are the same, their mentions standing for the same skills. */
export function areAlike(a: Content, b: Content, standsFor: StandsFor): boolean {
  if (plain(a) !== plain(b)) return false
  const theirs = mentionsIn(b, standsFor)
  return mentionsIn(a, standsFor).every((uid, i) => uid === theirs[i])
}

/** Strangers and their twins, until each stranger has one twin or none. */
class Pairing {
  readonly #strangers = new Map<Uid, Stranger>()
  readonly #mentioners = new Map<Uid, Set<Stranger>>()

  add(stranger: Stranger): void {
    if (stranger.twins.size === 0) return
    this.#strangers.set(stranger.uid, stranger)
    for (const uid of stranger.mentions) {
      const mentioners = this.#mentioners.get(uid)
      if (mentioners) mentioners.add(stranger)
      else this.#mentioners.set(uid, new Set([stranger]))
    }
  }

  /** Strikes out whatever disagrees and settles the rest. */
  settled(): Map<Uid, StoredSkill> {
    this.#strike(this.#mentionedFirst())
    const settled = new Set<Stranger>()
    // Those that mention others decide for the others: they come first.
    const deciding = [...this.#strangers.values()].sort((a, b) => b.mentions.length - a.mentions.length)
    for (const stranger of deciding) this.#decide(stranger, settled)
    return new Map([...this.#strangers].map(([uid, { twins }]) => [uid, first(twins)!.row]))
  }

  /** Strikes out twins whose mentions can’t stand for the same, and then looks at who mentions that stranger. */
  #strike(suspects: Set<Stranger>): void {
    for (const stranger of suspects) {
      // What is struck out later may bring it back.
      suspects.delete(stranger)
      const left = [...stranger.twins].filter(([, twin]) => this.#agree(stranger, twin))
      if (left.length === stranger.twins.size) continue
      stranger.twins = new Map(left)
      if (left.length === 0) this.#strangers.delete(stranger.uid)
      for (const mentioner of this.#mentionersOf(stranger)) suspects.add(mentioner)
    }
  }

  /** All strangers, as far as there are no rings each behind what it mentions: so a chain is struck out in one go. */
  #mentionedFirst(): Set<Stranger> {
    const ordered = new Set<Stranger>()
    const seen = new Set<Stranger>()
    for (const start of this.#strangers.values()) {
      const path = [start]
      for (let last = path.at(-1); last; last = path.at(-1)) {
        if (seen.has(last)) {
          path.pop()
          ordered.add(last)
          continue
        }
        seen.add(last)
        for (const uid of last.mentions) {
          const mentioned = this.#strangers.get(uid)
          if (mentioned && !seen.has(mentioned)) path.push(mentioned)
        }
      }
    }
    return ordered
  }

  /** Settles a stranger on its first twin, and what it mentions on what that one mentions. */
  #decide(stranger: Stranger, settled: Set<Stranger>): void {
    const suspects = new Set<Stranger>()
    const queue: [Stranger, Twin][] = []
    const settle = (each: Stranger, twin: Twin | undefined): void => {
      if (!twin || settled.has(each)) return
      settled.add(each)
      queue.push([each, twin])
      if (each.twins.size === 1) return
      each.twins = new Map([[twin.row.uid, twin]])
      for (const mentioner of this.#mentionersOf(each)) suspects.add(mentioner)
    }
    settle(stranger, first(stranger.twins))
    for (const [{ mentions }, twin] of queue) {
      for (const [i, uid] of mentions.entries()) {
        const mentioned = this.#strangers.get(uid)
        if (mentioned) settle(mentioned, mentioned.twins.get(twin.mentions[i]!))
      }
    }
    this.#strike(suspects)
  }

  #agree({ mentions }: Stranger, twin: Twin): boolean {
    return mentions.every((uid, i) => {
      const here = twin.mentions[i]!
      return this.#strangers.get(uid)?.twins.has(here) ?? uid === here
    })
  }

  #mentionersOf({ uid }: Stranger): Iterable<Stranger> {
    return this.#mentioners.get(uid) ?? []
  }
}

function first(twins: ReadonlyMap<Uid, Twin>): Twin | undefined {
  return twins.values().next().value
}

/** What the mentions of skills in a content stand for, in their order. */
function mentionsIn({ body }: Content, standsFor: StandsFor): Uid[] {
  return body.flatMap((part) => (typeof part !== 'string' && 'skill' in part ? [standsFor(part.skill)] : []))
}

/** A content as text that leaves open which skills its mentions stand for. */
function plain({ title, summary, header, files, body }: Content): string {
  return JSON.stringify([
    [title, summary, header],
    files.map(({ path, hash, exec }) => [path, hash, exec]),
    body.map((part) => (typeof part === 'string' ? [part] : 'tool' in part ? refKey(part) : 'skill'))
  ])
}
