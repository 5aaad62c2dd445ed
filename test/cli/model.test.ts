import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { saveChoice, showChoice } from '../../src/agent/models/choice.js'
import type { Env } from '../../src/agent/models/key.js'
import { serve } from '../../src/attach/server.js'
import { fakeNode, shortHome } from '../attach/fake-node.js'

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))
const KEY = 'sk-0123456789abcdef'
const SERVER = ['--url', 'http://127.0.0.1:8080/v1', '--model', 'qwen3']

/** A home with a node that has this environment, and the command run in the home’s folder. */
async function home(t: Test, env: Env = {}) {
  const home = await shortHome(t)
  const node = fakeNode({
    model: () => showChoice(home, env),
    setModel: async (choice) => {
      await saveChoice(home, choice)
      return showChoice(home, env)
    }
  })
  const server = await serve(node, home)
  t.teardown(() => server.close())
  const selkie = async (...argv: string[]) => {
    const child = spawn(process.execPath, [MAIN, ...argv], {
      cwd: home,
      env: { ...process.env, SELKIE_HOME: home, MY_KEY: KEY },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const [[status], stdout, stderr] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      text(child.stdout),
      text(child.stderr)
    ])
    t.notMatch(`${stdout}${stderr}`, KEY)
    return { status, stdout, stderr }
  }
  return { home: await realpath(home), selkie }
}

t.test('a model is set, shown and cleared', async (t) => {
  const { selkie } = await home(t)
  const none = 'No model is set. `selkie model set --url URL --model NAME` sets one.\n'
  t.same(await selkie('model'), { status: 0, stdout: none, stderr: '' })
  const set = await selkie('model', 'set', ...SERVER)
  t.match(set, {
    status: 0,
    stderr: '',
    stdout: /^model +qwen3\nat +http:\/\/127\.0\.0\.1:8080\/v1\nkey +none\n$/
  })
  t.same(await selkie('model'), set)
  const { stdout } = await selkie('model', '--json')
  const shown = { kind: 'url', url: SERVER[1], model: 'qwen3', key: 'none', keyFrom: null }
  t.same(JSON.parse(stdout), shown)
  t.same(await selkie('model', 'clear'), { status: 0, stdout: none, stderr: '' })
})

t.test('a key is that of the node’s environment, not the command’s', async (t) => {
  const without = await home(t)
  const set = ['model', 'set', ...SERVER, '--key-env', 'MY_KEY']
  t.match(await without.selkie(...set), { status: 0, stdout: /^key +missing, in \$MY_KEY$/m })
  const withKey = await home(t, { MY_KEY: KEY })
  t.match(await withKey.selkie(...set), { status: 0, stdout: /^key +there, in \$MY_KEY$/m })
  t.match(JSON.parse((await withKey.selkie('model', '--json')).stdout), { key: 'there', keyFrom: '$MY_KEY' })
})

t.test('files are those of the folder that the command runs in', async (t) => {
  const { home: folder, selkie } = await home(t)
  await writeFile(join(folder, 'key'), KEY, { mode: 0o600 })
  await writeFile(join(folder, 'tiny.gguf'), 'GGUF and so on')
  const key = await selkie('model', 'set', ...SERVER, '--key-file', 'key', '--json')
  t.match(JSON.parse(key.stdout), { key: 'there', keyFrom: join(folder, 'key') })
  const gguf = await selkie('model', 'set', '--gguf', './tiny.gguf', '--json')
  t.same(JSON.parse(gguf.stdout), { kind: 'gguf', file: join(folder, 'tiny.gguf') })
  t.same((await selkie('model')).stdout, `file  ${join(folder, 'tiny.gguf')}\n`)
})

t.test('wrong usage, and what can’t be set', async (t) => {
  const { selkie } = await home(t)
  const wrong = [
    [],
    ['--url', SERVER[1]!],
    ['--model', 'qwen3'],
    [...SERVER, '--gguf', 'x'],
    ['--gguf', 'x', '--key-env', 'MY_KEY'],
    [...SERVER, '--key-env', 'MY_KEY', '--key-file', 'key']
  ]
  for (const flags of wrong)
    t.match(await selkie('model', 'set', ...flags), { status: 2, stdout: '', stderr: /Give|stands alone/ })
  const inUrl = ['--url', `https://me:${KEY}@example.com/v1`, '--model', 'm']
  t.match(await selkie('model', 'set', ...inUrl), { status: 1, stdout: '', stderr: /E_MODEL_CHOICE/ })
  t.match(await selkie('model', 'set', ...SERVER, '--key-env', KEY), { status: 1, stderr: /E_MODEL_CHOICE/ })
})
