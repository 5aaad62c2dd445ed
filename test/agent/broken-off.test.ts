import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ToolHooks } from '../../src/agent/hooks.js'
import type { NodeApi } from '../../src/api.js'
import { initHome, openNode } from '../../src/node.js'
import { home } from '../editing/home.js'
import { hold } from './openai-server.js'
import { calling, callsOf, scripted } from './scripted.js'

const passphrase = async (): Promise<string> => ''

/** A node that looks at calls with these hooks, and its home. */
async function hooked(t: Test, hooks: ToolHooks): Promise<{ folder: string; node: NodeApi }> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-test-'))
  await initHome({ home: folder, name: 'Ada' })
  const node = await openNode({ home: folder, hooks, passphrase })
  t.teardown(async () => {
    await node.close()
    await rm(folder, { recursive: true })
  })
  return { folder, node }
}

t.test('a run was not to be broken off while a hook thought, and its call was lost', async (t) => {
  const stop = new AbortController()
  const ran: string[] = []
  const thinking = hold()
  const { node } = await hooked(t, {
    before: async ({ tool }) => {
      stop.abort()
      await thinking.promise
      ran.push(tool)
    },
    after: () => void t.fail('nothing runs any more')
  })
  await scripted(t, node, [
    { text: '@check-schedule' },
    { text: 'Wait.', calls: [calling('current_date', {}), { ...calling('current_date', {}), id: 'call_2' }] }
  ])
  const run = await node.ask('What day?', {}, () => {}, stop.signal)
  t.match(run, { state: 'stopped', steps: [{ text: 'Wait.' }], problem: null })
  t.match(callsOf(run), [{ tool: 'current_date', outcome: 'stopped', result: /broken off/ }])
  t.same(ran, [], 'it is not waited for')
  t.match(await node.run(run.id, {}), { state: 'stopped', steps: run.steps })
  thinking.release()
})

t.test('a replay went on when nobody waited for it', async (t) => {
  const thinking = hold()
  let isSecond = false
  const { node } = await hooked(t, {
    before: () => {
      if (!isSecond) return undefined
      thinking.release()
      return new Promise(() => {})
    }
  })
  const day = { text: 'Wait.', calls: [calling('current_date', {})] }
  await scripted(t, node, [{ text: '@check-schedule' }, day, { text: 'Sunday.' }])
  const { id } = await node.ask('What day?', {})
  isSecond = true
  const stop = new AbortController()
  const replaying = t.rejects(node.replay(id, stop.signal), { code: 'E_BROKEN_OFF' })
  await thinking.promise
  stop.abort()
  await replaying
  t.match(await node.runs({}), [{ id, state: 'done' }], 'nothing of it is kept')
})

t.test('what the person saw of an answer is in the transcript', async (t) => {
  const { node } = await home(t, 'Ada')
  const stop = new AbortController()
  await scripted(t, node, [
    { text: 'directly' },
    { text: ['It is ', 'the first', new Promise(() => {})] },
    { text: 'directly' },
    { text: 'It is', cut: 'short' }
  ])
  let seen = ''
  const stopped = await node.ask(
    'What day?',
    {},
    (event) => {
      if (event.type !== 'text') return
      seen += event.text
      if (seen.includes('first')) stop.abort()
    },
    stop.signal
  )
  t.match(stopped, {
    state: 'stopped',
    answer: '',
    steps: [{ text: 'It is the first', calls: { length: 0 } }]
  })
  const cut = await node.ask('What day?', {})
  t.match(cut, { state: 'failed', answer: '', steps: [{ text: 'It is', calls: { length: 0 } }] })
  for (const run of [stopped, cut]) {
    t.same(await node.run(run.id, {}), run)
    t.match(await node.replay(run.id), { same: true })
  }
})

t.test('a node that closed lost the runs that went on', async (t) => {
  const { folder, node } = await hooked(t, {})
  const asked = hold()
  let [isPlanned, held] = [false, 0]
  // The first waits with its plan, and the second with its answer, whichever comes first.
  await scripted(t, node, ({ messages }) => {
    if (!isPlanned && messages.at(-1)!.content!.includes('And then?')) {
      isPlanned = true
      return { text: 'directly' }
    }
    if (++held === 3) asked.release()
    return { text: [new Promise(() => {})] }
  })
  const waiting = [node.ask('What day?', {}), node.ask('And then?', {})]
  const planning = node.plan('And now?', {})
  planning.catch(() => {})
  await asked.promise
  await node.close()
  await t.rejects(planning, { code: 'E_NODE_GONE' })
  const runs = await Promise.all(waiting)
  t.match(runs, [{ state: 'stopped' }, { state: 'stopped' }])
  await t.rejects(node.ask('And now?', {}), { code: 'E_NODE_GONE' })
  const again = await openNode({ home: folder, passphrase })
  t.teardown(() => again.close())
  const kept = await again.runs({})
  t.same(kept.map(({ id }) => id).sort(), runs.map(({ id }) => id).sort())
  t.ok(kept.every(({ state }) => state === 'stopped'))
})
