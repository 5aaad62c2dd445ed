import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { CheckReport, Listed, Saved, Status } from '../../src/api.js'
import { dhtFor, Person } from './person.js'

t.test('many processes on one home at once', async (t) => {
  const ann = await Person.of(t, await dhtFor(t), 'Ann')
  const verbs = [['list'], ['status'], ['check'], ['contacts'], ['inbox'], ['outbox'], ['card']]
  const create = ['new', 'Water the plants', '--summary', 'When and how.', '--body', 'Daily.']
  await t.test('with no node up, they share whichever came first', async (t) => {
    const [first, second, third] = await Promise.all([
      ...[1, 2, 3].map(() => ann.run<Saved>(...create)),
      ...verbs.map((argv) => ann.run(...argv))
    ] as [Promise<Saved>, Promise<Saved>, Promise<Saved>])
    const slugs = [first.slug, second.slug, third.slug].toSorted()
    t.same(slugs, ['water-the-plants', 'water-the-plants-2', 'water-the-plants-3'])
  })

  await t.test('with a node up, they all use it', async (t) => {
    t.match(await ann.up(), { ready: true, home: ann.home, name: 'Ann' })
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => ann.run<Saved>(...create)))
    t.same(
      made.map(({ slug }) => slug).toSorted(),
      [4, 5, 6, 7, 8].map((n) => `water-the-plants-${n}`)
    )
    t.match(await ann.run<Status>('status'), { online: true, skills: 3 + 3 + 5 })
    t.match(await ann.refused('up'), { code: 'E_UP_ALREADY' })
    t.match(await ann.run<Status>('status'), { online: true }, 'which is not disturbed by a second one')
  })

  await t.test('a node that was killed leaves its socket, which stops nobody', async (t) => {
    await ann.kill('SIGKILL')
    t.ok(existsSync(join(ann.home, 'node.sock')))
    t.match(await ann.run<Status>('status'), { online: false, skills: 11 })
    await ann.up()
    t.match(await ann.run<Status>('status'), { online: true })
    t.equal(await ann.kill('SIGTERM'), 0)
    t.notOk(existsSync(join(ann.home, 'node.sock')), 'one that ends well takes it away')
  })

  await t.test('a node comes up while another command just has the store', async (t) => {
    const [saved] = await Promise.all([ann.run<Saved>(...create), ann.up()])
    t.equal(saved.slug, 'water-the-plants-9')
    t.equal((await ann.run<Listed[]>('list')).length, 12)
    t.match(await ann.run<CheckReport>('check'), { ok: true, problems: [] })
  })
})
