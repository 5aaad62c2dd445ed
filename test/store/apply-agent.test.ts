import t, { type Test } from 'tap'
import type { Slug, Uid, VersionHash } from '../../src/base/ids.js'
import { encode } from '../../src/base/msgpack.js'
import { applyEntry } from '../../src/store/entry.js'
import { apartId, MAX_TEXT, revisionOf } from '../../src/store/note.js'
import { decodeOp, encodeOp, OPS_VERSION, type Op } from '../../src/store/ops.js'
import type { Binding, NoteRow } from '../../src/store/rows.js'
import { Table } from '../../src/store/table.js'
import { uidOf } from '../namespace/skills.js'
import { person } from '../vectors/people.js'
import { found, headOf, importOf, save } from './author.js'
import { MemoryCells } from './cells.js'
import { brokenIn } from './invariants.js'

const ana = person('Ana', 1)
const LOG = 'a'.repeat(64)
const NOTE = '1'.repeat(32)
const WORK = '2'.repeat(32)
const plan = uidOf(1)
const pack = uidOf(2)
const first = save(ana, { uid: plan, slug: 'plan' })
const other = save(ana, { uid: pack, slug: 'pack' })

/** Ana’s store with two skills, that takes entries of her device. */
class World {
  readonly cells = new MemoryCells()
  readonly view = new Table(this.cells)

  static async begin(): Promise<World> {
    const world = new World()
    await world.take(found(ana), first, other)
    return world
  }

  async take(...ops: readonly (Op | Uint8Array)[]): Promise<void> {
    for (const op of ops) {
      const bytes = op instanceof Uint8Array ? op : encodeOp(op)
      await applyEntry(this.view, { log: LOG, bytes }, LOG)
      const broken = await brokenIn(this.view)
      if (broken.length > 0) throw new Error(broken.join('; '))
    }
  }

  async refused(): Promise<number> {
    return (await this.view.get('device', ana.devices[0]!.signer.key))!.refused
  }

  /** The texts of the notes, the deleted ones in brackets. */
  async texts(): Promise<string> {
    const rows: NoteRow[] = []
    for await (const { row } of this.view.all('note')) rows.push(row)
    return rows
      .map(({ text, deleted }) => (deleted ? `(${text})` : text))
      .sort()
      .join(' ')
  }

  async notices(): Promise<string> {
    const names: string[] = []
    for await (const { row } of this.view.all('notice')) names.push(row.kind)
    return names.join(' ')
  }

  /** What the profile binds; undefined where it isn’t there. */
  async bound(): Promise<readonly Binding[] | undefined> {
    const row = await this.view.get('profile', WORK)
    return row && !row.deleted ? row.bindings : undefined
  }
}

type NoteOp = Extract<Op, { type: 'note' }>

function note(text: string, over: NoteOp | null = null, id = over?.id ?? NOTE): NoteOp {
  const revision = revisionOf(id, text, over?.revision ?? null)
  return { type: 'note', id, revision, text, over: over ? [over.revision] : [], time: 1_760_000_000 }
}
const remove = (over: NoteOp): Op => ({ type: 'note-delete', id: over.id, over: over.revision })
const profile: Op = { type: 'profile', profile: WORK, name: 'Work' }
const bind = (uid: Uid, to: Binding['to'] = 'latest'): Op => {
  return { type: 'bind', profile: WORK, name: 'Work', uid, to }
}
const unbind = (uid: Uid): Op => ({ type: 'unbind', profile: WORK, uid })
const drop = (...seen: readonly Binding[]): Op => ({ type: 'profile-delete', profile: WORK, seen })
const binding = (uid: Uid, to: Binding['to'] = 'latest'): Binding => ({ uid, to })

/** Every order of these ops, each on the world that `before` made. */
async function inEveryOrder(
  before: readonly Op[],
  ops: readonly Op[],
  after: (world: World) => Promise<unknown>
): Promise<void> {
  for (const order of ordersOf(ops)) {
    const world = await World.begin()
    await world.take(...before, ...order)
    await after(world)
  }
}

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, n) => ordersOf(items.toSpliced(n, 1)).map((rest) => [item, ...rest]))
}

/** That an op changes nothing, and isn’t refused. */
async function changesNothing(t: Test, world: World, op: Op, name: string): Promise<void> {
  const before = world.cells.dump()
  await world.take(op)
  t.ok(world.cells.dump() === before, name)
}

t.test('a note is added, edited, deleted and brought back', async (t) => {
  const world = await World.begin()
  const one = note('Milk.')
  const two = note('Milk and bread.', one)
  await world.take(one, two)
  t.equal(await world.texts(), 'Milk and bread.')
  await changesNothing(t, world, one, 'the first again')
  await changesNothing(t, world, two, 'the second again')
  await world.take(remove(two))
  t.equal(await world.texts(), '(Milk and bread.)')
  for (const op of [remove(two), one, two]) await changesNothing(t, world, op, 'deleted stays deleted')
  const back = note('Milk and bread.', two)
  await world.take(back)
  t.equal(await world.texts(), 'Milk and bread.')
  t.equal(await world.notices(), '', 'all of it was as the person had it')
  await world.take(remove(two))
  t.equal(await world.texts(), 'Milk and bread.', 'what was deleted then isn’t what is there now')
  await world.take(note('Nothing but milk.', back), note('x', null, '3'.repeat(32)))
  t.equal(await world.texts(), 'Nothing but milk. x')
  t.equal(await world.refused(), 0)
})

t.test(
  'two edits made apart are both there, whoever comes first, and so is what was made of them',
  async (t) => {
    const one = note('Milk.')
    const here = note('Milk, bread.', one)
    const there = note('Milk, eggs.', one)
    await inEveryOrder([one], [here, there], async (world) => {
      t.equal(await world.texts(), 'Milk, bread. Milk, eggs.')
      t.equal(await world.notices(), 'note-apart')
      await world.take(note('Milk, eggs, flour.', there))
      t.equal(await world.texts(), 'Milk, bread. Milk, eggs, flour.', 'it is found where it is')
      await world.take(remove(here))
      t.equal(await world.texts(), '(Milk, bread.) Milk, eggs, flour.')
      await changesNothing(t, world, there, 'one of them again')
    })
    await inEveryOrder([one], [here, { ...here, time: 7 }], async (world) => {
      t.equal(await world.texts(), 'Milk, bread.', 'the same edit twice is one')
      t.equal(await world.notices(), '')
    })
  }
)

t.test('an edit made elsewhere wins over a delete', async (t) => {
  const one = note('Milk.')
  const two = note('Milk, bread.', one)
  await inEveryOrder([one], [remove(one), two], async (world) => {
    t.equal(await world.texts(), 'Milk, bread.')
    t.equal(await world.notices(), 'note-kept')
  })
  const world = await World.begin()
  const apart = note('Milk, eggs.', one)
  await world.take(one, apart, remove(apart), two)
  t.equal(await world.texts(), '(Milk, eggs.) Milk, bread.', 'also where it was edited before it was deleted')
})

t.test('an id that is taken makes nobody’s text go', async (t) => {
  const world = await World.begin()
  const one = note('Milk.')
  const two = note('Bread.')
  await world.take(one, { ...note('In the way.'), id: apartId(NOTE, two.revision) }, two)
  t.equal(await world.texts(), 'Bread. In the way. Milk.')
})

t.test('an edit that names what came before it takes the place of all of that', async (t) => {
  const one = note('One.')
  const two = note('Two.', one)
  const three = { ...note('Three.', two), over: [two.revision, one.revision] }
  await inEveryOrder([one], [two, three], async (world) => {
    t.equal(await world.texts(), 'Three.')
    t.equal(await world.notices(), '')
  })
  const world = await World.begin()
  await world.take(two)
  t.equal(await world.texts(), 'Two.', 'what it began from needn’t be there')
})

t.test('of settings the last counts', async (t) => {
  const world = await World.begin()
  await world.take({ type: 'instructions', text: 'Be brief.' }, { type: 'instructions', text: 'Be kind.' })
  t.match(await world.view.get('setting', 'instructions'), { value: 'Be kind.' })
  await world.take({ type: 'instructions', text: null }, { type: 'blurb', blurb: 'date', on: true })
  t.match(await world.view.get('setting', 'instructions'), { value: null })
  t.match(await world.view.get('setting', 'blurb/date'), { value: true })
})

t.test('a profile binds each skill once', async (t) => {
  const world = await World.begin()
  await world.take(profile, bind(plan), bind(pack, 'published'), bind(plan, { version: headOf(first) }))
  t.same(await world.bound(), [binding(pack, 'published'), binding(plan, { version: headOf(first) })])
  await changesNothing(t, world, bind(pack, 'published'), 'the same again')
  await changesNothing(t, world, profile, 'made again')
  await changesNothing(t, world, bind(plan, { version: headOf(other) }), 'to a version of another skill')
  await changesNothing(t, world, bind(plan, { version: '0'.repeat(64) as VersionHash }), 'to no version')
  await world.take(unbind(plan))
  t.same(await world.bound(), [binding(pack, 'published')])
  await changesNothing(t, world, unbind(plan), 'taken out again')
  await world.take(drop(binding(pack, 'published')))
  t.same(await world.bound(), undefined)
  await world.take(profile)
  t.same(await world.bound(), [], 'one that is made again is empty')
  t.equal(await world.notices(), '')
  t.equal(await world.refused(), 0)
})

t.test('a binding made elsewhere wins over the delete of its profile', async (t) => {
  const seen = binding(plan)
  await inEveryOrder([profile, bind(plan)], [drop(seen), bind(pack)], async (world) => {
    t.same(await world.bound(), [seen, binding(pack)])
    t.equal(await world.notices(), 'profile-kept')
  })
  await inEveryOrder([profile, bind(plan)], [drop(seen), unbind(plan)], async (world) => {
    t.same(await world.bound(), undefined, 'taking one out is no use of it')
  })
  await inEveryOrder([], [profile, bind(plan)], async (world) => {
    t.same(await world.bound(), [seen], 'it needn’t be made before')
  })
})

t.test('a skill is bound under whatever it is called', async (t) => {
  const world = await World.begin()
  const seen = headOf(save(ana, { uid: uidOf(9), slug: 'x' }))
  const alias = importOf(ana, null, [], { op: { aliases: [{ from: uidOf(9), to: plan, seen }] } })
  await world.take(profile, bind(plan), alias, bind(uidOf(9), 'published'))
  t.same(await world.bound(), [binding(plan, 'published')])
  await world.take(unbind(uidOf(9)))
  t.same(await world.bound(), [])
  await world.take(bind(plan), { type: 'delete', uid: plan })
  t.match(await world.view.get('skill', plan), { deleted: true }, 'a binding keeps no skill')
  t.same(await world.bound(), [binding(plan)])
})

t.test('what isn’t well-formed changes nothing and is counted', async (t) => {
  const world = await World.begin()
  const good = note('Milk.')
  const fields = { v: 2, ...good }
  const long = 'é'.repeat(MAX_TEXT / 2 + 1)
  const odd: Record<string, Op | Uint8Array> = {
    'a note too long in bytes': note(long),
    'a note too long in letters': note('x'.repeat(MAX_TEXT + 1)),
    'a note of nothing': note(''),
    'a note with an id that is none': encode({ ...fields, id: 'note' }),
    'a note without a revision': encode({ ...fields, revision: undefined }),
    'a note with more to it': encode({ ...fields, granted: true }),
    'a note of the first version, which an older build would skip': encode({ ...fields, v: 1 }),
    'a note over a text': encode({ ...fields, over: 'x' }),
    'instructions too long': { type: 'instructions', text: long },
    'a blurb that there is none of': encode({ v: 2, type: 'blurb', blurb: 'memory', on: true }),
    'a setting that there is none of': encode({ v: 2, type: 'grant', kind: 'files', path: '/' }),
    'a profile without a name': encode({ v: 2, type: 'profile', profile: WORK, name: '' }),
    'a binding of a skill that never was': bind(uidOf(7)),
    'a binding to nothing that is': encode({ v: 2, ...bind(plan), to: 'newest' })
  }
  const before = world.cells.dump().replaceAll(/^device.*\n/gm, '')
  let refused = 0
  for (const [name, op] of Object.entries(odd)) {
    await world.take(op)
    t.equal(await world.refused(), ++refused, name)
    t.ok(world.cells.dump().replaceAll(/^device.*\n/gm, '') === before, `${name}: changes nothing`)
  }
  await world.take(note('x'.repeat(MAX_TEXT)))
  t.equal(await world.refused(), refused, 'at the limit it works')
})

t.test('an older build stops at what it doesn’t know, and reads all that it does', async (t) => {
  const version = (op: Op): unknown => (decodeOp(encodeOp(op)) as unknown as { v: number }).v
  t.equal(version({ type: 'rename', uid: plan, slug: 'x' as Slug }), 1)
  for (const op of [note('x'), remove(note('x')), profile, bind(plan), unbind(plan), drop()])
    t.equal(version(op), OPS_VERSION, op.type)
})
