import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { makeFolder } from '../../src/base/make-folder.js'

t.test('a folder that denies to be there kept the process busy for ever', { skip: !hasProc() }, async (t) => {
  await t.rejects(makeFolder('/proc/nope'), { code: 'ENOENT' })
  await t.rejects(makeFolder('/proc/nope/a/b'), { code: 'ENOENT' })
})

t.test('folders are made with those above them, closed as wanted', async (t) => {
  const root = t.testdir({})
  await makeFolder(join(root, 'a', 'b', 'c'), 0o700)
  for (const made of ['a', 'a/b', 'a/b/c']) t.equal((await stat(join(root, made))).mode & 0o777, 0o700)
  await writeFile(join(root, 'a', 'b', 'c', 'file'), 'x')
  await makeFolder(join(root, 'a', 'b', 'c'))
  t.same(await readdir(join(root, 'a', 'b', 'c')), ['file'])
  await Promise.all(Array.from({ length: 8 }, () => makeFolder(join(root, 'at', 'once'))))
  t.ok((await stat(join(root, 'at', 'once'))).isDirectory())
})

t.test('what stands in the way is refused', async (t) => {
  const root = t.testdir({ file: 'x' })
  await symlink(join(root, 'nowhere'), join(root, 'dangling'))
  await mkdir(join(root, 'real'))
  await symlink(join(root, 'real'), join(root, 'link'))
  await t.rejects(makeFolder(join(root, 'file')), { code: 'EEXIST' })
  await t.rejects(makeFolder(join(root, 'file', 'x')), { code: 'ENOTDIR' })
  await t.rejects(makeFolder(join(root, 'dangling', 'x')), { code: 'EEXIST' })
  await makeFolder(join(root, 'link', 'x'))
  t.same(await readdir(join(root, 'real')), ['x'])
})

function hasProc(): boolean {
  return process.platform === 'linux'
}
