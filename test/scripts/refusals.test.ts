import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { CheckReport } from '../../src/api.js'
import { dhtFor, Person } from './person.js'

const NOWHERE = '127.0.0.1:9'

t.test('what is asked for isn’t there', async (t) => {
  const ann = await Person.of(t, await dhtFor(t), 'Ann')
  await ann.up()
  for (const [code, argv] of [
    ['E_SLUG_UNKNOWN', ['show', '@fetch-fiel']],
    ['E_SLUG_UNKNOWN', ['send', '@nothing', 'Bob']],
    ['E_SLUG_TOOL', ['send', '@find-file', 'Bob']],
    ['E_SLUG_FORM', ['rename', '@fetch-file', 'Not A Slug']],
    ['E_SLUG_TAKEN', ['rename', '@fetch-file', 'find-file']],
    ['E_MENTIONED', ['delete', '@fetch-file']],
    ['E_MENTIONS', ['edit', '@fetch-file', '--body', 'Ask @nobody.']],
    ['E_VERSION_UNKNOWN', ['show', '@fetch-file', '--version', '00000000']],
    ['E_CONTACT_UNKNOWN', ['send', '@fetch-file', 'Bob']],
    ['E_CONTACT_UNKNOWN', ['forget', 'Bob', '--yes']],
    ['E_DELIVERY_UNKNOWN', ['review', 'abcdef']],
    ['E_DELIVERY_UNKNOWN', ['accept', 'abcdef']],
    ['E_DELIVERY_UNKNOWN', ['decline', 'a']],
    ['E_FOLDER', ['import', join(ann.folder, 'nowhere')]],
    ['E_FILE_READ', ['receive', join(ann.folder, 'nowhere.selkie')]],
    ['E_FILE_READ', ['receive', ann.folder]],
    ['E_FILE_READ', ['receive', '/dev/zero']],
    ['E_INPUT_FILE', ['pair', '--card', join(ann.folder, 'nowhere')]],
    ['E_INPUT_FILE', ['new', 'X', '--summary', 'x', '--body-file', ann.folder]],
    ['E_OUTPUT_FILE', ['card', '--out', join(ann.folder, 'nowhere', 'card')]],
    ['E_INVITE_FORM', ['pair', 'not-an-invite']],
    ['E_USAGE', ['show']],
    ['E_USAGE', ['accpt', 'abcdef']],
    ['E_USAGE', ['list', '--sorted']],
    ['E_USAGE', ['invite', '--expires', 'soon']],
    ['E_USAGE', ['invite', '--expires', '30d']]
  ] as const) {
    t.match(await ann.refused(...argv), { code }, argv.join(' '))
  }
  t.match(await ann.command(['show', '@fetch-fiel']), {
    status: 1,
    stdout: '',
    stderr: /^There is no skill @fetch-fiel here\.\n.*fetch-file.*\(E_SLUG_UNKNOWN\)\n$/
  })
})

t.test('a home that can’t be used', async (t) => {
  const ann = await Person.before(t, NOWHERE, 'Ann')
  t.match(await ann.refused('list'), { code: 'E_HOME_NONE' })
  await mkdir(ann.home)
  await writeFile(join(ann.home, 'letter.txt'), 'Dear Bob')
  t.match(await ann.refused('init', '--name', 'Ann'), { code: 'E_HOME_FOREIGN', message: /letter\.txt/ })
  t.same(await readdir(ann.home), ['letter.txt'], 'which is left as it was')

  const file = await Person.before(t, NOWHERE, 'File')
  await writeFile(file.home, '')
  t.match(await file.refused('init', '--name', 'File'), { code: 'E_HOME_FOLDER' })

  const bob = await Person.of(t, NOWHERE, 'Bob')
  t.match(await bob.refused('init', '--name', 'Bob'), { code: 'E_HOME_EXISTS' })
  const key = join(bob.home, 'keys', 'device.key')
  const whole = await readFile(key)
  await chmod(key, 0o644)
  t.match(await bob.refused('list'), { code: 'E_KEY_OPEN', hint: /chmod 600/ })
  await chmod(key, 0o600)
  for (const damaged of [Buffer.alloc(0), whole.subarray(0, -1), Buffer.alloc(whole.length)]) {
    await writeFile(key, damaged)
    t.match(await bob.refused('list'), { code: 'E_KEY_DAMAGED' })
  }
  await writeFile(key, whole)
  t.match(await bob.run<CheckReport>('check'), { ok: true }, 'with its key put back it works')
})

t.test('a home under a passphrase', async (t) => {
  const ann = await Person.before(t, await dhtFor(t), 'Ann')
  const [right, wrong] = [join(ann.folder, 'right'), join(ann.folder, 'wrong')]
  await writeFile(right, 'correct horse\n', { mode: 0o600 })
  await writeFile(wrong, 'battery staple\n', { mode: 0o600 })
  await ann.run('init', '--name', 'Ann', '--passphrase-file', right)
  t.match(await ann.refused('list'), { code: 'E_PASSPHRASE_NEEDED' })
  t.match(await ann.refused('up'), { code: 'E_PASSPHRASE_NEEDED' })
  t.match(await ann.refused('list', '--passphrase-file', wrong), { code: 'E_PASSPHRASE' })
  await ann.run('list', '--passphrase-file', right)
  await ann.up('--passphrase-file', right)
  await ann.run('list')
})
