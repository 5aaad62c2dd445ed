import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { link, mkdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { isWithin, openGranted } from '../../src/agent/granted.js'
import { swapping } from './swapping.js'
import { folder } from '../devices/devices.js'

/** What is read of a path by a grant; null where it isn’t opened. */
async function read(path: string, root: string): Promise<string | null> {
  const handle = await openGranted(path, root)
  if (!handle) return null
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** A granted folder with `in.txt`, beside `out/secret.txt`, which isn’t granted. */
async function places(t: Test): Promise<{ root: string; out: string }> {
  const base = await folder(t)
  const [root, out] = [join(base, 'granted'), join(base, 'out')]
  await mkdir(join(root, 'sub'), { recursive: true })
  await mkdir(out)
  await writeFile(join(root, 'in.txt'), 'in')
  await writeFile(join(root, 'sub/deep.txt'), 'deep')
  await writeFile(join(out, 'secret.txt'), 'secret')
  await writeFile(join(out, 'deep.txt'), 'secret')
  return { root, out }
}

t.test('a path is within a folder by its names, not by its letters', async (t) => {
  t.ok(isWithin('/a/b', '/a/b'))
  t.ok(isWithin('/a/b/c', '/a/b'))
  t.ok(isWithin('/a', '/'))
  t.notOk(isWithin('/a/bc', '/a/b'))
  t.notOk(isWithin('/a', '/a/b'))
})

t.test('what lies in the granted folder is opened, whatever way its path takes', async (t) => {
  const { root } = await places(t)
  t.equal(await read(join(root, 'in.txt'), root), 'in')
  t.equal(await read(`${root}/sub/../in.txt`, root), 'in')
  await symlink(join(root, 'sub'), join(root, 'other'))
  t.equal(await read(join(root, 'other/deep.txt'), root), 'deep', 'by a link that stays in it')
  t.equal(await read(join(root, 'in.txt'), join(root, 'in.txt')), 'in', 'a file can be what is granted')
})

t.test('nothing outside is opened, by whatever way', async (t) => {
  const { root, out } = await places(t)
  await symlink(join(out, 'secret.txt'), join(root, 'link.txt'))
  await symlink(out, join(root, 'folder'))
  await symlink('../out', join(root, 'relative'))
  await symlink('in.txt', join(root, 'inside.txt'))
  const ways = [
    join(out, 'secret.txt'),
    `${root}/../out/secret.txt`,
    `${root}/sub/../../out/secret.txt`,
    join(root, 'link.txt'),
    join(root, 'folder/secret.txt'),
    join(root, 'relative/secret.txt'),
    join(root, 'folder/../out/secret.txt'),
    `${root}-not/in.txt`
  ]
  for (const way of ways) t.equal(await read(way, root), null, way)
  t.equal(await read(join(root, 'inside.txt'), root), null, 'nor a link to what is in it')
  t.equal(await read(join(root, 'gone.txt'), root), null, 'nor what isn’t there')
  t.equal(await read(root, root), null, 'nor a folder')
})

t.test('a pipe isn’t opened: whoever waits at its other end goes on waiting', async (t) => {
  const { root } = await places(t)
  const pipe = join(root, 'pipe')
  await once(spawn('mkfifo', [pipe]), 'close')
  const writer = spawn('sh', ['-c', 'echo hello > "$1"', 'sh', pipe])
  const written = once(writer, 'close')
  t.equal(await read(pipe, root), null)
  // Had it been opened, the writer would have written or been broken off by now.
  const reader = spawn('cat', [pipe])
  t.equal(await text(reader.stdout), 'hello\n')
  await written
})

t.test('a file that two folders have is in each of them', async (t) => {
  const { root, out } = await places(t)
  await link(join(out, 'secret.txt'), join(root, 'shared.txt'))
  t.equal(await read(join(root, 'shared.txt'), root), 'secret')
})

t.test('a folder that is swapped all the time never leads out', async (t) => {
  const { root, out } = await places(t)
  await swapping(t, root, out)
  const found = { deep: 0, nothing: 0, secret: 0 }
  // Until both were met, however the two processes take turns.
  for (let i = 0; i < 3000 || found.deep === 0 || found.nothing === 0; i++) {
    const text = await read(join(root, 'sub/deep.txt'), root)
    found[(text ?? 'nothing') as keyof typeof found]++
  }
  t.equal(found.secret, 0)
})

t.test('what was opened is read to its end when it is moved or replaced meanwhile', async (t) => {
  const { root, out } = await places(t)
  const path = join(root, 'in.txt')
  const handle = (await openGranted(path, root))!
  await writeFile(join(root, 'new.txt'), 'new')
  await rename(join(root, 'new.txt'), path)
  t.equal(await handle.readFile('utf8'), 'in')
  await handle.close()
  t.equal(await read(path, root), 'new')
  await unlink(path)
  await symlink(join(out, 'secret.txt'), path)
  t.equal(await read(path, root), null)
  await rm(root, { recursive: true })
  t.equal(await read(path, root), null)
  t.equal(await readFile(join(out, 'secret.txt'), 'utf8'), 'secret')
})
