import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { passphraseIn } from '../../src/cli/passphrase-file.js'

t.test('an empty passphrase file was taken, and then the keys had no passphrase', async (t) => {
  const path = join(t.testdir(), 'passphrase')
  for (const text of ['', '\n', '\r\n', ' \n\n']) {
    await writeFile(path, text, { mode: 0o600 })
    await t.rejects(passphraseIn(path), { code: 'E_PASSPHRASE_EMPTY' }, JSON.stringify(text))
  }
})

t.test('a passphrase file that others may read was taken', async (t) => {
  const path = join(t.testdir({ passphrase: 'sesame\n' }), 'passphrase')
  for (const mode of [0o644, 0o640, 0o604, 0o602]) {
    await chmod(path, mode)
    await t.rejects(passphraseIn(path), { code: 'E_PASSPHRASE_OPEN', hint: /chmod 600/ }, mode.toString(8))
  }
  await chmod(path, 0o400)
  t.equal(await passphraseIn(path), 'sesame')
})

t.test('a passphrase keeps its spaces, and loses one line end', async (t) => {
  const path = join(t.testdir(), 'passphrase')
  await writeFile(path, ' open  sesame \r\n', { mode: 0o600 })
  t.equal(await passphraseIn(path), ' open  sesame ')
  await t.rejects(passphraseIn(`${path}-none`), { code: 'E_INPUT_FILE' })
  await chmod(t.testdirName, 0o700)
  await t.rejects(passphraseIn(t.testdirName), { code: 'E_INPUT_FILE' }, 'a folder')
})
