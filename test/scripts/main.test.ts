import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type {
  CheckReport,
  Contact,
  Delivery,
  FolderImport,
  Imported,
  Listed,
  Resolution,
  Review,
  Sent,
  Shown
} from '../../src/api.js'
import { dhtFor, Person, until } from './person.js'
import { TRIP, writeSkills } from './skills.js'

/** Real skills of others, where a checkout of them lies beside this one. */
const CORPUS = fileURLToPath(new URL('../../../../shared/corpus/superpowers', import.meta.url))

t.test('two people: from the first command to a skill that was sent, reviewed and renamed', async (t) => {
  const dht = await dhtFor(t)
  const [ann, bob] = await Promise.all([Person.of(t, dht, 'Ann'), Person.of(t, dht, 'Bob')])
  await Promise.all([ann.up(), bob.up()])

  const [bobSeen, annSeen] = await ann.pair(bob)
  t.equal(bobSeen.safetyWords, annSeen.safetyWords, 'both see the same safety words')
  t.equal(bobSeen.safetyWords.split(' ').length, 12)
  t.equal(bobSeen.verified, true)
  t.equal(annSeen.verified, false, 'each side verifies for itself')
  t.match(await bob.run<Contact>('verify', 'ann', '--yes'), { name: 'Ann', verified: true })

  const { imported } = await ann.run<FolderImport>(
    'import',
    await writeSkills(join(ann.folder, 'skills'), TRIP)
  )
  t.same(imported.map(({ slug }) => slug).toSorted(), TRIP.map(({ name }) => name).toSorted())
  await bob.run('new', 'Plan trip', '--summary', 'Bob’s own.', '--body', 'As I do it.')
  await bob.run('new', 'Pack bag', '--summary', 'Bob’s own.', '--body', 'All in one bag. See @plan-trip.')

  const sent = await ann.run<Sent>('send', '@plan-trip', 'Bob', '--note', 'For the summer')
  t.match(sent, { contact: 'Bob', root: 'plan-trip' })
  t.same(sent.skills, ['plan-trip', 'pack-bag', 'book-train', 'check-weather'], 'with all that it mentions')
  t.same(sent.tools.toSorted(), ['current-date', 'find-file'])

  const [waiting] = await bob.arrived(1)
  t.match(waiting, {
    id: sent.id,
    contact: 'Ann',
    root: 'plan-trip',
    state: 'waiting',
    note: 'For the summer'
  })
  await until(async () => (await ann.sent(sent.id))?.state === 'received')
  t.equal((await bob.refused('accept', sent.id)).code, 'E_NOT_REVIEWED')
  const review = await bob.run<Review>('review', sent.id.slice(0, 6))
  t.match(review, { sender: { name: 'Ann', verified: true }, note: 'For the summer', blocked: [] })
  t.same(
    review.skills.map(({ incoming, slug, status }) => [incoming, slug, status]),
    [
      ['plan-trip', 'plan-trip-2', 're-slugged'],
      ['pack-bag', 'pack-bag-2', 're-slugged'],
      ['book-train', 'book-train', 'new'],
      ['check-weather', 'check-weather', 'new']
    ]
  )
  t.match(review.skills[0]!.body, 'First @pack-bag-2, then @book-train.')

  await bob.run<Imported>('accept', sent.id)
  t.match(await bob.run<Shown>('show', '@plan-trip-2'), { body: 'First @pack-bag-2, then @book-train.\n' })
  t.match(await bob.run<Shown>('show', '@plan-trip'), { body: 'As I do it.' })
  t.match(await ann.run<Shown>('show', '@plan-trip'), { body: 'First @pack-bag, then @book-train.\n' })
  await bob.run('rename', '@pack-bag-2', 'fill-rucksack')
  t.match(await bob.run<Shown>('show', '@plan-trip-2'), { body: 'First @fill-rucksack, then @book-train.\n' })
  await Promise.all([ann, bob].map(resolvesAll))
  await until(async () => (await ann.sent(sent.id))?.state === 'imported')

  const again = await ann.run<Sent>('send', '@plan-trip', 'bob')
  t.not(again.id, sent.id, 'without its note it is another bundle')
  const second = (await bob.arrived(2)).find(({ id }) => id === again.id)
  t.match(second, { state: 'waiting' })
  const same = await bob.run<Review>('review', again.id)
  t.ok(same.skills.every(({ status }) => status === 'same'))
  t.match(await bob.run<Delivery>('decline', again.id), { state: 'declined' })
  await until(async () => (await ann.sent(again.id))?.state === 'declined')
  t.equal((await bob.refused('accept', again.id)).code, 'E_INBOX_DONE')

  if (existsSync(CORPUS)) await sendTheCorpus(t, ann, bob)

  const arrivals = (await bob.run<Delivery[]>('inbox')).length
  await bob.run('forget', 'Ann', '--yes')
  await until(async () => !(await ann.run<Contact[]>('contacts'))[0]!.online)
  const unwanted = await ann.run<Sent>('send', '@book-train', 'Bob')
  t.equal((await bob.refused('send', '@plan-trip', 'Ann')).code, 'E_CONTACT_UNKNOWN')
  t.same(await bob.run('contacts'), [])
  t.equal((await ann.sent(unwanted.id))?.state, 'queued')
  t.notOk((await bob.run<Delivery[]>('inbox')).some(({ id }) => id === unwanted.id))

  await ann.pair(bob)
  await until(async () => (await bob.run<Delivery[]>('inbox')).some(({ id }) => id === unwanted.id))
  t.equal(
    (await bob.run<Delivery[]>('inbox')).length,
    arrivals + 1,
    'contacts again: only what had waited comes'
  )

  for (const person of [ann, bob]) {
    t.match(await person.run<CheckReport>('check'), { ok: true, problems: [] })
    t.equal(await person.kill('SIGTERM'), 0, 'a node that is stopped ends well')
  }
  t.match(await bob.run<CheckReport>('check'), { ok: true }, 'also with no node up')
})

/** No mention of any skill that someone has leads nowhere. */
async function resolvesAll(person: Person): Promise<void> {
  const skills = await person.run<Listed[]>('list')
  const mentioned = new Set(skills.flatMap(({ mentions }) => mentions))
  for (const slug of mentioned) {
    const { kind } = await person.run<Resolution>('resolve', slug)
    if (kind === 'nothing') throw new Error(`${person.name} has nothing called @${slug}`)
  }
}

/** The skill with the most mentions of a real collection, with all of its closure. */
async function sendTheCorpus(t: Test, from: Person, to: Person): Promise<void> {
  const { imported } = await from.run<FolderImport>('import', CORPUS)
  const [linked] = imported.toSorted((a, b) => b.mentions.length - a.mentions.length)
  const { id, skills } = await from.run<Sent>('send', linked!.slug, to.name)
  t.ok(skills.length >= 3)
  await until(async () => (await to.run<Delivery[]>('inbox')).some((delivery) => delivery.id === id))
  t.same((await to.run<Review>('review', id)).blocked, [])
  t.equal((await to.run<Imported>('accept', id)).imported.length, skills.length)
  await resolvesAll(to)
}
