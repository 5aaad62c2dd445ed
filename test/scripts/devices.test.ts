import { existsSync, readdirSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import type { CheckReport, FolderImport, Invite, Listed, NodeApi, OwnDevice, Shown } from '../../src/api.js'
import { attach } from '../../src/attach/client.js'
import type { Joined } from '../../src/join.js'
import type { Recovered } from '../../src/recover.js'
import { dhtFor, Person, until } from './person.js'
import { writeSkills } from './skills.js'

const MiB = 1024 * 1024

/** Someone’s first device, and the words of the identity. */
async function firstOf(t: Tap, network: string, name: string): Promise<[laptop: Person, words: string]> {
  const laptop = await Person.before(t, network, name)
  const { words } = await laptop.run<{ words: string }>('init', '--name', name)
  return [laptop, words]
}

type Tap = Parameters<typeof Person.before>[0]

/** A home that isn’t made yet, and an invite that makes it a device of someone whose node is up. */
async function invited(t: Tap, network: string, by: Person): Promise<[device: Person, invite: string]> {
  const device = await Person.before(t, network, by.name)
  return [device, (await by.run<Invite>('device', 'invite', '--expires', '5m')).invite]
}

function joinAs(device: Person, invite: string, name: string): Promise<Joined> {
  return device.run<Joined>('device', 'join', invite, '--device-name', name)
}

/** Bytes of a home’s store; what vanishes meanwhile counts nothing. */
function sizeOf({ home }: Person): number {
  const folder = join(home, 'store')
  if (!existsSync(folder)) return 0
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.reduce(
    (sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0),
    0
  )
}

/** Waits until a home’s store has grown over a size. */
async function grown(device: Person, size: number): Promise<void> {
  const end = Date.now() + 30_000
  while (sizeOf(device) <= size) {
    if (Date.now() > end) throw new Error('nothing comes')
    await setTimeout(1)
  }
}

/** Uses the node of a home that is up. */
async function within<T>({ home }: Person, step: (node: NodeApi) => Promise<T>): Promise<T> {
  const node = (await attach(home))!
  try {
    return await step(node)
  } finally {
    await node.close()
  }
}

/**
 * Lets two devices that are up hear all that either has said, and waits until they show
 * the same, byte for byte, and a check finds nothing; gives all slugs.
 */
async function alike(t: Tap, one: Person, other: Person): Promise<string[]> {
  const slugs = await within(one, (mine) =>
    within(other, async (theirs) => {
      for (const [from, to] of [
        [mine, theirs],
        [theirs, mine]
      ] as const) {
        const { uid } = await from.create({ title: 'Last', summary: 'Said last.', body: 'Nothing.' })
        const last = await until(async () => (await to.list()).find((skill) => skill.uid === uid))
        await to.delete(last.slug)
      }
      const list = (node: NodeApi): Promise<string> => node.list().then((listed) => JSON.stringify(listed))
      await until(async () => {
        const here = await list(mine)
        return here === (await list(theirs)) && !here.includes('Said last.')
      })
      for (const node of [mine, theirs]) await until(async () => (await node.check()).ok)
      for (const { refused } of [...(await mine.devices()), ...(await theirs.devices())]) t.equal(refused, 0)
      const all = (await mine.list()).map(({ slug }) => slug)
      const shown = async (node: NodeApi): Promise<string> =>
        JSON.stringify(await Promise.all(all.map((slug) => node.show(slug))))
      t.ok((await shown(mine)) === (await shown(theirs)), 'every skill is shown alike')
      return all
    })
  )
  const [mine, theirs] = await Promise.all([one, other].map((device) => device.command(['list', '--json'])))
  t.ok(mine!.stdout === theirs!.stdout, 'and listed alike')
  for (const device of [one, other]) t.match(await device.run<CheckReport>('check'), { ok: true })
  return slugs
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

  const before = sizeOf(desktop)
  await Promise.all([laptop.up(), desktop.up()])
  await grown(desktop, before + MiB)
  await desktop.kill('SIGKILL')
  const cut = sizeOf(desktop)
  t.ok(cut < before + 8 * MiB, `it was cut after ${cut - before} bytes`)
  await desktop.up()
  await grown(desktop, cut + MiB)
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

t.test('removed with the words, and recovered by them', async (t) => {
  const dht = await dhtFor(t)
  const [laptop, words] = await firstOf(t, dht, 'Ann')
  await laptop.up()
  const [desktop, invite] = await invited(t, dht, laptop)
  await joinAs(desktop, invite, 'desktop')
  const [phone, other] = await invited(t, dht, laptop)
  await joinAs(phone, other, 'phone')
  await Promise.all([desktop.up(), phone.up()])
  await within(laptop, (node) => until(async () => (await node.devices()).every(({ online }) => online)))

  const remove = ['device', 'remove', 'phone', '--yes', '--json']
  t.match((await laptop.command(remove, 'abandon '.repeat(24))).stdout, 'E_WORDS')
  t.equal((await laptop.command(remove, words)).status, 0)
  await within(desktop, (node) => until(async () => (await node.devices()).length === 2))
  await laptop.run('new', 'Secret', '--summary', 'x', '--body', 'Not for the phone.')
  await within(desktop, (node) =>
    until(async () => (await node.list()).some(({ slug }) => slug === 'secret'))
  )
  t.notOk((await phone.run<Listed[]>('list')).some(({ slug }) => slug === 'secret'))
  await desktop.kill('SIGKILL')
  await desktop.up()
  await alike(t, laptop, desktop)

  await laptop.kill()
  const tablet = await Person.before(t, dht, 'Ann')
  const { stdout } = await tablet.command(['recover', '--device-name', 'tablet', '--json'], words)
  t.match(JSON.parse(stdout) as Recovered, { reached: true, name: 'Ann', deviceName: 'tablet', skills: 4 })
  t.ok((await tablet.run<Listed[]>('list')).some(({ slug }) => slug === 'secret'))
})
