import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { NodeApi } from '../../src/api.js'
import type { MissingFiles } from '../../src/devices/files.js'
import { joinHome } from '../../src/join.js'
import { initHome, openNode } from '../../src/node.js'
import { startTestnet } from '../../src/wire/testnet.js'

const MiB = 1024 * 1024

/** A laptop and a desktop of one person; `free` says how much room the desktop has. */
async function pair(
  t: Test,
  free: () => Promise<number>
): Promise<{ laptop: NodeApi; desktop: NodeApi; folder: string }> {
  const dht = await startTestnet()
  const bootstrap = [dht.address]
  const folder = await mkdtemp(join(tmpdir(), 'selkie-test-'))
  const onProblem = (error: unknown): void => void t.fail('a node fails', { error })
  const options = { bootstrap, online: true, passphrase: async () => '', onProblem }
  await initHome({ home: join(folder, 'laptop'), name: 'Ana' })
  const laptop = await openNode({ ...options, home: join(folder, 'laptop') })
  const { invite } = await laptop.deviceInvite({ expiresInSeconds: 60 })
  const home = join(folder, 'desktop')
  await joinHome({ home, invite, deviceName: 'desktop', bootstrap })
  const desktop = await openNode({ ...options, home, freeSpace: free })
  t.teardown(async () => {
    await laptop.close()
    await desktop.close()
    await dht.close()
    await rm(folder, { recursive: true })
  })
  return { laptop, desktop, folder }
}

async function folderWith(parent: string, name: string, files: Record<string, Uint8Array>): Promise<string> {
  const folder = join(parent, name)
  await mkdir(join(folder, 'scripts'), { recursive: true })
  await writeFile(join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: Does it.\n---\nDo it.\n`)
  for (const [path, bytes] of Object.entries(files))
    await writeFile(join(folder, path), bytes, { mode: 0o755 })
  return folder
}

/** Looks again and again until it is so; the test's own time ends it. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(10)
}

/** What is missing on the device that is asked. */
async function missingOn(node: NodeApi): Promise<MissingFiles | undefined> {
  return (await node.devices())[0]!.missing
}

t.test('files follow, byte for byte, with their exec bits', async (t) => {
  const { laptop, desktop, folder } = await pair(t, async () => 1024 * MiB)
  const files = { 'scripts/run.sh': Buffer.from('#!/bin/sh\necho hi\n'), 'big.bin': randomBytes(3 * MiB) }
  await laptop.importFolders([await folderWith(folder, 'films', files)])
  await until(async () => (await desktop.list()).some(({ slug }) => slug === 'films'))
  await until(async () => (await desktop.check()).ok)
  await laptop.close()
  const out = join(folder, 'out')
  await desktop.exportFolders(['films'], out, { closure: false })
  for (const [path, bytes] of Object.entries(files)) {
    t.ok((await readFile(join(out, 'films', path))).equals(bytes), path)
  }
  t.ok((await stat(join(out, 'films', 'scripts/run.sh'))).mode & 0o100, 'it may be run there too')
  t.match(await desktop.check(), { ok: true, files: 2 })
})

t.test('a device without room says so, keeps working, and fetches when there is room', async (t) => {
  let room = 0
  const { laptop, desktop, folder } = await pair(t, async () => room)
  await laptop.importFolders([await folderWith(folder, 'films', { 'big.bin': randomBytes(MiB) })])
  await until(async () => (await missingOn(desktop))?.reason === 'space')
  t.same(await missingOn(desktop), { files: 1, bytes: MiB, reason: 'space' })
  await t.rejects(desktop.exportFolders(['films'], join(folder, 'out'), { closure: false }), {
    code: 'E_FILE_AWAY'
  })
  await desktop.edit('films', { body: 'Do it twice.' })
  await until(async () => (await laptop.show('films')).body === 'Do it twice.')
  room = 1024 * MiB
  // Whatever comes next makes it look again.
  await laptop.importFolders([await folderWith(folder, 'songs', { 'song.bin': randomBytes(1000) })])
  await until(async () => (await desktop.list()).some(({ slug }) => slug === 'songs'))
  await until(async () => (await desktop.check()).ok)
  t.match(await desktop.check(), { ok: true, files: 2 })
})
