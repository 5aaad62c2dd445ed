import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { MAX_BODY } from '../../src/mcp/http.js'
import { Agent, another, ERAS, INITIALIZE, newHome, start } from './agent.js'

interface Served {
  readonly url: URL
  readonly token: string
  readonly home: string
}

/** `selkie mcp --http` as a process, on any port that is free. */
async function served(t: Test): Promise<Served> {
  const home = await newHome(t)
  const { child } = start(t, home, ['--http', '0', '--json'])
  const lines = (stream: NodeJS.ReadableStream) => once(createInterface(stream), 'line') as Promise<[string]>
  const [[said], [ready]] = await Promise.all([lines(child.stderr), lines(child.stdout)])
  const { url } = JSON.parse(ready) as { url: string }
  const [, token = ''] = /^The token for this run: ([\w-]{43})$/.exec(said) ?? []
  t.notMatch(ready, token, 'the token is told apart from the result')
  return { url: new URL(url), token, home }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Our code of a refusal. */
  readonly code: string | undefined
}

/** One request as anything on this machine could send it: just these headers. */
async function ask(
  { url, token }: Served,
  {
    method = 'POST',
    path = url.pathname,
    headers = {},
    body = INITIALIZE
  }: {
    method?: string
    path?: string
    headers?: Record<string, string | string[] | undefined>
    body?: unknown
  } = {}
): Promise<Answer> {
  const all = {
    host: url.host,
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    ...(method === 'POST' && { 'content-type': 'application/json' }),
    ...headers
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const sent = request({ host: '127.0.0.1', port: url.port, method, path, headers: given, setHost: false })
  sent.end(method === 'POST' ? (typeof body === 'string' ? body : JSON.stringify(body)) : undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const said = await text(response)
  const { error } = (said.startsWith('{') ? JSON.parse(said) : {}) as { error?: { data?: { code: string } } }
  const { statusCode = 0, headers: got } = response
  return { status: statusCode, headers: got, body: said, code: error?.data?.code }
}

t.test('over HTTP', async (t) => {
  const node = await served(t)
  const { url, token, home } = node
  const connecting = { requestInit: { headers: { Authorization: `Bearer ${token}` } } }

  for (const era of ERAS) {
    t.test(`an agent of the ${era} generation has the skills, and is told of changes`, async (t) => {
      const agent = await Agent.over(t, era, new StreamableHTTPClientTransport(url, connecting))
      t.match(agent.client.getInstructions(), /^- search-info: /m)
      t.match(await agent.call('loadSkill', { name: 'search-info' }), [
        /check-notebook/,
        /version [0-9a-f]{12}/
      ])
      t.match(await agent.call('loadSkill', { name: 'search-info', page: 2 }), [/E_SKILL_PAGE/])
      t.match(await agent.call('readSkillReference', { name: 'search-info', path: '../x' }), [
        /E_REFERENCE_PATH/
      ])
      t.same(await agent.promptNames(), ['check-schedule', 'search-info'])
      const { messages } = await agent.client.getPrompt({
        name: 'search-info',
        arguments: { arguments: 'my keys' }
      })
      t.match(messages, [{ content: { text: /my keys$/ } }])
      const elsewhere = await another(t, home)
      await elsewhere.rename('search-info', 'look-up')
      t.equal(await agent.change(), 'check-schedule look-up')
      await elsewhere.rename('look-up', 'search-info')
      t.equal(await agent.change(), 'check-schedule search-info')
    })
  }

  t.test('only this host, this origin and this token are let in', async (t) => {
    const refused = async (
      headers: Record<string, string | string[] | undefined>,
      status: number,
      code: string
    ) => {
      const answer = await ask(node, { headers })
      t.match(answer, { status, code }, JSON.stringify(headers))
      t.notMatch(JSON.stringify(answer), token)
    }
    const { port } = url
    for (const host of [
      'localhost',
      '127.0.0.1',
      `127.0.0.2:${port}`,
      `localhost:${Number(port) ^ 1}`,
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `localhost:${port}.evil.example`,
      `[::1]:${port}`,
      `LOCALHOST:${port}x`,
      ''
    ])
      await refused({ host }, 403, 'E_MCP_HOST')
    for (const origin of [
      'null',
      'http://evil.example',
      'http://localhost',
      `https://${url.host}`,
      `http://localhost:${port}`,
      `http://${url.host}.evil.example`,
      `http://${url.host}/`,
      url.host,
      ''
    ])
      await refused({ origin }, 403, 'E_MCP_ORIGIN')
    for (const authorization of [
      undefined,
      '',
      token,
      `Basic ${token}`,
      'Bearer',
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, 42)}`,
      `Bearer ${token} x`
    ])
      await refused({ authorization }, 401, 'E_MCP_TOKEN')
    t.match(await ask(node, { headers: { authorization: undefined } }), {
      headers: { 'www-authenticate': 'Bearer' }
    })

    t.match(await ask(node, { headers: { origin: `http://${url.host}` } }), { status: 200 })
    const named = `localhost:${port}`
    t.match(await ask(node, { headers: { host: named, origin: `http://${named}` } }), { status: 200 })
    for (const path of [
      '/',
      '/mcp/',
      '/mcp?x',
      '/MCP',
      '/../mcp',
      `http://${url.host}/mcp`,
      '/.well-known/oauth-protected-resource'
    ])
      t.match(await ask(node, { path }), { status: 404, code: 'E_MCP_PATH' }, path)
    for (const method of ['PUT', 'PATCH', 'OPTIONS'])
      t.match(await ask(node, { method }), {
        status: 405,
        code: 'E_MCP_METHOD',
        headers: { allow: 'GET, POST, DELETE' }
      })
  })

  t.test('whatever else stands there as a host, it isn’t let in', async () => {
    const own = [`127.0.0.1:${url.port}`, `localhost:${url.port}`]
    const char = fc.constantFrom(...`localhost127.0.0.1:@[]/%${url.port}`.split(''))
    const near = fc
      .tuple(fc.constantFrom(...own), fc.nat(16), fc.string({ unit: char, maxLength: 3 }))
      .map(([host, at, text]) => host.slice(0, at) + text + host.slice(at + 1))
    await fc.assert(
      fc.asyncProperty(near, async (host) => {
        const { status } = await ask(node, { headers: { host } })
        return status === (own.includes(host) ? 200 : 403)
      }),
      { numRuns: 50 }
    )
  })

  t.test('what is too large, or isn’t MCP, is refused, and the next request is served', async (t) => {
    const padded = (size: number) =>
      JSON.stringify({ ...INITIALIZE, id: 'x'.repeat(size - JSON.stringify(INITIALIZE).length - 1) })
    t.equal(padded(MAX_BODY).length, MAX_BODY)
    t.match(await ask(node, { body: padded(MAX_BODY) }), { status: 200 })
    t.match(await ask(node, { body: padded(MAX_BODY + 1) }), { status: 413, code: 'E_MCP_SIZE' })
    const chunked = { 'transfer-encoding': 'chunked' }
    t.match(await ask(node, { body: padded(MAX_BODY + 1), headers: chunked }), {
      status: 413,
      code: 'E_MCP_SIZE'
    })
    t.match(await ask(node, { body: '{' }), { status: 400 })
    t.match(await ask(node, { body: '' }), { status: 400 })
    t.match(await ask(node, { headers: { 'content-type': 'text/plain' } }), { status: 415 })
    t.match(await ask(node), { status: 200 })
  })

  t.test('a session is known by its id, and DELETE ends it', async (t) => {
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
    const begun = await ask(node)
    const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) }
    t.match(await ask(node, { body: list, headers: session }), { status: 200, body: /loadSkill/ })
    t.match(await ask(node, { body: list }), { status: 400 }, 'without a session there is only a beginning')
    const others = { 'mcp-session-id': '00000000-0000-4000-8000-000000000000' }
    for (const method of ['POST', 'GET', 'DELETE'])
      t.match(await ask(node, { method, body: list, headers: others }), {
        status: 404,
        code: 'E_MCP_SESSION'
      })
    for (const method of ['GET', 'DELETE'])
      t.match(await ask(node, { method }), { status: 400, code: 'E_MCP_SESSION' })
    t.match(await ask(node, { method: 'DELETE', headers: session }), { status: 200 })
    t.match(await ask(node, { body: list, headers: session }), { status: 404, code: 'E_MCP_SESSION' })
  })
})

t.test('a token of one’s own comes from a file that nobody else can read', async (t) => {
  const home = await newHome(t)
  const path = join(t.testdir(), 'token')
  const argv = ['--http', '0', '--json', '--token-file', path]
  const refused = { status: 1, stdout: /"E_MCP_TOKEN_FILE"/, stderr: '' }
  t.match(await start(t, home, argv).ended, refused, 'none is there')
  await writeFile(path, `${'token_-9'.repeat(4)}\n`)
  await chmod(path, 0o644)
  t.match(await start(t, home, argv).ended, refused, 'others can read it')
})

t.test('a port that is taken is said to be', async (t) => {
  const { url } = await served(t)
  t.match(await start(t, await newHome(t), ['--http', url.port]).ended, {
    status: 1,
    stderr: /\(E_MCP_PORT\)/
  })
})

t.test('it ends on SIGTERM while agents are connected', async (t) => {
  const home = await newHome(t)
  const path = join(t.testdir(), 'token')
  const token = 'token_-9'.repeat(4)
  await writeFile(path, `${token}\n`, { mode: 0o600 })
  const { child, ended } = start(t, home, ['--http', '0', '--token-file', path])
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const url = new URL(/http:\S+mcp/.exec(line)![0])
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  for (const era of ERAS) await Agent.over(t, era, new StreamableHTTPClientTransport(url, { requestInit }))
  child.kill('SIGTERM')
  t.match(await ended, { status: 0, stderr: '' })
})
