import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import type { CheckReport, Listed, Sent } from '../../src/api.js'
import { dhtFor, pairedByCard, Person, until } from './person.js'
import { writeSkills } from './skills.js'
import { fill, makeRoom, skip, smallDisk } from './small-disk.js'

const MiB = 1024 * 1024

t.test('a full disk: a bundle waits with its sender, and comes once there is room', { skip }, async (t) => {
  const [ann, bob] = await pairedByCard(
    t,
    await dhtFor(t),
    (person) => person.name === 'Bob' && smallDisk(t, person, 16)
  )
  const files = { 'a.bin': 2 * MiB }
  await ann.run(
    'import',
    await writeSkills(join(ann.folder, 'skills'), [{ name: 'show-film', body: 'On.', files }])
  )
  await bob.up()
  await fill(bob, 1 * MiB)
  await ann.up()
  const sent = await ann.run<Sent>('send', '@show-film', 'Bob')
  await until(async () => bob.said.includes('E_DISK_FULL'))
  await makeRoom(bob)
  t.match(await bob.arrived(1), [{ id: sent.id, state: 'waiting' }])
  await until(async () => (await ann.sent(sent.id))?.state === 'received')
  t.match(await bob.run<CheckReport>('check'), { ok: true })
})

t.test('a home on a disk that can only be read', { skip }, async (t) => {
  const ann = await Person.before(t, '127.0.0.1:9', 'Ann')
  await smallDisk(t, ann, 8)
  await ann.run('init', '--name', 'Ann')
  execFileSync('mount', ['-o', 'remount,ro', ann.folder])
  for (const argv of [['list'], ['up'], ['new', 'X', '--summary', 'x', '--body', 'x']]) {
    t.match(await ann.refused(...argv), { code: 'E_READ_ONLY' })
  }
  execFileSync('mount', ['-o', 'remount,rw', ann.folder])
  t.equal((await ann.run<Listed[]>('list')).length, 3)
})
