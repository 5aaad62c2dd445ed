import { execFileSync } from 'node:child_process'
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { ModelChoice } from '../../src/agent-api.js'
import { isSelkieError, type ErrorCode } from '../../src/base/errors.js'
import { modelAddress } from '../../src/agent/models/address.js'
import { readChoice, saveChoice, showChoice } from '../../src/agent/models/choice.js'
import { openModel } from '../../src/agent/models/open.js'
import { startOpenAi } from './openai-server.js'
import { contents, refused } from './refused.js'

const KEY = 'sk-0123456789abcdef'
const URL = 'http://127.0.0.1:8080/v1'
const PLAIN: ModelChoice = { kind: 'url', url: URL, model: 'qwen3' }

/** A home, and a key file that only its owner may read. */
async function home(t: Test): Promise<{ home: string; keyFile: string }> {
  const home = t.testdir()
  const keyFile = join(home, 'key')
  await writeFile(keyFile, `${KEY}\n`, { mode: 0o600 })
  return { home, keyFile }
}

t.test('none, one, another, none again', async (t) => {
  const home = t.testdir()
  t.equal(await readChoice(home), null)
  t.same(await showChoice(home, {}), { kind: 'none' })
  const error = await refused(t, openModel(home, {}), 'E_MODEL_NONE')
  t.match(error.hint, /selkie model set --url .* --model NAME \[--key-env NAME\].*--gguf FILE/)
  await saveChoice(home, { ...PLAIN, url: `${URL}///` })
  t.same(await readChoice(home), PLAIN)
  t.same(await showChoice(home, {}), { ...PLAIN, key: 'none', keyFrom: null })
  t.equal((await stat(join(home, 'model.json'))).mode & 0o777, 0o600)
  await saveChoice(home, { ...PLAIN, model: 'other/model name' })
  t.match(await readChoice(home), { model: 'other/model name' })
  t.same(await readdir(home), ['model.json'], 'no draft is left')
  await saveChoice(home, null)
  await saveChoice(home, null)
  t.equal(await readChoice(home), null)
})

t.test('a key is read where it is said to be, at each use, and kept nowhere', async (t) => {
  const { home: folder, keyFile } = await home(t)
  const server = await startOpenAi([{ text: 'a' }, { text: 'b' }], { key: KEY })
  t.teardown(() => server.close())
  const signal = new AbortController().signal
  for (const [from, env, keyFrom] of [
    [{ keyEnv: 'MY_KEY' }, { MY_KEY: KEY }, '$MY_KEY'],
    [{ keyFile }, {}, keyFile]
  ] as const) {
    await saveChoice(folder, { ...PLAIN, url: server.url, ...from })
    const shown = await showChoice(folder, env)
    t.same(shown, { ...PLAIN, url: server.url, key: 'there', keyFrom })
    const model = await openModel(folder, env)
    t.match(await model.answer({ system: '', messages: [], tools: [] }, { signal }), { end: 'done' })
    const kept = await readFile(join(folder, 'model.json'), 'utf8')
    t.notMatch(`${kept}${JSON.stringify(shown)}${contents(model)}`, KEY)
  }
})

t.test('a key that isn’t there, and then is', async (t) => {
  const { home: folder, keyFile } = await home(t)
  await saveChoice(folder, { ...PLAIN, keyEnv: 'MY_KEY' })
  t.match(await showChoice(folder, {}), { key: 'missing', keyFrom: '$MY_KEY' })
  t.match((await refused(t, openModel(folder, {}), 'E_MODEL_KEY_MISSING')).message, '$MY_KEY')
  t.match(await showChoice(folder, { MY_KEY: KEY }), { key: 'there' })
  t.equal((await openModel(folder, { MY_KEY: KEY })).name, 'qwen3')

  await saveChoice(folder, { ...PLAIN, keyFile })
  await rm(keyFile)
  t.match(await showChoice(folder, {}), { key: 'missing', keyFrom: keyFile })
  t.match((await refused(t, openModel(folder, {}), 'E_MODEL_KEY_MISSING')).message, keyFile)
  await refused(
    t,
    saveChoice(folder, { ...PLAIN, keyFile }),
    'E_MODEL_KEY_MISSING',
    'it is looked for at once'
  )
  await writeFile(keyFile, KEY, { mode: 0o600 })
  t.match(await showChoice(folder, {}), { key: 'there' })
})

t.test('a key file that others may read is refused, wherever it is used', async (t) => {
  const { home: folder, keyFile } = await home(t)
  const choice = { ...PLAIN, keyFile }
  await saveChoice(folder, choice)
  for (const mode of [0o644, 0o640, 0o604, 0o620, 0o601]) {
    await chmod(keyFile, mode)
    for (const use of [
      () => saveChoice(folder, choice),
      () => showChoice(folder, {}),
      () => openModel(folder, {})
    ]) {
      const error = await refused(t, use(), 'E_MODEL_KEYFILE', mode.toString(8))
      t.notMatch(contents(error), KEY)
    }
  }
  await chmod(keyFile, 0o400)
  t.match(await showChoice(folder, {}), { key: 'there' })
})

t.test('what can’t be a key is none, and isn’t said', async (t) => {
  const { home: folder, keyFile } = await home(t)
  for (const key of ['', ' \n', `${KEY}\n${KEY}`, `${KEY} x`, `${KEY}ä`, `${KEY}\u0000`, KEY.repeat(1000)]) {
    await writeFile(keyFile, KEY)
    await saveChoice(folder, { ...PLAIN, keyFile })
    await writeFile(keyFile, key)
    t.match(await showChoice(folder, {}), { key: 'missing' })
    t.notMatch(contents(await refused(t, openModel(folder, {}), 'E_MODEL_KEY_MISSING')), KEY)
  }
  await saveChoice(folder, { ...PLAIN, keyEnv: 'MY_KEY' })
  const error = await refused(t, openModel(folder, { MY_KEY: `${KEY}\n${KEY}` }), 'E_MODEL_KEY_MISSING')
  t.notMatch(contents(error), KEY)
})

t.test('what is no file isn’t waited for', { skip: process.platform === 'win32' }, async (t) => {
  const folder = t.testdir({ folder: {} })
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', ['-m', '600', pipe])
  for (const keyFile of [pipe, join(folder, 'folder')]) {
    await refused(t, saveChoice(folder, { ...PLAIN, keyFile }), 'E_MODEL_KEY_MISSING', keyFile)
    await refused(t, saveChoice(folder, { kind: 'gguf', file: keyFile }), 'E_MODEL_GGUF', keyFile)
  }
})

t.test('what can’t be set isn’t, and the one before stays', async (t) => {
  const { home: folder, keyFile } = await home(t)
  await saveChoice(folder, PLAIN)
  const choices: [unknown, ErrorCode][] = [
    ...[
      '',
      'x',
      'localhost:8080',
      'ftp://127.0.0.1/v1',
      'file:///etc/passwd',
      `${URL}?key=${KEY}`,
      `${URL}#${KEY}`
    ].map((url): [unknown, ErrorCode] => [{ ...PLAIN, url }, 'E_MODEL_CHOICE']),
    [{ ...PLAIN, url: `https://me:${KEY}@example.com/v1` }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, url: `https://${KEY}@example.com/v1` }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, url: 'http://example.com/v1' }, 'E_MODEL_PLAIN'],
    [{ ...PLAIN, model: '' }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, model: ' x' }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, model: 'x\u001b[2J' }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, model: 'a\nb' }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, model: 'x'.repeat(257) }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, keyEnv: 'MY-KEY' }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, keyEnv: KEY }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, keyEnv: 'AIzaLikeSomeKeys' }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, keyEnv: 'A', keyFile }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, keyFile: 'key' }, 'E_MODEL_CHOICE'],
    [{ ...PLAIN, key: KEY }, 'E_MODEL_CHOICE'],
    [{ kind: 'gguf', file: 'model.gguf' }, 'E_MODEL_CHOICE'],
    [{ kind: 'gguf', file: join(folder, 'none.gguf') }, 'E_MODEL_GGUF'],
    [{ kind: 'gguf', file: keyFile }, 'E_MODEL_GGUF'],
    [{ kind: 'other' }, 'E_MODEL_CHOICE'],
    [[], 'E_MODEL_CHOICE']
  ]
  for (const [choice, code] of choices) {
    const error = await refused(t, saveChoice(folder, choice as ModelChoice), code, JSON.stringify(choice))
    t.notMatch(contents(error), KEY)
  }
  t.same(await readChoice(folder), PLAIN)
})

t.test('a file of the home that says something else', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'model.json')
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    '{"kind":"url"}',
    `{"kind":"url","url":"${URL}","model":"m","key":"x"}`
  ]) {
    await writeFile(path, text)
    const error = await refused(t, openModel(folder, {}), 'E_MODEL_FILE', text)
    t.match(error.message, path)
  }
  await writeFile(path, JSON.stringify({ ...PLAIN, url: 'http://example.com/v1' }))
  await refused(t, openModel(folder, {}), 'E_MODEL_PLAIN')
  await saveChoice(folder, PLAIN)
  t.same(await readChoice(folder), PLAIN, 'it can be set anew')
})

t.test('http is only for the machine and its own network', (t) => {
  const near =
    'localhost localhost:8080 nas nas.local box.lan a.home.arpa 127.0.0.1 127.9.9.9 10.1.2.3 172.16.0.1 172.31.9.9 192.168.1.2 169.254.1.1 0.0.0.0 [::1] [fe80::1] [fd12::1] [::ffff:192.168.1.2] 0x7f.1 2130706433'
  for (const host of near.split(' ')) t.doesNotThrow(() => modelAddress(`http://${host}/v1`), host)
  const far =
    'example.com localhost.example.com 8.8.8.8 172.32.0.1 172.15.9.9 192.169.0.1 11.0.0.1 [2001:db8::1] [::ffff:8.8.8.8] local.example 134744072 xn--lcal-vqa.com'
  for (const host of far.split(' ')) {
    t.throws(() => modelAddress(`http://${host}/v1`), { code: 'E_MODEL_PLAIN' }, host)
    t.equal(modelAddress(`https://${host}:8443/v1/`), modelAddress(`https://${host}:8443/v1`), host)
  }
  t.end()
})

t.test('an address that is taken is kept as it is, and holds no secret', (t) => {
  const property = fc.property(
    fc.webUrl({
      withQueryParameters: true,
      withFragments: true,
      authoritySettings: { withUserInfo: true, withPort: true }
    }),
    (given) => {
      try {
        const address = modelAddress(given)
        t.equal(modelAddress(address), address)
        // In a path an @ is a letter.
        t.notMatch(address, /^\w+:\/\/[^/]*@|[?#]|\/$/)
      } catch (error) {
        t.ok(isSelkieError(error, 'E_MODEL_CHOICE') || isSelkieError(error, 'E_MODEL_PLAIN'), given)
      }
    }
  )
  fc.assert(property, { numRuns: 200 })
  t.end()
})
