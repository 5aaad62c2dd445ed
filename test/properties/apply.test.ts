import fc from 'fast-check'
import t from 'tap'
import type { Slug, Uid, VersionHash } from '../../src/base/ids.js'
import type { LinkedBody } from '../../src/namespace/linked.js'
import { applyOp } from '../../src/store/apply.js'
import { decodeOp, encodeOp, type Op } from '../../src/store/ops.js'
import { Table } from '../../src/store/table.js'
import { uidOf } from '../namespace/skills.js'
import { arrive, found, headOf, importOf, save, type SaveOp } from '../store/author.js'
import { MemoryCells } from '../store/cells.js'
import { brokenIn } from '../store/invariants.js'
import { person } from '../vectors/people.js'

/** Ana has two devices that append; Ben is a contact; nobody has heard of Mallory. */
const ana = person('Ana', 2)
const ben = person('Ben', 1)
const mallory = person('Mallory', 1)
const authors = [ana, ana, ana, ana, ana, ben, mallory]

const SLUGS = ['plan', 'plan', 'plan-2', 'pack', 'pack', 'find-file', 'Not a slug']
const UIDS = 5
const BUNDLES = ['1', '2', '3']

/** A number that picks one of whatever there is. */
const pick = fc.nat({ max: 1000 })
const uid = fc.nat({ max: UIDS - 1 }).map(uidOf)
const slug = fc.constantFrom(...SLUGS)
const mention = fc.oneof(
  uid.map((skill) => ({ skill })),
  fc.constant({ tool: 'find_file' as const })
)
/** What a step says; which versions exist is known only when it is its turn. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('save' as const),
      uid,
      slug,
      who: pick,
      device: fc.nat({ max: 1 }),
      mentions: fc.array(mention, { maxLength: 2 }),
      parents: fc.array(pick, { maxLength: 2 }),
      forged: fc.nat({ max: 9 })
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('import' as const),
      bundle: fc.constantFrom(...BUNDLES, null),
      picks: fc.array(pick, { maxLength: 3 }),
      over: pick,
      beside: fc.boolean(),
      as: fc.option(uid),
      alias: fc.option(fc.record({ from: uid, to: uid, seen: pick }))
    })
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('again' as const), which: pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'rename' as const,
        'delete' as const,
        'delete' as const,
        'restore' as const,
        'enable' as const
      ),
      uid,
      slug,
      flag: fc.boolean()
    })
  }
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The ops that steps come to, in the order of the interleaving. */
function opsOf(steps: readonly Step[]): Op[] {
  const ops: Op[] = [found(ana, 0), importOf(ana, null, [], { op: { attestations: ana.attestations } })]
  ops.push(...BUNDLES.map((id) => arrive(id, ben)))
  const saves = Array.from({ length: UIDS }, (_, n) => save(ana, { uid: uidOf(n), slug: 'plan' }))
  ops.push(...saves.slice(1))
  const chosen = (n: number): SaveOp => saves[n % saves.length]!
  for (const each of steps) ops.push(...opOf(each))
  return ops

  function opOf(each: Step): Op[] {
    switch (each.does) {
      case 'save': {
        const author = authors[each.who % authors.length]!
        const body: LinkedBody = ['Do ', ...each.mentions.flatMap((ref) => [ref, ' and '])] as LinkedBody
        const parents = each.parents.map((n) => headOf(chosen(n)))
        const op = save(author, {
          ...each,
          body,
          parents: [...new Set(parents)],
          time: saves.length,
          device: each.device % author.devices.length
        })
        saves.push(op)
        return [each.forged === 0 ? { ...op, version: { ...op.version, time: 4_000_000 } } : op]
      }
      case 'import': {
        const picked = [...new Set(each.picks.map(chosen))]
        const seen = each.alias ? [chosen(each.alias.seen)] : []
        const aliases = seen.map((save) => ({
          from: each.alias!.from,
          to: each.alias!.to,
          seen: headOf(save)
        }))
        const versions = [...picked, ...seen].map(({ version }) => version)
        const attestations = [...ana.attestations, ...ben.attestations]
        return [
          importOf(ben, each.bundle, picked, {
            skills: {
              beside: each.beside,
              over: headOf(chosen(each.over)),
              ...(each.as && { uid: each.as })
            },
            op: { versions, aliases, attestations }
          })
        ]
      }
      case 'again': {
        const again = ops[each.which % ops.length]
        return again ? [again] : []
      }
      case 'rename':
        return [{ type: 'rename', uid: each.uid, slug: each.slug as Slug }]
      case 'enable':
        return [{ type: 'enable', uid: each.uid, enabled: each.flag }]
      case 'delete':
      case 'restore':
        break
    }
    return [{ type: each.does, uid: each.uid }]
  }
}

async function apply(view: Table, op: Op): Promise<void> {
  const arrived = decodeOp(encodeOp(op))
  if (arrived) await applyOp(view, arrived)
}

async function versionsIn(view: Table): Promise<Set<string>> {
  const names = new Set<string>()
  for await (const { name } of view.all('version')) names.add(name)
  return names
}

t.test('whatever is appended, in whatever order, every invariant holds after every op', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
      const ops = opsOf(steps)
      const cells = new MemoryCells()
      const view = new Table(cells)
      let before = new Set<string>()
      for (const op of ops) {
        await apply(view, op)
        const broken = await brokenIn(view)
        if (broken.length > 0) throw new Error(`${op.type}: ${broken.join('; ')}`)
        const versions = await versionsIn(view)
        for (const version of before) if (!versions.has(version)) throw new Error(`${op.type} lost a version`)
        before = versions
      }
      const again = new MemoryCells()
      const table = new Table(again)
      for (const op of ops) await apply(table, op)
      if (again.dump() !== cells.dump()) throw new Error('the same ops gave another view')
    }),
    { numRuns: 100 }
  )
})

t.test('no edit is lost: what was saved soundly is shown, beside it, or a past of either', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }), async (steps) => {
      const view = new Table(new MemoryCells())
      const accepted: { hash: VersionHash; uid: Uid }[] = []
      for (const op of opsOf(steps)) {
        // An import may have brought it as what a stand-in was judged by: then this save need not be sound.
        const known = op.type === 'save' && (await view.get('version', headOf(op)))
        await apply(view, op)
        if (op.type !== 'save') continue
        const hash = headOf(op)
        if (!known && (await view.get('version', hash))) accepted.push({ hash, uid: op.version.uid })
        for (const { hash: earlier, uid: name } of accepted) {
          const uid = (await view.get('alias', name))?.to ?? name
          // A tombstone that another came to stand in for keeps its own past.
          const rows = [await view.get('skill', name), await view.get('skill', uid)]
          const heads = new Set<VersionHash>(rows.flatMap((row) => row?.heads ?? []))
          for (const head of heads)
            for (const parent of (await view.get('version', head))?.parents ?? []) heads.add(parent)
          if (!heads.has(earlier)) throw new Error(`${op.type} lost ${earlier}`)
        }
      }
    }),
    { numRuns: 100 }
  )
})
