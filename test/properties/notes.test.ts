import fc from 'fast-check'
import t from 'tap'
import { AgentCarrier } from '../../src/devices/carry-agent.js'
import { applyOp } from '../../src/store/apply.js'
import { revisionOf } from '../../src/store/note.js'
import { decodeOp, encodeOp, type Op } from '../../src/store/ops.js'
import type { NoteRow } from '../../src/store/rows.js'
import type { Store } from '../../src/store/store.js'
import { Table } from '../../src/store/table.js'
import { found } from '../store/author.js'
import { MemoryCells } from '../store/cells.js'
import { brokenIn } from '../store/invariants.js'
import { person } from '../vectors/people.js'

const ana = person('Ana', 1)
const NOTES = 3
const idOf = (n: number): string => n.toString(16).padStart(32, '0')

type NoteOp = Extract<Op, { type: 'note' }>

const pick = fc.nat({ max: 1000 })
/** What is said of a text that was said before: which one is known only when it is its turn. */
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ does: fc.constant('add' as const), id: fc.nat({ max: NOTES - 1 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('edit' as const),
      of: pick,
      same: fc.boolean(),
      past: fc.boolean()
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constantFrom('delete' as const, 'restore' as const), of: pick })
  }
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The ops that steps come to. */
function opsOf(steps: readonly Step[]): Op[] {
  const said: NoteOp[] = []
  const say = (id: string, text: string, of?: NoteOp, past = false): Op => {
    const over = of ? [of.revision, ...(past ? of.over : [])] : []
    const revision = revisionOf(id, text, of?.revision ?? null)
    const op: NoteOp = { type: 'note', id, revision, text, over, time: said.length }
    said.push(op)
    return op
  }
  return steps.flatMap((each, n): Op[] => {
    if (each.does === 'add') return [say(idOf(each.id), `Text ${n}.`)]
    const of = said[each.of % said.length]
    if (!of) return []
    if (each.does === 'delete') return [{ type: 'note-delete', id: of.id, over: of.revision }]
    if (each.does === 'edit')
      return [say(of.id, each.same ? `More than ${of.text}` : `Text ${n}.`, of, each.past)]
    return [say(of.id, of.text, of)]
  })
}

const story = fc
  .array(step, { minLength: 2, maxLength: 14, size: 'max' })
  .chain((steps) => fc.shuffledSubarray(opsOf(steps), { minLength: opsOf(steps).length }))

/** A story of three devices: whose each op is, and how many are in both bases. */
const apart = fc.record({
  steps: fc.array(step, { minLength: 2, maxLength: 14, size: 'max' }),
  whose: fc.array(fc.constantFrom('mine', 'theirs', 'removed'), { minLength: 14, maxLength: 14 }),
  common: fc.nat({ max: 5 })
})

async function viewOf(ops: readonly Op[]): Promise<{ cells: MemoryCells; view: Table }> {
  const cells = new MemoryCells()
  const view = new Table(cells)
  for (const op of [found(ana), ...ops]) await applyOp(view, decodeOp(encodeOp(op))!)
  return { cells, view }
}

async function rowsOf(view: Table): Promise<NoteRow[]> {
  const rows: NoteRow[] = []
  for await (const { row } of view.all('note')) rows.push(row)
  return rows
}

t.test('in whatever order, no text of a note goes that no other took the place of', async (t) => {
  const runs = 1000
  await fc.assert(
    fc.asyncProperty(story, async (ops) => {
      const { view } = await viewOf(ops)
      const broken = await brokenIn(view)
      if (broken.length > 0) throw new Error(broken.join('; '))
      const said = ops.filter((op) => op.type === 'note')
      const replaced = new Set(said.flatMap(({ over }) => over))
      const shown = new Map((await rowsOf(view)).map((row) => [row.revision, row]))
      const gone = new Set(ops.map((op) => (op.type === 'note-delete' ? op.over : undefined)))
      for (const { text, revision } of said) {
        if (replaced.has(revision)) continue
        const row = shown.get(revision)
        if (row?.text !== text) throw new Error(`“${text}” is lost`)
        if (row.deleted && !gone.has(revision)) throw new Error(`“${text}” was deleted by nobody`)
      }
    }),
    { numRuns: runs }
  )
  t.pass(`${runs} times`)
})

t.test('said again, all of it changes nothing but what is told', async (t) => {
  const runs = 500
  await fc.assert(
    fc.asyncProperty(story, async (ops) => {
      const untold = ({ cells }: { cells: MemoryCells }): string =>
        cells.dump().replaceAll(/^notice.*\n/gm, '')
      const once = untold(await viewOf(ops))
      const saves = ops.filter(({ type }) => type === 'note')
      if (untold(await viewOf([...ops, ...saves])) !== once)
        throw new Error('texts said again change something')
      if (untold(await viewOf(ops.flatMap((op) => [op, op]))) !== once)
        throw new Error('what is said twice is another thing')
    }),
    { numRuns: runs }
  )
  t.pass(`${runs} times`)
})

t.test('carried into another base, no text goes, and none comes twice', async (t) => {
  const runs = 1000
  await fc.assert(
    fc.asyncProperty(apart, async ({ steps, whose, common }) => {
      const ops = opsOf(steps)
      const { view: from } = await viewOf(ops)
      const { view: to } = await viewOf(ops.slice(0, common))
      const carried: Op[] = []
      for (const who of ['mine', 'theirs'] as const) {
        const store = (view: Table): Store => ({ view }) as unknown as Store
        const queue: Op[] = []
        const carrier = new AgentCarrier(store(from), store(to), async (op) => void queue.push(op))
        for (const [n, op] of ops.entries()) {
          if (n < common || whose[n] !== who) continue
          if (op.type === 'note') await carrier.note(op)
          if (op.type === 'note-delete') await carrier.noteDelete(op)
        }
        for (const op of queue)
          if (!(await applyOp(to, decodeOp(encodeOp(op))!))) throw new Error(`${op.type} isn’t sound`)
        carried.push(...queue)
      }
      const broken = await brokenIn(to)
      if (broken.length > 0) throw new Error(broken.join('; '))
      const said = [...ops.slice(0, common), ...carried].filter((op) => op.type === 'note')
      const replaced = new Set(said.flatMap(({ over }) => over))
      const rows = await rowsOf(to)
      for (const { text, revision } of said) {
        const row = rows.find((each) => each.revision === revision)
        if (replaced.has(revision) ? row !== undefined : row?.text !== text)
          throw new Error(`“${text}” is ${row ? 'there still' : 'lost'}`)
      }
      const deleted = (await rowsOf(from)).filter((row) => row.deleted).map(({ revision }) => revision)
      for (const op of carried) {
        if (op.type !== 'note-delete' || !deleted.includes(op.over)) continue
        const row = rows.find(({ revision }) => revision === op.over)
        if (row && !row.deleted) throw new Error(`“${row.text}” was deleted and is there`)
      }
    }),
    { numRuns: runs }
  )
  t.pass(`${runs} times`)
})
