import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import type { FolderImport, OwnDevice, Shown } from '../../src/api.js'
import { sizeOf } from '../store/size-of.js'
import { alike, firstOf, invited, joinAs } from './household.js'
import { dhtFor, Person } from './person.js'
import { writeSkills } from './skills.js'

const MiB = 1024 * 1024

/** Bytes of a home’s store. */
function stored({ home }: Person): number {
  const folder = join(home, 'store')
  return existsSync(folder) ? sizeOf(folder) : 0
}

/** Waits until a home’s store has grown over a size. */
async function grown(device: Person, size: number): Promise<void> {
  while (stored(device) <= size) await setTimeout(1)
}

/** The files below a folder, by their paths. */
async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = await Promise.all(
    paths.map(async (path) => [path.slice(folder.length), await readFile(path)] as const)
  )
  return new Map(files)
}

t.test('paired, edited apart, killed while they meet: equal in the end, file by file', async (t) => {
  const dht = await dhtFor(t)
  const [laptop] = await firstOf(t, dht, 'Ann')
  await laptop.up()
  const [desktop, invite] = await invited(t, dht, laptop)
  t.match(await joinAs(desktop, invite, 'desktop'), { name: 'Ann', deviceName: 'desktop', skills: 3 })
  t.match(await laptop.run<OwnDevice[]>('devices'), [{ current: true }, { name: 'desktop', current: false }])
  await laptop.kill()

  const folder = await writeSkills(
    join(laptop.folder, 'skills'),
    Array.from({ length: 70 }, (_, n) => ({
      name: `skill-${n}`,
      body: n === 0 ? 'The first.' : `After @skill-${n - 1}.`,
      files: { 'data.bin': 120_000, [`notes-${n}.bin`]: 1000 }
    }))
  )
  const { imported } = await laptop.run<FolderImport>('import', folder)
  t.equal(imported.length, 70)
  await laptop.run('edit', '@search-info', '--body', 'On the laptop, @skill-69.')
  await desktop.run('new', 'Skill 5', '--summary', 'Of the same name.', '--body', 'On the desktop.')
  await desktop.run('edit', '@search-info', '--body', 'On the desktop.')
  await desktop.run('rename', '@fetch-file', 'get-file')

  const before = stored(desktop)
  await Promise.all([laptop.up(), desktop.up()])
  await grown(desktop, before + MiB)
  await desktop.kill('SIGKILL')
  const cut = stored(desktop)
  await desktop.up()
  // Eight at least are to come; where most of them had by then, it is killed once they all have.
  await grown(desktop, Math.min(cut + MiB, before + 8 * MiB))
  await laptop.kill('SIGKILL')
  await laptop.up()

  const slugs = await alike(t, laptop, desktop)
  t.equal(slugs.length, 74)
  t.ok(slugs.includes('skill-5-2') && slugs.includes('get-file'))
  for (const slug of ['@search-info', '@skill-5', '@skill-69']) {
    const [mine, theirs] = await Promise.all(
      [laptop, desktop].map((device) => device.run<Shown>('show', slug))
    )
    t.same(mine, theirs)
  }
  t.match(await desktop.run('conflicts'), [{ slug: 'search-info' }])

  const outs = await Promise.all(
    [laptop, desktop].map(async (device) => {
      const out = join(device.folder, 'out')
      await device.run('export', ...slugs.map((slug) => `@${slug}`), '--to', out)
      return filesBelow(out)
    })
  )
  const [mine, theirs] = outs as [Map<string, Buffer>, Map<string, Buffer>]
  t.same([...mine.keys()].toSorted(), [...theirs.keys()].toSorted())
  t.equal(mine.size, 74 + 140)
  const differing = [...mine]
    .filter(([path, bytes]) => !bytes.equals(theirs.get(path)!))
    .map(([path]) => path)
  t.same(differing, [], 'byte for byte')
})

t.test('a device that was killed while it joined is none; it joins anew', async (t) => {
  const dht = await dhtFor(t)
  const [laptop] = await firstOf(t, dht, 'Ann')
  const many = Array.from({ length: 60 }, (_, n) => ({ name: `skill-${n}`, body: 'Well.' }))
  await laptop.run('import', await writeSkills(join(laptop.folder, 'skills'), many))
  await laptop.up()
  const [desktop, invite] = await invited(t, dht, laptop)
  const joining = desktop.start(['device', 'join', invite, '--json'])
  const said = text(joining.stdout!)
  await grown(desktop, 0)
  await Person.end(joining, 'SIGKILL')
  t.equal(await said, '', 'it wasn’t done')
  t.notOk(existsSync(join(desktop.home, 'keys', 'device.key')))
  t.match(await desktop.refused('list'), { code: 'E_HOME_NONE' })
  const again = await desktop.command(['device', 'join', invite, '--json'])
  t.match(JSON.parse(again.stdout), { error: { code: 'E_INVITE_USED' } })

  const [, other] = await invited(t, dht, laptop)
  t.match(await joinAs(desktop, other, 'desktop'), { skills: 63 })
  await desktop.up()
  t.equal((await alike(t, laptop, desktop)).length, 63)
})
