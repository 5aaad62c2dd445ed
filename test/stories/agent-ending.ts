import { settingsOf } from '../../src/editing/agent-settings.js'
import { noteRows } from '../../src/editing/notes.js'
import { profileRows } from '../../src/editing/profiles.js'
import type { Self } from '../../src/store/self.js'
import { NOTES } from './cast.js'
import { factsOf, latest, wasKnown, type Fact } from './facts.js'

/**
 * Every text of a note is there that nobody made another of: in a live note, unless that
 * very text was deleted. Whoever finds their text in another note is told.
 */
export async function wrongNotes({ store }: Self, facts: readonly Fact[]): Promise<string[]> {
  const broken: string[] = []
  const rows = await noteRows(store)
  const said = factsOf(facts, 'noted')
  const replaced = new Set(said.map(({ over }) => over))
  const deleted = new Set(factsOf(facts, 'unnoted').map(({ revision }) => revision))
  for (const { step, text, revision } of said) {
    if (replaced.has(revision)) continue
    const shown = rows.filter((row) => row.text === text)
    if (shown.length === 0) broken.push(`the note of step ${step} is lost`)
    else if (!deleted.has(revision) && shown.every((row) => row.deleted))
      broken.push(`the note of step ${step} is deleted, and nobody deleted that text`)
  }
  const written = new Set(said.map(({ revision }) => revision))
  // What was made of a text of nobody is in one of the first notes.
  const isFirst = (over: string | null): boolean => over === null || !written.has(over)
  const made = new Set(said.filter(({ over }) => isFirst(over)).map(({ note }) => note))
  for (const row of rows) {
    const name = `note ${row.id.slice(0, 8)}`
    if (!written.has(row.revision) && !NOTES.includes(row.text))
      broken.push(`${name}: nobody wrote what it shows`)
    if (replaced.has(row.revision)) broken.push(`${name}: another text took the place of what it shows`)
    if (row.deleted && !deleted.has(row.revision)) broken.push(`${name} is gone, and nobody deleted it`)
    const { notices } = store.memory
    const isTold = notices.has(`note-apart/${row.id}`) || notices.has(`note-kept/${row.id}`)
    if (written.has(row.revision) && !made.has(row.id) && !isTold)
      broken.push(`${name} is a note of its own, and nobody is told`)
  }
  return broken
}

/** What is set is what was said last. */
export function wrongSettings({ store }: Self, facts: readonly Fact[]): string[] {
  const broken: string[] = []
  const { instructions, blurbs } = settingsOf(store)
  const instructed = latest(factsOf(facts, 'instructed'))
  if (instructed.length > 0 && !instructed.some(({ text }) => text === instructions))
    broken.push('the instructions aren’t what was said last')
  const switched = factsOf(facts, 'switched')
  for (const name of new Set(switched.map(({ blurb }) => blurb))) {
    const said = latest(switched.filter(({ blurb }) => blurb === name))
    if (!said.some(({ value }) => value === blurbs.has(name))) broken.push(`${name} isn’t as was said last`)
  }
  return broken
}

/** What was bound last is bound, unless it was taken out or deleted by who knew of it; nothing else is. */
export function wrongProfiles({ store }: Self, facts: readonly Fact[]): string[] {
  const broken: string[] = []
  const { namespace } = store
  const rows = new Map(profileRows(store).map((row) => [row.id, row]))
  const bound = factsOf(facts, 'bound')
  for (const { id, name, bindings } of rows.values()) {
    const uids = bindings.map(({ uid }) => uid)
    if (new Set(uids).size !== uids.length) broken.push(`${name} binds a skill twice`)
    const isSaid = uids.every((uid) =>
      bound.some((fact) => fact.profile === id && namespace.uidOf(fact.uid) === uid)
    )
    if (!isSaid) broken.push(`${name} binds what nobody bound`)
  }
  for (const { profile, uid } of bound) {
    const about = [...bound, ...factsOf(facts, 'unbound')].filter(
      (fact) => fact.profile === profile && namespace.uidOf(fact.uid) === namespace.uidOf(uid)
    )
    const last = latest(about)
    const isDeleted = factsOf(facts, 'unprofiled').some(
      (fact) => fact.profile === profile && last.some((each) => wasKnown(each, fact))
    )
    if (isDeleted || last.some(({ kind }) => kind === 'unbound')) continue
    const binding = rows.get(profile)?.bindings.find((each) => each.uid === namespace.uidOf(uid))
    const isLast = last.some((fact) => fact.kind === 'bound' && toText(fact.to) === toText(binding?.to))
    if (!isLast) broken.push(`${rows.get(profile)?.name} doesn’t bind a skill as was said last`)
  }
  return broken
}

function toText(to: unknown): string {
  return JSON.stringify(to) ?? ''
}
