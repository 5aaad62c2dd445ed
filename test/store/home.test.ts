import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { initHome, openNode } from '../../src/node.js'

const passphrase = async (): Promise<string> => ''

t.test('a home in a folder that was there was open to everyone', async (t) => {
  const home = join(t.testdir({ empty: {} }), 'empty')
  await chmod(home, 0o755)
  await initHome({ home, name: 'Ana' })
  for (const closed of ['', 'keys', 'store', 'bundles', 'bundles/in', 'bundles/out'])
    t.equal(
      (await stat(join(home, closed))).mode & 0o777,
      0o700,
      `${closed || 'the home'} is its owner’s alone`
    )
})

t.test('a folder that holds something else stays as it is', async (t) => {
  const home = join(t.testdir({ shared: { 'thesis.md': '#' } }), 'shared')
  await chmod(home, 0o755)
  await t.rejects(initHome({ home, name: 'Ana' }), { code: 'E_HOME_FOREIGN' })
  t.equal((await stat(home)).mode & 0o777, 0o755)
})

t.test('each opening left 48 kB of what the database tells of itself', async (t) => {
  const home = join(t.testdir({}), 'home')
  await initHome({ home, name: 'Ana' })
  for (let n = 0; n < 5; n++) await (await openNode({ home, passphrase })).close()
  const logs = (await readdir(join(home, 'store', 'db'))).filter((name) => name.startsWith('LOG'))
  t.equal(logs.length, 2, 'the present and the last')
})

t.test('init never returned where no folder can be', { skip: process.platform !== 'linux' }, async (t) => {
  await t.rejects(initHome({ home: '/proc/nope', name: 'Ana' }), { code: 'E_HOME_FOLDER' })
})
