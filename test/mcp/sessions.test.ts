import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { McpServer } from '@modelcontextprotocol/server'
import t, { type Test } from 'tap'
import { afterClose } from '../../src/mcp/after-close.js'
import { Sessions } from '../../src/mcp/sessions.js'
import { heldRequest } from '../../src/mcp/exchange.js'
import { INITIALIZE } from './agent.js'

/** Sessions, and what happens to the servers that they speak with, in the order of their beginning. */
function newSessions(t: Test, limit: number, idleMs: number) {
  const ended: Promise<void>[] = []
  const sessions = new Sessions({
    limit,
    idleMs,
    newServer: async () => {
      const server = new McpServer({ name: 'test', version: '1' }, { capabilities: {} })
      ended.push(new Promise((resolve) => afterClose(server.server, resolve)))
      return server
    }
  })
  t.teardown(() => sessions.close())
  return { sessions, ended }
}

/** One exchange; `over` ends it, as its connection’s end does. */
async function exchange(
  sessions: Sessions,
  { method = 'POST', id, body = INITIALIZE }: { method?: string; id?: string; body?: object } = {}
) {
  const over = new AbortController()
  const headers = new Headers({
    accept: 'application/json, text/event-stream',
    ...(method === 'POST' && { 'content-type': 'application/json' }),
    ...(id !== undefined && { 'mcp-session-id': id })
  })
  const request = heldRequest(new URL('http://127.0.0.1/mcp'), {
    method,
    headers,
    signal: over.signal,
    ...(method === 'POST' && { body: JSON.stringify(body) })
  })
  const response = await sessions.fetch(request)
  return {
    status: response.status,
    id: response.headers.get('mcp-session-id') ?? '',
    over: () => over.abort()
  }
}

async function begun(sessions: Sessions): Promise<string> {
  const { status, id, over } = await exchange(sessions)
  t.equal(status, 200)
  over()
  return id
}

const PING = { jsonrpc: '2.0', id: 2, method: 'ping' }

t.test('beyond the limit the session ends that has been idle for longest', async (t) => {
  const { sessions, ended } = newSessions(t, 2, 60_000)
  const first = await begun(sessions)
  const second = await begun(sessions)
  const used = await exchange(sessions, { id: first, body: PING })
  t.equal(used.status, 200)
  used.over()
  const third = await begun(sessions)
  await ended[1]
  t.equal((await exchange(sessions, { id: second, body: PING })).status, 404)
  for (const id of [first, third]) t.equal((await exchange(sessions, { id, body: PING })).status, 200)
})

t.test('beyond the limit nobody gets in while each session is in use', async (t) => {
  const { sessions } = newSessions(t, 2, 60_000)
  const streams = []
  for (let i = 0; i < 2; i++)
    streams.push(await exchange(sessions, { method: 'GET', id: await begun(sessions) }))
  t.same(
    streams.map(({ status }) => status),
    [200, 200]
  )
  t.equal((await exchange(sessions)).status, 503)
  streams[0]!.over()
  t.equal((await exchange(sessions)).status, 200)
})

t.test('many that begin at once are no more than the limit', async (t) => {
  const { sessions, ended } = newSessions(t, 3, 60_000)
  const all = await Promise.all(Array.from({ length: 10 }, () => exchange(sessions)))
  t.equal(all.filter(({ status }) => status === 200).length, 3)
  t.equal(all.filter(({ status }) => status === 503).length, 7)
  t.equal(ended.length, 3)
})

t.test('an idle session ends by itself, and one that listens does not', async (t) => {
  const { sessions, ended } = newSessions(t, 8, 20)
  // Its first exchange is open until it listens: it is never idle.
  const { id: listening, over } = await exchange(sessions)
  const stream = await exchange(sessions, { method: 'GET', id: listening })
  t.equal(stream.status, 200)
  over()
  const idle = await begun(sessions)
  await ended[1]
  t.equal((await exchange(sessions, { id: idle, body: PING })).status, 404)
  const used = await exchange(sessions, { id: listening, body: PING })
  t.equal(used.status, 200)
  used.over()
  stream.over()
  await ended[0]
  t.equal((await exchange(sessions, { id: listening, body: PING })).status, 404)
})

t.test('a session was kept for ever once the requests that had used it were collected', async (t) => {
  const { sessions, ended } = newSessions(t, 8, 20)
  const begins = await exchange(sessions)
  const listens = await exchange(sessions, { method: 'GET', id: begins.id })
  const asks = await exchange(sessions, { id: begins.id, body: PING })
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let i = 0; i < 5; i++) {
    collect()
    await setImmediate()
  }
  for (const { over } of [begins, listens, asks]) over()
  // Held by nothing but its timer, which is there only once all are over.
  await ended[0]
  t.equal((await exchange(sessions, { id: begins.id, body: PING })).status, 404)
})

t.test('what begins no session leaves nothing behind', async (t) => {
  const { sessions, ended } = newSessions(t, 1, 60_000)
  t.equal((await exchange(sessions, { body: PING })).status, 400)
  await ended[0]
  t.equal((await exchange(sessions)).status, 200)
})
