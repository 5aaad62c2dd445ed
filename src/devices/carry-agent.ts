import type { Blurb } from '../agent-api.js'
import { MAX_OVER, type Op } from '../store/ops.js'
import type { Binding, NoteRow, ProfileRow, SettingName, SettingRow } from '../store/rows.js'
import type { Store } from '../store/store.js'

type NoteOp = Extract<Op, { type: 'note' }>

/** Brings notes, settings and profiles into the base that a store goes on with. */
export class AgentCarrier {
  readonly #from: Store
  readonly #to: Store
  readonly #say: (op: Op) => Promise<void>
  /** Revisions of notes that are on their way. */
  readonly #said = new Set<string>()

  /** @param say appends an op to the next base, in its turn */
  constructor(from: Store, to: Store, say: (op: Op) => Promise<void>) {
    this.#from = from
    this.#to = to
    this.#say = say
  }

  /** Says a text of a note again. What it was made of may be another’s, who isn’t there yet or stays behind. */
  async note(op: NoteOp): Promise<void> {
    const over = await this.#past(op.over)
    this.#said.add(op.revision)
    await this.#say({ ...op, over })
  }

  async noteDelete(op: Extract<Op, { type: 'note-delete' }>): Promise<void> {
    const known = await this.#from.view.get('revision', op.over)
    const row = known && (await this.#from.view.get('note', known.note))
    if (row?.revision === op.over) await this.#bring(row)
    await this.#say(op)
  }

  /** A note that a base was founded with. */
  async foundNote(row: NoteRow): Promise<void> {
    const known = await this.#to.view.get('revision', row.revision)
    if (!known) await this.#bring(row)
    if (!row.deleted) return
    const there = known && (await this.#to.view.get('note', known.note))
    if (!there || (there.revision === row.revision && !there.deleted))
      await this.#say({ type: 'note-delete', id: row.id, over: row.revision })
  }

  /** A setting that a base was founded with: which of two is the later, nobody can tell. */
  async foundSetting(name: SettingName, { value }: SettingRow): Promise<void> {
    if (this.#to.memory.settings.has(name)) return
    if (typeof value !== 'boolean') return this.#say({ type: 'instructions', text: value })
    const blurb = name.slice('blurb/'.length) as Blurb
    await this.#say({ type: 'blurb', blurb, on: value })
  }

  /** Makes a profile that a base was founded with; gives what isn’t bound in it there. */
  async foundProfile({ id, name, bindings, deleted }: ProfileRow): Promise<Binding[]> {
    const there = this.#to.memory.profiles.get(id)
    if (deleted) return []
    if (!there) await this.#say({ type: 'profile', profile: id, name })
    return bindings.filter(({ uid }) => !there?.bindings.some((each) => each.uid === uid))
  }

  async #bring({ id, revision, text, time }: NoteRow): Promise<void> {
    if (await this.#isThere(revision)) return
    const { over } = (await this.#from.view.get('revision', revision))!
    await this.note({ type: 'note', id, revision, text, over, time })
  }

  async #isThere(revision: string): Promise<boolean> {
    return this.#said.has(revision) || (await this.#to.view.get('revision', revision)) !== undefined
  }

  /** Revisions, and before those that aren’t there the ones that they took the place of. */
  async #past(revisions: readonly string[]): Promise<string[]> {
    const past = new Set(revisions)
    // A set goes on iterating over what is added meanwhile.
    for (const each of past) {
      if (await this.#isThere(each)) continue
      for (const earlier of (await this.#from.view.get('revision', each))?.over ?? []) past.add(earlier)
    }
    return [...past].slice(0, MAX_OVER)
  }
}
