import { once } from 'node:events'
import t from 'tap'
import { serve } from '../../src/attach/server.js'
import type { Status } from '../../src/api.js'
import { fakeNode, PLAN_TRIP, shortHome } from '../attach/fake-node.js'
import { dhtFor, Person } from '../scripts/person.js'
import { Agent, another, INITIALIZE, newHome, start } from './agent.js'

t.test('stdout carries MCP alone, and closing stdin ends it', async (t) => {
  const { child, ended } = start(t, await newHome(t))
  const say = (message: object | string): void => {
    child.stdin.write(
      `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
    )
  }
  say('this is no message')
  say('{"jsonrpc":"2.0","id":7,"method":"tools/list"}'.slice(0, 20))
  say(INITIALIZE)
  say({ method: 'notifications/initialized' })
  say({ id: 2, method: 'tools/call', params: { name: 'loadSkill', arguments: { name: 'search-info' } } })
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  while (!stdout.includes('"id":2')) await once(child.stdout, 'data')
  child.stdin.end()
  const { status, stderr } = await ended
  t.equal(status, 0)
  t.equal(stderr, '')
  const ids = stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { jsonrpc: '2.0'; id: number }).id)
  t.same(ids, [1, 2])
})

t.test('SIGTERM ends it, and the store is free again', async (t) => {
  const home = await newHome(t)
  const { child, ended } = start(t, home)
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  t.match(await ended, { status: 0, stderr: '' })
  const agent = await Agent.starting(t, 'legacy', home)
  t.match(await agent.call('loadSkill', { name: 'search-info' }), [/check-notebook/])
})

t.test('a node that goes away is said to be gone, with exit 1', async (t) => {
  const home = await shortHome(t)
  const node = fakeNode({
    status: async () => ({ identity: 'aa', online: true }) as never,
    list: async () => [PLAN_TRIP],
    watch: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  })
  const server = await serve(node, home)
  const { child, ended } = start(t, home)
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
  await once(child.stdout, 'data')
  await server.close()
  t.match(await ended, { status: 1, stderr: /\(E_NODE_GONE\)\n$/ })
})

t.test('of two agents on one home, the one that stays goes on when the other leaves', async (t) => {
  const home = await newHome(t)
  const first = await Agent.starting(t, 'legacy', home)
  const second = await Agent.starting(t, 'auto', home)
  t.match(await second.call('loadSkill', { name: 'search-info' }), [/check-notebook/])
  await first.client.close()
  t.match(await second.call('loadSkill', { name: 'search-info' }), [/check-notebook/])
  const node = await another(t, home)
  await node.rename('search-info', 'look-up')
  t.equal(await second.change(), 'check-schedule look-up')
})

t.test('what can’t be is refused before anything is opened', async (t) => {
  const home = await shortHome(t)
  t.match(await start(t, home).ended, { status: 1, stdout: '', stderr: /\(E_HOME_NONE\)/ })
  t.match(await start(t, home, ['--json']).ended, { status: 2, stdout: /"E_USAGE"/ })
  t.match(await start(t, home, ['--token-file', 'x']).ended, { status: 2, stderr: /goes with --http/ })
  t.match(await start(t, home, ['--http', '65536']).ended, { status: 2, stderr: /is no port/ })
})

t.test('an agent had the store, and `selkie up` waited for it in vain', async (t) => {
  const ann = await Person.of(t, await dhtFor(t), 'Ann')
  const agent = await Agent.starting(t, 'legacy', ann.home)
  t.match(await agent.call('loadSkill', { name: 'search-info' }), [/check-notebook/])
  await ann.up()
  t.match(await ann.run<Status>('status'), { online: true })
  t.match(await agent.call('loadSkill', { name: 'check-schedule' }), [/current-date/])
  await ann.run('rename', 'search-info', 'look-up')
  t.equal(await agent.change(), 'check-schedule look-up')
})
