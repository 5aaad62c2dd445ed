import { execFileSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import t, { type Test } from 'tap'
import type { CheckReport, Listed, Saved, Sent, Status } from '../../src/api.js'
import { dhtFor, pairedByCard, Person, until } from './person.js'
import { writeSkills } from './skills.js'

const MiB = 1024 * 1024
const skip = canMount() ? false : 'only root can make a disk that is small'

t.test(
  'a full disk: what a node is asked is refused, and it goes on once there is room',
  { skip },
  async (t) => {
    const ann = await Person.before(t, await dhtFor(t), 'Ann')
    await smallDisk(t, ann, 8)
    await ann.run('init', '--name', 'Ann')
    await ann.up()
    const body = 'A long story. '.repeat(20_000)
    await fill(ann)
    const create = ['new', 'Tell a story', '--summary', 'How.', '--body-file', '-']
    const refused = await ann.command([...create, '--json'], body)
    t.match(JSON.parse(refused.stdout), { error: { code: 'E_DISK_FULL' } })
    await makeRoom(ann)
    await until(async () => (await ann.run<Status>('status')).online)
    t.notOk(
      (await ann.run<Listed[]>('list')).some(({ slug }) => slug === 'tell-a-story'),
      'nothing of it is there'
    )
    t.match(JSON.parse((await ann.command([...create, '--json'], body)).stdout) as Saved, {
      slug: 'tell-a-story'
    })
    t.match(await ann.run<CheckReport>('check'), { ok: true })
    t.match(ann.said, 'E_DISK_FULL', 'the node itself says so')
    t.equal(await ann.kill('SIGTERM'), 0)
  }
)

t.test('a full disk: a bundle waits with its sender, and comes once there is room', { skip }, async (t) => {
  const [ann, bob] = await pairedByCard(
    t,
    await dhtFor(t),
    (person) => person.name === 'Bob' && smallDisk(t, person, 16)
  )
  const files = { 'a.bin': 3 * MiB }
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

function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0
}

/** Puts someone’s folder on a disk of its own, of so many MiB. */
async function smallDisk(t: Test, { folder }: Person, size: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'selkie-test', folder])
  t.teardown(() => execFileSync('umount', ['--lazy', folder]))
}

/** Fills the disk of someone’s home, but for so many bytes. */
async function fill({ folder }: Person, free = 0): Promise<void> {
  const filler = join(folder, 'filler')
  const zeros = Readable.from(endless(Buffer.alloc(16 * 1024)))
  await pipeline(zeros, createWriteStream(filler)).catch(() => {})
  execFileSync('truncate', ['--size', `-${free}`, filler])
}

function* endless(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk
}

async function makeRoom({ folder }: Person): Promise<void> {
  await rm(join(folder, 'filler'))
}
