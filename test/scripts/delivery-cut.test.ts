import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import type { CheckReport, Delivery, FolderExport, Imported, Sent } from '../../src/api.js'
import { sizeOf } from '../store/size-of.js'
import { dhtFor, pairedByCard, Person, until } from './person.js'
import { writeSkills } from './skills.js'

const MiB = 1024 * 1024

t.test('both sides killed again and again while ten megabytes go across', async (t) => {
  const [ann, bob] = await pairedByCard(t, await dhtFor(t))
  const folder = await writeSkills(join(ann.folder, 'skills'), [
    { name: 'show-film', body: 'Then @play-music.', files: { 'film.bin': 7 * MiB } },
    { name: 'play-music', body: 'Aloud.', files: { 'music.bin': 3 * MiB } }
  ])
  await ann.run('import', folder)

  // Killed while it seals and queues: it is queued, or it isn’t, and the same again sends it once.
  for (const step of ['bundles/out', 'store/db'])
    await killedOnceItWrites(ann, step, ['send', '@show-film', 'Bob'])
  const sent = await ann.run<Sent>('send', '@show-film', 'Bob')
  t.equal((await ann.run<Delivery[]>('outbox')).length, 1)

  await Promise.all([ann.up(), bob.up()])
  const empty = sizeOf(join(bob.home, 'store'))
  for (const [i, part] of [0.05, 0.2, 0.4, 0.5, 0.7, 0.9].entries()) {
    const killed = i % 2 === 0 ? bob : ann
    await until(async () => sizeOf(join(bob.home, 'store')) - empty > part * sent.bytes || hasArrived(bob))
    await killed.kill('SIGKILL')
    await killed.up()
  }
  t.match(await bob.arrived(1), [{ id: sent.id, state: 'waiting', bytes: sent.bytes }])
  await until(async () => (await ann.sent(sent.id))?.state === 'received')
  t.equal((await bob.run<Delivery[]>('inbox')).length, 1)

  // Killed while it takes the bundle in: all of it is there or nothing is.
  await bob.kill()
  await bob.run('review', sent.id)
  await killedOnceItWrites(bob, 'store/db', ['accept', sent.id])
  const [{ state }] = (await bob.run<Delivery[]>('inbox')) as [Delivery]
  if (state === 'waiting') await bob.run<Imported>('accept', sent.id)
  await bob.up()
  await until(async () => (await ann.sent(sent.id))?.state === 'imported')

  const out = join(bob.folder, 'out')
  const { exported } = await bob.run<FolderExport>('export', '@show-film', '--closure', '--to', out)
  t.same(
    exported.map(({ slug }) => slug),
    ['show-film', 'play-music']
  )
  for (const file of ['show-film/film.bin', 'play-music/music.bin']) {
    t.ok((await readFile(join(folder, file))).equals(await readFile(join(out, file))), `${file} is the same`)
  }
  for (const person of [ann, bob]) t.match(await person.run<CheckReport>('check'), { ok: true })
})

function hasArrived(person: Person): boolean {
  return readdirSync(join(person.home, 'bundles', 'in')).some((name) => name.endsWith('.selkie'))
}

/** Runs a command that is killed as soon as a folder of the home has grown by half a megabyte. */
async function killedOnceItWrites(person: Person, folder: string, argv: string[]): Promise<void> {
  const path = join(person.home, folder)
  const before = sizeOf(path)
  const running = person.start(argv)
  while (running.exitCode === null && sizeOf(path) - before < MiB / 2) await setTimeout(1)
  await Person.end(running, 'SIGKILL')
}
