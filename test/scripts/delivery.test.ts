import { join } from 'node:path'
import t from 'tap'
import type { Delivery, Sent } from '../../src/api.js'
import { dhtFor, pairedByCard, until } from './person.js'
import { TRIP, writeSkills } from './skills.js'

t.test('sent while nobody is up: it waits, survives, and arrives once', async (t) => {
  const [ann, bob] = await pairedByCard(t, await dhtFor(t))
  await ann.run('import', await writeSkills(join(ann.folder, 'skills'), TRIP))
  const sent = await ann.run<Sent>('send', '@plan-trip', 'Bob')
  t.equal(sent.state, 'queued')
  t.equal((await ann.run<Sent>('send', 'plan-trip', 'bob')).id, sent.id, 'the same again is the same')

  await ann.up()
  const other = await ann.run<Sent>('send', '@check-weather', 'Bob')
  await ann.kill('SIGKILL')
  await ann.up()
  t.match(await ann.run<Delivery[]>('outbox'), [{ state: 'queued' }, { state: 'queued' }])

  await bob.up()
  await until(async () => (await ann.run<Delivery[]>('outbox')).every(({ state }) => state === 'received'))
  const inbox = await bob.run<Delivery[]>('inbox')
  t.same(inbox.map(({ id }) => id).toSorted(), [sent.id, other.id].toSorted())

  t.equal((await ann.run<Sent>('send', '@plan-trip', 'Bob')).id, sent.id, 'also after it has arrived')
  await Promise.all([ann.kill(), bob.kill('SIGKILL')])
  await Promise.all([ann.up(), bob.up()])
  const last = await ann.run<Sent>('send', '@book-train', 'Bob')
  await bob.arrived(3)
  await until(async () => (await ann.sent(last.id))?.state === 'received')
  t.equal((await bob.run<Delivery[]>('inbox')).length, 3, 'what had arrived doesn’t arrive again')
  for (const { state } of await ann.run<Delivery[]>('outbox')) t.equal(state, 'received')
})
