import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ToolHooks } from '../../src/agent/hooks.js'
import type { NodeApi } from '../../src/api.js'
import { initHome, openNode } from '../../src/node.js'
import { calling, callsOf, scripted } from './scripted.js'

async function hooked(t: Test, hooks: ToolHooks): Promise<NodeApi> {
  const home = await mkdtemp(join(tmpdir(), 'selkie-test-'))
  await initHome({ home, name: 'Ada' })
  const node = await openNode({ home, hooks, passphrase: async () => '' })
  t.teardown(async () => {
    await node.close()
    await rm(home, { recursive: true })
  })
  await scripted(t, node, [
    { text: '@check-schedule' },
    { calls: [calling('current_date', {}, '@check-schedule'), { ...calling('nothing', {}), id: 'call_2' }] },
    { text: 'Done.' }
  ])
  return node
}

t.test('hooks see each call that runs, before and after, and no other', async (t) => {
  const seen: unknown[] = []
  const node = await hooked(t, {
    before: (call) => void seen.push(['before', call]),
    after: (call, answer) => void seen.push(['after', call, Object.keys(answer).length > 0])
  })
  const { id, steps } = await node.ask('What day?', {})
  const call = { run: id, tool: 'current_date', args: {}, skill: 'check-schedule' }
  t.same(seen, [
    ['before', call],
    ['after', call, true]
  ])
  t.match(steps[0]!.calls, [{ outcome: 'ran' }, { outcome: 'denied' }])
})

for (const [name, hooks] of Object.entries<ToolHooks>({
  'one that denies': { before: () => ({ deny: 'Not on Sundays.' }) },
  'one that denies later': { before: async () => ({ deny: 'Not on Sundays.' }) },
  'one that looks at the answer': { after: () => ({ deny: 'Not on Sundays.' }) }
})) {
  t.test(`${name} keeps the answer from the model`, async (t) => {
    const run = await (await hooked(t, hooks)).ask('What day?', {})
    t.match(callsOf(run)[0], { outcome: 'denied', result: '{"error":"Not on Sundays."}' })
  })
}

t.test('a hook that failed let the call pass', async (t) => {
  for (const hooks of [
    { before: () => Promise.reject(new Error('secret')) },
    {
      after: () => {
        throw new Error('secret')
      }
    }
  ]) {
    const [call] = callsOf(await (await hooked(t, hooks)).ask('What day?', {}))
    t.equal(call!.outcome, 'denied')
    t.notMatch(call!.result, /secret|20\d\d/)
  }
})
