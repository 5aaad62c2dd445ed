import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Slug, Uid } from '../../src/base/ids.js'
import { listSkills } from '../../src/editing/present.js'
import { Namespace } from '../../src/namespace/resolve.js'
import type { SkillRow } from '../../src/namespace/skill.js'
import { freeSlug } from '../../src/namespace/slug.js'
import { home } from './home.js'

const SLUGS = ['a', 'a-2', 'b', 'c'] as Slug[]

function rowOf(n: number, slug: Slug, deleted: boolean): SkillRow {
  const hash = n.toString(16).padStart(64, '0') as SkillRow['head']
  const uid = n.toString(16).padStart(32, '0') as Uid
  const standing = { enabled: true, advertised: false, exec: false, deleted }
  return { uid, slug, title: slug, summary: '', head: hash, heads: [hash], refs: [], ...standing }
}

t.test('whatever was deleted, the list has it, and restoring by its slugs brings all of it back', (t) => {
  let several = 0
  fc.assert(
    fc.property(
      fc.array(fc.record({ slug: fc.constantFrom(...SLUGS), deleted: fc.boolean(), alias: fc.boolean() }), {
        maxLength: 12
      }),
      (skills) => {
        const namespace = new Namespace()
        const free = (slug: Slug): Slug => freeSlug(slug, (each) => namespace.isTaken(each))
        const mine = rowOf(0, 'mine' as Slug, false)
        namespace.put(mine)
        const gone: Uid[] = []
        skills.forEach(({ slug, deleted, alias }, n) => {
          const row = rowOf(n + 1, deleted ? slug : free(slug), deleted)
          namespace.put(row)
          if (deleted && alias) namespace.putAlias(row.uid, mine.uid)
          else if (deleted) gone.push(row.uid)
        })
        const deleted = listSkills({ namespace }, { deleted: true })
        deepEqual(deleted.map(({ uid }) => uid).sort(), gone.sort())
        deepEqual(
          listSkills({ namespace }).map(({ uid }) => uid),
          namespace.live().map(({ uid }) => uid)
        )
        if (new Set(deleted.map(({ slug }) => slug)).size < deleted.length) several++
        for (const { slug, uid } of deleted) {
          const found = namespace.deletedBySlug(slug as Slug)!
          equal(found.uid, uid, 'the first of its slug is the one that is restored')
          namespace.put({ ...found, deleted: false, slug: free(found.slug) })
        }
        deepEqual(listSkills({ namespace }, { deleted: true }), [])
      }
    ),
    { numRuns: 200 }
  )
  t.ok(several > 20, `${several} with two deleted under one slug`)
  t.end()
})

t.test('two that were deleted under one slug: each comes back, the first of the list first', async (t) => {
  const { node } = await home(t, 'Ada')
  for (const body of ['One.', 'Two.']) {
    const { slug } = await node.create({ title: 'Plan', summary: 'How to.', body })
    await node.delete(slug)
  }
  const deleted = await node.list({ deleted: true })
  t.same(
    deleted.map(({ slug }) => slug),
    ['plan', 'plan']
  )
  const back = [await node.restore('plan'), await node.restore('plan')]
  t.same(
    back.map(({ uid, slug }) => ({ uid, slug })),
    [
      { uid: deleted[0]!.uid, slug: 'plan' },
      { uid: deleted[1]!.uid, slug: 'plan-2' }
    ]
  )
  t.same(await node.list({ deleted: true }), [])
})
