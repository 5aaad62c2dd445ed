import type { Slug, Uid, VersionHash } from '../../src/base/ids.js'
import { ancestry, contentAt, lineageOf, shownContent } from '../../src/editing/find.js'
import { conflictsOf } from '../../src/editing/merge.js'
import { listNotes } from '../../src/editing/notes.js'
import { listed, shownBody, shownSkill } from '../../src/editing/present.js'
import { profilesShown } from '../../src/editing/profiles.js'
import { mentionsIn } from '../../src/namespace/mention.js'
import { slugsLike } from '../../src/namespace/slug.js'
import { contactRows } from '../../src/people/contacts.js'
import { listInbox } from '../../src/receiving/inbox.js'
import type { StoredSkill } from '../../src/store/rows.js'
import type { Self } from '../../src/store/self.js'
import { wrongNotes, wrongProfiles, wrongSettings } from './agent-ending.js'
import { factsOf, latest, wasKnown, type Fact } from './facts.js'
import type { World } from './world.js'

/** What doesn’t hold once all devices have everything; empty where all does. */
export async function brokenAtTheEnd(world: World, facts: readonly Fact[]): Promise<string[]> {
  const selves = Array.from({ length: world.devices }, (_, device) => world.self(device))
  const shown = await Promise.all(selves.map(shownOn))
  const apart = shown.flatMap((each, device) =>
    differences(shown[0]!, each).map((what) => `${what} on device ${device} is another`)
  )
  // Where all are the same, what holds on one holds on each.
  const self = selves[0]!
  return [
    ...(await world.apart()),
    ...apart,
    ...(await lostEdits(self, facts)),
    ...(await wrongTexts(self, facts)),
    ...(await wrongConflicts(self, facts)),
    ...wrongNames(self, facts),
    ...wrongNotices(self, facts),
    ...wrongLives(self, facts),
    ...(await wrongFlags(self, facts)),
    ...wrongPeople(self, facts),
    ...(await wrongInbox(self, facts)),
    ...(await wrongNotes(self, facts)),
    ...wrongSettings(self, facts),
    ...wrongProfiles(self, facts)
  ]
}

/** All that a person can see on a device, by what shows it. */
async function shownOn(self: Self): Promise<Record<string, string>> {
  const { store } = self
  const live = store.namespace.live() as StoredSkill[]
  const shows = live.map(async (row) => shownSkill(store, row, row.head, await shownContent(store, row)))
  return {
    list: JSON.stringify(live.map((row) => listed(store, row))),
    show: JSON.stringify(await Promise.all(shows)),
    conflicts: JSON.stringify(await conflictsOf(self)),
    contacts: JSON.stringify(
      contactRows(store).map((row) => ({ ...row, card: Buffer.from(row.card).toString('hex') }))
    ),
    inbox: JSON.stringify(listInbox(self)),
    notes: JSON.stringify([await listNotes(self, {}), await listNotes(self, { deleted: true })]),
    profiles: JSON.stringify(await profilesShown(self)),
    notices: JSON.stringify([...store.memory.notices].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

function differences(a: Record<string, string>, b: Record<string, string>): string[] {
  return Object.keys(a).filter((what) => a[what] !== b[what])
}

/** Whatever was saved is shown, stands beside what is shown, or is a past of either. */
async function lostEdits(self: Self, facts: readonly Fact[]): Promise<string[]> {
  const { namespace, view } = self.store
  const broken: string[] = []
  const lineages = new Map<Uid, Set<VersionHash>>()
  const isIn = async (row: StoredSkill, version: VersionHash): Promise<boolean> => {
    if (!lineages.has(row.uid)) {
      const lineage = await lineageOf(self.store, row)
      lineages.set(row.uid, new Set(lineage.map(({ hash }) => hash)))
      // What an import brought for another skill may come to be among its versions without being counted.
      const isPlain = factsOf(facts, 'accepted').length === 0
      if (isPlain && lineage.length !== row.versions)
        broken.push(`${row.slug} has ${lineage.length} versions and says ${row.versions}`)
    }
    return lineages.get(row.uid)!.has(version)
  }
  for (const fact of factsOf(facts, 'saved')) {
    const { step, uid, version } = fact
    // A tombstone that another came to stand in for keeps its own past.
    const rows = [namespace.row(uid) as StoredSkill | undefined, await view.get('skill', uid)]
    const found = await Promise.all(rows.map(async (row) => row !== undefined && isIn(row, version)))
    if (found.some(Boolean)) continue
    const counts = factsOf(facts, 'accepted').some((accept) => wasKnown(accept, fact))
    broken.push(`the edit of step ${step} is lost${counts ? ', that knew of an import' : ''}`)
  }
  return broken
}

/** Every text is as it was typed, but for its mentions: these show the slugs of now. */
async function wrongTexts({ store }: Self, facts: readonly Fact[]): Promise<string[]> {
  const broken: string[] = []
  for (const { step, version, text, meant } of factsOf(facts, 'saved')) {
    if (text === undefined || !meant) continue
    const content = await contentAt(store, version)
    // What is lost is told elsewhere.
    if (!content) continue
    let expected = ''
    let end = 0
    for (const { from, to, slug } of mentionsIn(text)) {
      const uid = meant.get(slug)
      expected += text.slice(end, from) + (uid ? `@${store.namespace.row(uid)?.slug}` : `@${slug}`)
      end = to
    }
    expected += text.slice(end)
    const shown = shownBody(store, content)
    if (shown !== expected) broken.push(`the text of step ${step} is shown as ${JSON.stringify(shown)}`)
  }
  return broken
}

/** `conflicts` names each version that stands beside a shown one, and none that it follows or is followed by. */
async function wrongConflicts(self: Self, facts: readonly Fact[]): Promise<string[]> {
  const broken: string[] = []
  const named = new Map((await conflictsOf(self)).map((conflict) => [conflict.uid as Uid, conflict]))
  for (const { uid, slug, head, heads } of self.store.namespace.live()) {
    const beside = named.get(uid)?.beside.map(({ version }) => version) ?? []
    if ([head, ...beside].sort().join() !== [...heads].sort().join())
      broken.push(`${slug}: a divergence isn’t named`)
    // Of a deleted one an older version may have come back from a contact.
    if (heads.length < 2 || factsOf(facts, 'deleted').some((fact) => fact.uid === uid)) continue
    for (const each of heads) {
      const past = await ancestry([each], (hash) => self.store.view.get('version', hash))
      if (past.slice(1).some(({ hash }) => heads.includes(hash)))
        broken.push(`${slug}: a version is beside its own past`)
    }
  }
  return broken
}

/** A skill is called what it was called last, or that with a number behind it. */
function wrongNames(self: Self, facts: readonly Fact[]): string[] {
  const broken: string[] = []
  const uids = new Set(factsOf(facts, 'named').map(({ uid }) => uid))
  for (const uid of uids) {
    const row = self.store.namespace.row(uid)
    // Another that stands in for it has a name of its own; a deleted one keeps its last.
    if (!row || row.uid !== uid || factsOf(facts, 'deleted').some((fact) => fact.uid === uid)) continue
    const names = latest(factsOf(facts, 'named').filter((fact) => fact.uid === uid))
    const fits = names.some(({ slug }) => isLike(row.slug, slug))
    if (!fits) broken.push(`${row.slug} was called ${names.map(({ slug }) => slug).join(' and ')}`)
  }
  return broken
}

/** A person hears of it when something isn’t as they were told, and only then. */
function wrongNotices({ store: { memory, namespace } }: Self, facts: readonly Fact[]): string[] {
  const broken: string[] = []
  const deleted = new Set(factsOf(facts, 'deleted').map(({ uid }) => uid))
  for (const row of namespace.live()) {
    if (deleted.has(row.uid)) continue
    const names = factsOf(facts, 'named').filter(({ uid }) => uid === row.uid)
    const [name, ...others] = latest(names)
    const notice = memory.notices.get(`slug/${row.uid}`)
    const isTold = notice !== undefined && notice.was !== row.slug
    // A folder asks for its own name, also where that is taken here.
    const isOne = name !== undefined && others.length === 0 && name.slug === name.got
    const isOther = isOne && name.got !== row.slug
    if (isOne && isTold !== isOther)
      broken.push(`${row.slug} was ${name.got}, and that is ${isTold ? 'a' : 'no'} notice`)
    const saved = latest(factsOf(facts, 'saved').filter(({ uid }) => uid === row.uid))
    const heads = new Set(saved.map(({ version }) => version).filter((head) => row.heads.includes(head)))
    const isNoticed = memory.notices.has(`diverged/${row.uid}`)
    if (heads.size > 1 && !isNoticed) broken.push(`${row.slug} was edited apart, and nobody is told`)
    const updated = factsOf(facts, 'accepted').flatMap(({ shown }) => shown.get(row.uid) ?? [])
    const isBeside = updated.some((version) => version !== row.head && row.heads.includes(version))
    if (isBeside && !isNoticed) broken.push(`${row.slug} was updated apart, and nobody is told`)
  }
  return broken
}

/** More skills of one name than a story can make. */
const MOST_ALIKE = 40

function isLike(slug: Slug, wanted: Slug): boolean {
  const likes = slugsLike(wanted)
  return Array.from({ length: MOST_ALIKE }, () => likes.next().value).includes(slug)
}

/** Nothing is gone that nobody deleted; what is mentioned or was worked on meanwhile lives. */
function wrongLives(self: Self, facts: readonly Fact[]): string[] {
  const broken: string[] = []
  const deletions = factsOf(facts, 'deleted')
  for (const row of self.store.namespace.all()) {
    if (self.store.namespace.uidOf(row.uid) !== row.uid) continue
    const deleted = deletions.filter(({ uid }) => uid === row.uid)
    if (!row.deleted) continue
    if (deleted.length === 0) broken.push(`${row.slug} is gone, and nobody deleted it`)
    // Whoever worked on it knew of no deletion, or brought it back.
    const worked = [...factsOf(facts, 'saved'), ...factsOf(facts, 'undeleted')].filter(
      ({ uid }) => uid === row.uid
    )
    for (const work of worked) {
      if (deleted.every((deletion) => wasKnown(deletion, work)))
        broken.push(`${row.slug} was worked on in step ${work.step} and is gone`)
    }
  }
  return broken
}

/** What is enabled, advertised and published is what was said last. */
async function wrongFlags(self: Self, facts: readonly Fact[]): Promise<string[]> {
  const { store } = self
  const broken: string[] = []
  const deleted = new Set(factsOf(facts, 'deleted').map(({ uid }) => uid))
  for (const row of store.namespace.live() as StoredSkill[]) {
    if (deleted.has(row.uid)) continue
    const lastOf = <K extends 'enabled' | 'advertised' | 'published'>(kind: K) =>
      latest(factsOf(facts, kind).filter(({ uid }) => uid === row.uid))
    for (const kind of ['enabled', 'advertised'] as const) {
      const said = lastOf(kind)
      if (said.length > 0 && !said.some(({ value }) => value === row[kind]))
        broken.push(`${row.slug} isn’t ${kind} as was said last`)
    }
    const published = lastOf('published').map(({ version }) => version)
    const here = await Promise.all(published.map((version) => store.view.get('version', version)))
    // What is lost is told elsewhere; what came in a bundle may have been turned away on another device.
    if (here.some((version) => version?.author !== self.identity)) continue
    const isSaid = row.published === null ? published.length === 0 : published.includes(row.published)
    if (!isSaid) broken.push(`${row.slug} isn’t published as was said last`)
  }
  return broken
}

/**
 * Who was forgotten stays so, unless somebody took their card in who didn’t know, or later.
 * A card that is older than another counts for nothing.
 */
function wrongPeople(self: Self, facts: readonly Fact[]): string[] {
  const broken: string[] = []
  const rows = contactRows(self.store)
  const names = rows.map(({ name }) => name.toLowerCase())
  if (new Set(names).size !== names.length) broken.push(`two contacts have one name: ${names.join()}`)
  const isContact = new Set(rows.map(({ identity }) => identity))
  const cards = [...factsOf(facts, 'added'), ...factsOf(facts, 'renewed')]
  const about = [...factsOf(facts, 'added'), ...factsOf(facts, 'forgot')]
  for (const identity of new Set(about.map((fact) => fact.identity))) {
    const newest = Math.max(...cards.filter((card) => card.identity === identity).map(({ number }) => number))
    const last = latest(about.filter((fact) => fact.identity === identity))
    const mayBe = last.some(({ kind }) => kind === 'added')
    const mustBe = last.every((fact) => fact.kind === 'added' && fact.number === newest)
    if (!mayBe && isContact.has(identity)) broken.push('who was forgotten is a contact again')
    if (mustBe && !isContact.has(identity)) broken.push('who was made a contact isn’t one')
  }
  for (const row of rows) {
    const said = latest([
      ...factsOf(facts, 'verified').filter(({ identity }) => identity === row.identity),
      ...factsOf(facts, 'forgot').filter(({ identity }) => identity === row.identity)
    ])
    if (row.verified && !said.some((fact) => fact.kind === 'verified' && fact.value))
      broken.push(`${row.name} is verified`)
  }
  return broken
}

/** What arrived is there; what was accepted or declined is what was said of it. */
async function wrongInbox({ store }: Self, facts: readonly Fact[]): Promise<string[]> {
  const broken: string[] = []
  const accepts = factsOf(facts, 'accepted')
  for (const id of new Set(factsOf(facts, 'received').map((fact) => fact.id))) {
    const state = store.memory.inbox.get(id)?.state
    const accepted = accepts.filter((fact) => fact.id === id)
    const declined = factsOf(facts, 'declined').filter((fact) => fact.id === id)
    const may = [...(accepted.length > 0 ? ['imported'] : []), ...(declined.length > 0 ? ['declined'] : [])]
    if (may.length === 0) may.push('waiting')
    if (!state || !may.includes(state)) broken.push(`a bundle is ${state} that may be ${may.join(' or ')}`)
    // What only it brings comes with it, or not at all.
    const others = new Set(accepts.filter((fact) => fact.id !== id).flatMap(({ brought }) => brought))
    const brought = accepted.flatMap((fact) => fact.brought).filter((version) => !others.has(version))
    const here = await Promise.all(brought.map((version) => store.view.get('version', version)))
    if (state === 'declined' && here.some(Boolean)) broken.push('what was declined was imported')
  }
  return broken
}
