import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { replaceFile } from '../../src/base/replace-file.js'

t.test('a file that could not be put in place left its draft behind', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'grants.json')
  await replaceFile(path, 'one')
  await replaceFile(path, 'two')
  t.equal(await readFile(path, 'utf8'), 'two')
  t.equal((await stat(path)).mode & 0o777, 0o600)
  await mkdir(join(folder, 'taken'))
  await t.rejects(replaceFile(join(folder, 'taken'), 'x'))
  t.same((await readdir(folder)).sort(), ['grants.json', 'taken'])
})
