import t, { type Test } from 'tap'
import { conflictsOf } from '../../src/editing/merge.js'
import { listNotes } from '../../src/editing/notes.js'
import { listed } from '../../src/editing/present.js'
import { profileRows } from '../../src/editing/profiles.js'
import type { StoredSkill } from '../../src/store/rows.js'
import type { MemoryWorld } from './memory-world.js'
import { everyOrder, place } from './place.js'
import type { Step } from './story.js'
import type { Told } from './tell.js'

const { tell } = await place(t)

// In the beginning there are @pack, and @search that mentions it; steps pick them in this order.
const PACK = 0
const SEARCH = 1
// So are titles and slugs picked.
const [PLAN, PACK_TITLE, TRIP] = [0, 1, 2]
const ROUTE = 4
const nothing = { mentions: [], tool: false }

const create = (on: number, title: number): Step => ({ does: 'create', on, title, ...nothing })
const edit = (on: number, skill: number, paragraph: number, ...mentions: readonly number[]): Step => {
  return { does: 'edit', on, skill, paragraph, mentions, tool: false }
}
const rename = (on: number, skill: number, slug: number): Step => ({ does: 'rename', on, skill, slug })
const remove = (on: number, skill: number): Step => ({ does: 'delete', on, skill })
const card = (on: number, person: number, number = 0): Step => ({ does: 'card', on, person, number })
const receive = (on: number, bundle: number): Step => ({ does: 'receive', on, bundle })
const accept = (on: number, bundle = 0): Step => ({ does: 'accept', on, bundle, decide: 'all', skill: 0 })
const drop = (on: number, skill: number): Step => ({ does: 'accept', on, bundle: 0, decide: 'drop', skill })
const decline = (on: number): Step => ({ does: 'decline', on, bundle: 0 })
const meet: Step = { does: 'meet', on: 0, to: 1 }

/** Years by which the clocks of the devices are off. */
const APART = [0, -20, 40]

/** A story of two devices under the name of what went wrong or could; `after` looks at how it ends. */
function happens(
  name: string,
  steps: readonly Step[],
  after?: (t: Tap, world: MemoryWorld, told: Told) => unknown,
  clocks = APART
): void {
  t.test(name, async (t) => {
    for (const [order, story] of everyOrder(steps, clocks)) {
      await t.test(order, async (t) => {
        await t.resolves(tell(story, (world, told) => after?.(t, world, told)))
      })
    }
  })
}
type Tap = Test

/** The live skills at the end, each with what it mentions. */
function names(world: MemoryWorld): string {
  const { store } = world.self(0)
  const all = store.namespace.live().map((row) => listed(store, row as StoredSkill))
  return all.map(({ slug, mentions }) => [slug, ...mentions].join('>')).join(' ')
}

const apart = [edit(0, PACK, 0), edit(1, PACK, 2)]
happens('two edits made apart', apart, async (t, world) => {
  t.match(await conflictsOf(world.self(1)), [{ slug: 'pack', beside: [{ author: 'you' }] }])
})
happens('and merged', [...apart, meet, { does: 'merge', on: 1, skill: 0 }], async (t, world) => {
  t.same(await conflictsOf(world.self(0)), [])
})
happens('a rename here, a mention there', [rename(0, PACK, ROUTE), edit(1, SEARCH, 2, PACK)], (t, world) =>
  t.equal(names(world), 'route search>find-file>route')
)
happens(
  'a delete here, a mention there',
  [create(0, TRIP), meet, remove(0, 2), edit(1, PACK, 0, 2)],
  (t, world) => t.equal(names(world), 'pack>trip search>find-file>pack trip')
)
happens(
  'one slug for two, new and renamed',
  [create(0, TRIP), create(1, TRIP), rename(0, PACK, ROUTE), rename(1, SEARCH, ROUTE)],
  (t, world) => t.match(names(world), /^route\S* route-2\S* trip trip-2$/)
)
happens(
  'one bundle received and accepted on both',
  [receive(0, 0), receive(1, 0), accept(0), accept(1)],
  (t, world, { refusals }) => {
    t.equal(refusals.join(''), '')
    t.equal(names(world), 'pack pack-2>plan-it plan-it>current-date search>find-file>pack')
  }
)
happens(
  'what was declined there is declined here',
  [receive(0, 0), meet, decline(1), meet, accept(0)],
  (t, world, { refusals }) => {
    t.equal(refusals.at(-1), 'E_INBOX_DONE')
    t.match([...world.self(0).store.memory.inbox.values()], [{ state: 'declined' }])
  }
)

const renote = (on: number, note: number): Step => ({ does: 'renote', on, note, own: true })
const unnote = (on: number, note: number): Step => ({ does: 'unnote', on, note })
const bind = (on: number, skill: number): Step => ({ does: 'bind', on, profile: 0, skill, gives: 'latest' })
const live = async (world: MemoryWorld): Promise<string[]> =>
  (await listNotes(world.self(1), {})).map(({ text }) => text.replaceAll('\n', ' ')).sort()
happens('two texts of one note, and what is made of each', [
  renote(0, 0),
  renote(1, 0),
  renote(1, 0),
  meet,
  renote(0, 1)
])
happens('a note deleted here, edited there', [unnote(0, 0), renote(1, 0)], async (t, world) => {
  t.equal((await live(world)).length, 2)
  t.match([...world.self(0).store.memory.notices.values()], [{ kind: 'note-kept' }])
})
happens('a note deleted here and there, and back again', [
  unnote(0, 0),
  unnote(1, 0),
  meet,
  { does: 'backnote', on: 1, note: 0 },
  renote(0, 0)
])
happens(
  'a profile deleted here, used there',
  [bind(0, PACK), meet, { does: 'unprofile', on: 0, profile: 0 }, bind(1, SEARCH)],
  (t, world) => t.match(profileRows(world.self(0).store), [{ bindings: { length: 2 } }])
)

happens('an edit that mentions what a bundle brought was lost where another device had declined it', [
  receive(0, 0),
  meet,
  decline(1),
  accept(0),
  edit(0, PACK, 0, 2)
])
happens('an edit that mentions what a bundle brought was lost where another device had left it out', [
  receive(0, 1),
  meet,
  drop(1, 0),
  accept(0),
  edit(0, PACK, 0, 4)
])
happens(
  'a version stood beside the one that it follows, each from a bundle of its own',
  [receive(0, 0), accept(0), receive(1, 1), accept(1)],
  async (t, world) => t.same(await conflictsOf(world.self(0)), [])
)
happens('two contacts got one name', [card(0, 1), card(1, 2)])
happens('who was forgotten came back by showing another device a newer card', [
  { does: 'forget', on: 0, person: 1 },
  { does: 'renew', on: 1, person: 0, number: 1 }
])
happens(
  'bundles that came at one time were listed as each device had met them',
  [receive(0, 2), receive(1, 0)],
  undefined,
  [0, 0, 0]
)
happens('the second skill of a title was told as another device’s doing', [create(0, PLAN), create(0, PLAN)])
happens('a skill changed its name, and nobody was told', [create(0, PACK_TITLE), rename(1, PACK, PLAN)])
happens(
  'an accepted update went beside an edit of another device, and nobody was told',
  [receive(0, 3), edit(1, PACK, 0), accept(0)],
  (t, world) => t.match([...world.self(0).store.memory.notices.values()], [{ kind: 'diverged' }])
)
