import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { isSelkieError, type SelkieError } from '../../src/base/errors.js'
import type { Slug, Uid } from '../../src/base/ids.js'
import { deletedSkill, listDeleted } from '../../src/editing/deleted.js'
import { listSkills } from '../../src/editing/present.js'
import { beginningOf } from '../../src/namespace/beginning.js'
import { Namespace } from '../../src/namespace/resolve.js'
import { freeSlug } from '../../src/namespace/slug.js'
import type { Store } from '../../src/store/store.js'
import { rowOf } from '../namespace/skills.js'
import { home } from './home.js'

const SLUGS = ['a', 'a-2', 'b'] as Slug[]

/** What is asked of a store, where every version was made in the same second. */
function storeOf(namespace: Namespace): Store {
  return { namespace, view: { get: async () => ({ time: 0 }) } } as unknown as Store
}

t.test('whatever was deleted, what is named comes back, and never another', async (t) => {
  let several = 0
  // Uids that someone made to begin alike.
  const uids = fc.uniqueArray(
    fc.tuple(fc.constantFrom('0', 'a', 'f'), fc.integer({ min: 4, max: 30 }), fc.constantFrom('1', 'b')),
    { minLength: 4, maxLength: 10, selector: ([digit, length, last]) => digit.repeat(length) + last }
  )
  const kinds = fc.record({
    slug: fc.constantFrom(...SLUGS),
    deleted: fc.constantFrom(true, true, false),
    alias: fc.constantFrom(false, false, true)
  })
  await fc.assert(
    fc.asyncProperty(uids, fc.array(kinds, { minLength: 10, maxLength: 10 }), async (made, skills) => {
      const namespace = new Namespace()
      const turned = new Namespace()
      const free = (slug: Slug): Slug => freeSlug(slug, (each) => namespace.isTaken(each))
      const mine = rowOf(99, 'mine', [])
      namespace.put(mine)
      const gone: { slug: Slug; uid: Uid }[] = []
      const rows = made.map(([digit, length, last], n) => {
        const { slug, deleted, alias } = skills[n]!
        const uid = (digit.repeat(length) + last).padEnd(32, '7') as Uid
        const row = { ...rowOf(n, deleted ? slug : free(slug), []), uid, deleted }
        namespace.put(row)
        if (deleted && alias) namespace.putAlias(uid, mine.uid)
        else if (deleted) gone.push({ slug, uid })
        return row
      })
      for (const row of rows.reverse()) turned.put(row)
      for (const { uid } of rows) if (namespace.uidOf(uid) !== uid) turned.putAlias(uid, mine.uid)

      const store = storeOf(namespace)
      const listed = await listDeleted(store)
      deepEqual(listed.map(({ uid }) => uid).sort(), gone.map(({ uid }) => uid).sort())
      deepEqual(await listDeleted(storeOf(turned)), listed, 'another device has the same list')
      deepEqual(
        listSkills(store).map(({ uid }) => uid),
        namespace.live().map(({ uid }) => uid)
      )
      for (const { slug, uid } of gone) {
        const same = gone.filter((other) => other.slug === slug).map((other) => other.uid)
        const digits = beginningOf(uid, same)
        equal((await deletedSkill(store, slug, digits.toUpperCase())).uid, uid)
        if (same.length === 1) equal((await deletedSkill(store, slug)).uid, uid)
        else {
          several++
          await rejects(deletedSkill(store, slug), ({ code, message }: SelkieError) => {
            equal(code, 'E_RESTORE_WHICH')
            match(message, new RegExp(`\\b${digits} “`))
            return true
          })
        }
      }
    }),
    { numRuns: 200 }
  )
  t.ok(several > 50, `${several} of which others had the slug`)
})

t.test('restore brought back another skill than the one that was deleted last', async (t) => {
  const { node } = await home(t, 'Ada')
  const gone: string[] = []
  for (const body of ['First.', 'Second.']) {
    const { uid } = await node.create({ title: 'Dup', summary: 'How to.', body })
    gone.push((await node.delete('dup')).uid)
    t.equal(gone.at(-1), uid)
  }
  const refusal = await node.restore('dup').catch((error: unknown) => error)
  if (!isSelkieError(refusal)) throw new Error('it was restored')
  t.equal(refusal.code, 'E_RESTORE_WHICH')
  for (const uid of gone)
    t.match(
      refusal.message,
      new RegExp(`${uid.slice(0, 8)} “Dup”, last saved \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC`)
    )
  await t.rejects(node.show('dup'), { code: 'E_SLUG_UNKNOWN', hint: /^2 skills.*`selkie list --deleted`/ })
  for (const uid of ['', gone[1]!.slice(0, 3), 'zzzz', gone[1]!.slice(0, 7) + 'x'])
    await t.rejects(node.restore('dup', undefined, { uid }), {
      code: uid === '' ? 'E_RESTORE_WHICH' : 'E_RESTORE_UID'
    })
  t.same(await node.list({ deleted: true }).then((all) => all.map(({ slug }) => slug)), ['dup', 'dup'])

  t.match(await node.restore('dup', undefined, { uid: gone[1]!.slice(0, 4) }), { uid: gone[1], slug: 'dup' })
  t.equal((await node.show('dup')).body, 'Second.')
  t.match(await node.restore('dup'), { uid: gone[0], slug: 'dup-2' }, 'the only one that is left')
  t.same(await node.list({ deleted: true }), [])
  await t.rejects(node.restore('dup', undefined, { uid: gone[1]! }), { code: 'E_NOT_DELETED' })
})

t.test('of several that were deleted, the list didn’t say which is which', async (t) => {
  const { node } = await home(t, 'Ada')
  for (const title of ['Dup', 'DUP']) {
    await node.create({ title, summary: 'How to.', body: title })
    await node.delete('dup')
  }
  const deleted = await node.list({ deleted: true })
  t.same(deleted.map(({ title }) => title).sort(), ['DUP', 'Dup'])
  for (const { slug, uid, time } of deleted) {
    t.ok(Math.abs(Date.parse(time!) - Date.now()) < 60_000, 'when it was saved')
    await node.restore(slug, undefined, { uid })
    t.equal((await node.log(slug))[0]!.time, time)
    await node.delete(slug)
  }
})
