import fc from 'fast-check'
import t from 'tap'
import type { Slug, Uid } from '../../src/base/ids.js'
import { closureOf } from '../../src/namespace/closure.js'
import type { Ref } from '../../src/namespace/linked.js'
import type { SkillRow } from '../../src/namespace/skill.js'
import { freeSlug, isSlug } from '../../src/namespace/slug.js'
import { slugFromTitle } from '../../src/namespace/slug-from-title.js'
import { TOOLS } from '../../src/namespace/tool.js'
import { namespaceOf, rowOf, uidOf } from '../namespace/skills.js'

const SKILLS = 8

/** Rows whose references go anywhere among them and to the tools, cycles and loops too. */
const rows: fc.Arbitrary<SkillRow[]> = fc
  .array(
    fc.record({
      refs: fc.uniqueArray(
        fc.oneof(
          fc.nat({ max: SKILLS - 1 }).map((n): Ref => ({ skill: uidOf(n) })),
          fc.constantFrom(...TOOLS).map((tool): Ref => ({ tool: tool.name }))
        ),
        { maxLength: 4, selector: (ref) => JSON.stringify(ref) }
      ),
      enabled: fc.boolean()
    }),
    { minLength: SKILLS, maxLength: SKILLS }
  )
  .map((list) => list.map(({ refs, enabled }, n) => rowOf(n, `s-${n}`, refs, { enabled })))

/** All that can be reached, by going over every reference until nothing is added. */
function reachable(list: readonly SkillRow[], root: Uid): Set<Uid> {
  const found = new Set([root])
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const row of list) {
      if (!found.has(row.uid)) continue
      for (const ref of row.refs) if ('skill' in ref) found.add(ref.skill)
    }
  }
  return found
}

t.test('a slug that is minted is free, valid and made of its title', (t) => {
  const title = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.stringMatching(/^[a-z -]{0,90}$/)
  )
  fc.assert(
    fc.property(fc.array(title, { maxLength: 30 }), title, fc.nat({ max: 200 }), (titles, again, times) => {
      const taken = new Set<Slug>(TOOLS.map((tool) => tool.slug))
      for (const each of [...titles, ...Array<string>(times).fill(again)]) {
        const wanted = slugFromTitle(each)
        const minted = freeSlug(wanted, (slug) => taken.has(slug))
        if (!isSlug(wanted) || !isSlug(minted) || taken.has(minted)) return false
        if (!taken.has(wanted) && minted !== wanted) return false
        taken.add(minted)
      }
      return true
    }),
    { numRuns: 200 }
  )
  t.end()
})

t.test('a slug of a slug is itself', (t) => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z0-9]{1,9}(-[a-z0-9]{1,9}){0,5}$/),
      (slug) => slugFromTitle(slug) === slug
    )
  )
  t.end()
})

t.test('a closure is what can be reached', (t) => {
  fc.assert(
    fc.property(rows, fc.nat({ max: SKILLS - 1 }), (list, n) => {
      const { skills, tools } = closureOf(namespaceOf(...list), list[n]!)
      const expected = reachable(list, uidOf(n))
      const mentioned = new Set(
        list
          .filter((row) => expected.has(row.uid))
          .flatMap((row) => row.refs.flatMap((ref) => ('tool' in ref ? [ref.tool] : [])))
      )
      return (
        skills[0] === list[n] &&
        skills.length === expected.size &&
        skills.every((row) => expected.has(row.uid)) &&
        tools.length === mentioned.size &&
        tools.every((tool) => mentioned.has(tool))
      )
    })
  )
  t.end()
})

t.test('a plan binds the tools of the enabled skills that it reaches, once each', (t) => {
  fc.assert(
    fc.property(rows, fc.nat({ max: SKILLS - 1 }), (list, n) => {
      const enabled = list.filter((row) => row.enabled)
      const expected = new Set<string>()
      if (list[n]!.enabled) {
        const reached = reachable(enabled, uidOf(n))
        for (const row of enabled) {
          if (!reached.has(row.uid)) continue
          for (const ref of row.refs) if ('tool' in ref) expected.add(ref.tool)
        }
      }
      const tools = namespaceOf(...list).toolsForPlan([list[n]!.slug])
      return tools.length === expected.size && tools.every((tool) => expected.has(tool))
    })
  )
  t.end()
})

t.test('after any renames, each skill has one slug, and each mention follows it', (t) => {
  const renames = fc.array(
    fc.tuple(fc.nat({ max: SKILLS - 1 }), fc.constantFrom('a', 'b', 's-0', 's-1', 'calendar')),
    {
      maxLength: 20
    }
  )
  fc.assert(
    fc.property(rows, renames, (list, steps) => {
      const namespace = namespaceOf(...list)
      for (const [n, wanted] of steps) {
        const row = namespace.row(uidOf(n))!
        const slug = freeSlug(wanted as Slug, (taken) => taken !== row.slug && namespace.isTaken(taken))
        namespace.put({ ...row, slug })
        if (!namespace.isTaken(slug) || namespace.slugOf(row.uid) !== slug) return false
      }
      const live = namespace.live()
      return (
        live.length === SKILLS &&
        new Set(live.map((row) => row.slug)).size === SKILLS &&
        live.every((row) => {
          const resolved = namespace.resolve(row.slug)
          return (
            resolved?.kind === 'skill' &&
            resolved.skill === row &&
            row.refs === list[Number.parseInt(row.uid, 16)]!.refs
          )
        })
      )
    })
  )
  t.end()
})

t.test('who mentions a skill is always what the rows say', (t) => {
  const steps = fc.array(fc.record({ n: fc.nat({ max: SKILLS - 1 }), deleted: fc.boolean(), refs: rows }), {
    maxLength: 10
  })
  fc.assert(
    fc.property(rows, steps, (list, changes) => {
      const namespace = namespaceOf(...list)
      for (const { n, deleted, refs } of changes) {
        namespace.put({ ...namespace.row(uidOf(n))!, deleted, refs: refs[n]!.refs })
      }
      const live = [...namespace.all()].filter((row) => !row.deleted)
      return [...namespace.all()].every(({ uid }) => {
        const expected = live.filter(
          (row) => row.uid !== uid && row.refs.some((ref) => 'skill' in ref && ref.skill === uid)
        )
        const found = namespace.mentionersOf(uid)
        return found.length === expected.length && found.every((row) => expected.includes(row))
      })
    })
  )
  t.end()
})
