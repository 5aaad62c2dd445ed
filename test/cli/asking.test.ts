import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { NodeApi, Run } from '../../src/api.js'
import { serve } from '../../src/attach/server.js'
import { SelkieError } from '../../src/base/errors.js'
import { hold } from '../agent/openai-server.js'
import { fakeNode, shortHome } from '../attach/fake-node.js'

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))

const RUN: Run = {
  id: 'ab'.repeat(16),
  time: '2026-03-01T12:00:00Z',
  ended: '2026-03-01T12:00:03Z',
  question: 'What day?',
  profile: null,
  after: null,
  model: 'scripted',
  state: 'failed',
  plan: null,
  bound: [],
  skills: [],
  steps: [],
  answer: '',
  truncations: [],
  tokens: null,
  problem: { code: 'E_MODEL_CUT', message: 'It broke off.', hint: 'Try again.' }
}

/** Starts the real command, without a terminal, on a home whose node does these methods. */
async function selkie(t: Test, methods: Partial<NodeApi>, argv: readonly string[]): Promise<ChildProcess> {
  const home = await shortHome(t)
  const server = await serve(fakeNode(methods), home)
  t.teardown(() => server.close())
  const env = { ...process.env, SELKIE_HOME: home }
  return spawn(process.execPath, [MAIN, ...argv], { env })
}

async function ended(
  child: ChildProcess
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const [[status], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout!),
    text(child.stderr!)
  ])
  return { status, stdout, stderr }
}

t.test('a run that broke down printed an empty line as its answer, and with --quiet no reason', async (t) => {
  for (const flags of [[], ['--quiet']]) {
    const child = await selkie(t, { ask: async () => RUN }, ['ask', 'What day?', ...flags])
    const { status, stdout, stderr } = await ended(child)
    t.same({ status, stdout }, { status: 1, stdout: '' })
    t.match(stderr, /^It broke off\.\nTry again\. \(E_MODEL_CUT\)\n/)
    t.equal(stderr.includes('selkie run show'), flags.length === 0)
  }
  const { stdout } = await ended(await selkie(t, { ask: async () => RUN }, ['ask', 'What day?', '--json']))
  t.same(JSON.parse(stdout), RUN)
})

t.test('a chat that was refused waited for the end of its input', async (t) => {
  const ask = () => Promise.reject(new SelkieError('E_MODEL_NONE'))
  const child = await selkie(t, { ask }, ['chat'])
  child.stdin!.write('What day?\n')
  const { status, stdout, stderr } = await ended(child)
  t.same({ status, stdout }, { status: 1, stdout: '' })
  t.match(stderr, /E_MODEL_NONE/)
})

t.test('Ctrl-C didn’t end a chat that waited for a line', async (t) => {
  const ask = async () => ({ ...RUN, state: 'done', answer: 'Sunday.', problem: null }) as Run
  const child = await selkie(t, { ask }, ['chat'])
  child.stdin!.write('What day?\n')
  const [said] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string]
  t.equal(said, 'Sunday.\n')
  child.kill('SIGINT')
  const [status] = (await once(child, 'close')) as [number | null]
  t.equal(status, 130)
})

t.test('Ctrl-C at a plan or a replay left the node at work', async (t) => {
  for (const argv of [
    ['plan', 'What day?'],
    ['run', 'replay', 'abab', '--json']
  ]) {
    const begun = hold()
    const aborted = hold()
    const work = (signal?: AbortSignal): Promise<never> =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          aborted.release()
          reject(new SelkieError('E_BROKEN_OFF'))
        })
        begun.release()
      })
    const methods: Partial<NodeApi> = {
      plan: (_text, _options, signal) => work(signal),
      replay: (_id, signal) => work(signal)
    }
    const child = await selkie(t, methods, argv)
    const end = ended(child)
    await begun.promise
    child.kill('SIGINT')
    await aborted.promise
    t.same(await end, { status: 130, stdout: '', stderr: '' }, argv.join(' '))
  }
})

t.test('what else ends a plan is said', async (t) => {
  const plan = () => Promise.reject(new SelkieError('E_BROKEN_OFF'))
  const { status, stderr } = await ended(await selkie(t, { plan }, ['plan', 'What day?']))
  t.equal(status, 1)
  t.match(stderr, /^It was broken off before it was done\.\n.*\(E_BROKEN_OFF\)\n$/)
})

t.test('without a skill, --full showed no result whole', async (t) => {
  const result = `{"found":"${'x'.repeat(1000)}"}`
  const call = { id: '1', name: 'call_tool', input: '{}', tool: 'find_file', skill: null, args: {} }
  const steps: Run['steps'] = [{ text: '', calls: [{ ...call, outcome: 'ran', result, milliseconds: 1 }] }]
  const run = async (): Promise<Run> => ({ ...RUN, steps })
  const whole = await ended(await selkie(t, { run }, ['run', 'show', 'abab', '--full']))
  t.match(whole.stdout, result)
  const short = await ended(await selkie(t, { run }, ['run', 'show', 'abab']))
  t.match(short.stdout, 'xxx…\n')
  t.match(JSON.parse((await ended(await selkie(t, { run }, ['run', 'show', 'abab', '--json']))).stdout), {
    steps: [{ calls: [{ result }] }]
  })
})
