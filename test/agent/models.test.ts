import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { ErrorCode } from '../../src/base/errors.js'
import type { ModelAnswer, ModelMessage, ModelRequest } from '../../src/agent/model.js'
import { openaiModel } from '../../src/agent/models/openai.js'
import { recordedModel } from '../../src/agent/models/recorded.js'
import {
  hold,
  startOpenAi,
  type OpenAiOptions,
  type OpenAiServer,
  type Script,
  type Scripted
} from './openai-server.js'
import { contents, refused } from './refused.js'

const KEY = 'sk-0123456789abcdef'
const never = new AbortController().signal

const TOOL = {
  name: 'call_tool',
  description: 'Calls a tool.',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
}

function asked(...messages: ModelMessage[]): ModelRequest {
  return { system: 'Be brief.', messages, tools: [TOOL] }
}

const HELLO = asked({ role: 'user', text: 'Hello' })

async function served(t: Test, script: Script, options?: OpenAiOptions): Promise<OpenAiServer> {
  const server = await startOpenAi(script, options)
  t.teardown(() => server.close())
  return server
}

/** What a model gives for one scripted answer, and the pieces in which its text came. */
async function answered(
  t: Test,
  scripted: Scripted,
  options: { patience?: number } = {}
): Promise<ModelAnswer & { pieces: string[] }> {
  const { url } = await served(t, [scripted])
  const pieces: string[] = []
  const model = openaiModel({ url, model: 'm' }, options)
  const answer = await model.answer(HELLO, { signal: never, onText: (piece) => pieces.push(piece) })
  return { ...answer, pieces }
}

t.test('a text comes in pieces, and whole at the end', async (t) => {
  const answer = await answered(t, { text: ['Good ', 'day', ' 🙂'], reasoning: 'A greeting. I greet too.' })
  t.same(answer, {
    text: 'Good day 🙂',
    calls: [],
    end: 'done',
    tokens: { input: 10, output: 5 },
    pieces: ['Good ', 'day', ' 🙂']
  })
  t.match(await answered(t, { text: 'x', tokens: null }), { tokens: null }, 'a server that doesn’t count')
  t.match(await answered(t, {}), { text: '', calls: [], end: 'done' }, 'an empty answer is one')
})

t.test('several calls at once, as the model wrote them', async (t) => {
  const { text, calls, end } = await answered(t, {
    text: 'I look.',
    calls: [
      { name: 'call_tool', args: { name: 'find_file', arguments: { query: 'träume 🙂' } } },
      { id: 'x9', name: 'no such tool', args: '{"name": "find_file", "argum' },
      { name: 'call_tool', args: ' {"a":1,\n"a":2} ' },
      { name: 'call_tool', args: 'null' }
    ]
  })
  t.same({ text, end }, { text: 'I look.', end: 'done' })
  t.same(calls, [
    { id: 'call_1', name: 'call_tool', input: '{"name":"find_file","arguments":{"query":"träume 🙂"}}' },
    { id: 'x9', name: 'no such tool', input: '{"name": "find_file", "argum' },
    { id: 'call_3', name: 'call_tool', input: ' {"a":1,\n"a":2} ' },
    { id: 'call_4', name: 'call_tool', input: 'null' }
  ])
})

t.test('calls without an id, or with one id for all, get each their own', async (t) => {
  for (const id of [null, '', 'same']) {
    const { calls } = await answered(t, {
      calls: ['a', 'b', 'c'].map((name) => ({ id, name, args: { of: name } }))
    })
    t.same(
      calls.map(({ name, input }) => [name, input]),
      ['a', 'b', 'c'].map((name) => [name, `{"of":"${name}"}`])
    )
    t.equal(new Set(calls.map((call) => call.id)).size, 3, `${id}`)
    t.notOk(calls.some((call) => call.id === ''))
  }
})

t.test('a server that doesn’t stream is understood all the same', async (t) => {
  const scripted: Scripted = {
    text: 'I look.',
    reasoning: 'Hm.',
    calls: [
      { name: 'call_tool', args: { name: 'x' } },
      { name: 'call_tool', args: '{"n' }
    ]
  }
  const { pieces, ...plain } = await answered(t, { ...scripted, plain: true })
  t.same(pieces, ['I look.'])
  const { pieces: _, ...streamed } = await answered(t, scripted)
  t.same(plain, streamed)
  t.match(await answered(t, { text: 'x', plain: true, finish: 'length' }), { end: 'length' })
  t.match(await answered(t, { body: '{"choices":[{"message":{"content":"x"},"finish_reason":null}]}' }), {
    text: 'x',
    end: 'done',
    tokens: null
  })
  t.match(await answered(t, { plain: true, refusal: 'I won’t.' }), { text: 'I won’t.', end: 'filtered' })
})

t.test('how an answer ended', async (t) => {
  const ends: [Scripted, ModelAnswer['end']][] = [
    [{ text: 'x', finish: 'stop' }, 'done'],
    [{ text: 'x', finish: 'eos' }, 'done'],
    [{ text: 'x', finish: 'length' }, 'length'],
    [{ calls: [{ name: 'call_tool', args: '{"na' }], finish: 'length' }, 'length'],
    [{ text: 'x', finish: 'content_filter' }, 'filtered'],
    [{ refusal: 'I won’t.' }, 'filtered']
  ]
  for (const [scripted, end] of ends) t.match(await answered(t, scripted), { end }, JSON.stringify(scripted))
})

t.test('whatever a model says or writes as arguments comes through as it is', async (t) => {
  const server = await served(t, ({ messages }) => JSON.parse(messages[1]!.content!) as Scripted)
  const model = openaiModel({ url: server.url, model: 'm' })
  const text = fc.string({ unit: 'grapheme', maxLength: 40 })
  // The library takes a name of nothing but spaces for none.
  const name = fc.stringMatching(/^[a-z_]{1,12}$/)
  const calls = fc.array(fc.record({ name, args: text }), { maxLength: 3 })
  const property = fc.asyncProperty(text, calls, fc.boolean(), async (text, calls, plain) => {
    const scripted = { text, calls, ...(plain && { plain: true }) }
    const answer = await model.answer(asked({ role: 'user', text: JSON.stringify(scripted) }), {
      signal: never
    })
    t.equal(answer.text, text)
    t.same(
      answer.calls.map(({ name, input }) => ({ name, args: input })),
      calls
    )
  })
  await fc.assert(property, { numRuns: 60 })
})

t.test('a stream that is cut anywhere is whole or refused, never a part', async (t) => {
  const events = [
    { choices: [{ index: 0, delta: { role: 'assistant', content: 'Grüße 🙂' } }] },
    {
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] } }
      ]
    }
  ].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const finish = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n`
  const before = Buffer.from(events.join(''))
  const stream = Buffer.concat([before, Buffer.from(`${finish}data: [DONE]\n\n`)])
  const cuts: number[] = []
  const server = await served(t, (_, number) => ({
    type: 'text/event-stream',
    // Cut in the middle of a character too.
    body: stream.subarray(0, cuts[number])
  }))
  const model = openaiModel({ url: server.url, model: 'm' })
  const property = fc.asyncProperty(fc.nat(stream.length), async (cut) => {
    cuts.push(cut)
    const answer = model.answer(HELLO, { signal: never })
    if (cut < before.length + finish.length) await refused(t, answer, 'E_MODEL_CUT', `cut at ${cut}`)
    else
      t.match(await answer, { text: 'Grüße 🙂', calls: [{ id: 'a', name: 'f', input: '{}' }], end: 'done' })
  })
  await fc.assert(property, { numRuns: 60, examples: [[0], [before.length], [stream.length]] })
})

t.test('a connection that breaks', async (t) => {
  const scripted: Scripted = { text: 'Half an ans', calls: [{ name: 'f', args: {} }] }
  for (const cut of ['closed', 'short'] as const)
    await refused(t, answered(t, { ...scripted, cut }), 'E_MODEL_CUT', cut)
  await refused(t, answered(t, { type: 'text/event-stream', body: '' }), 'E_MODEL_CUT', 'nothing at all')
})

t.test('an error in the midst of a stream', async (t) => {
  const body = `data: {"choices":[{"delta":{"content":"Hal"}}]}\n\ndata: {"error":{"message":"for ${KEY}"}}\n\n`
  const error = await refused(t, answered(t, { type: 'text/event-stream', body }), 'E_MODEL_CUT')
  t.notMatch(contents(error), KEY)
})

t.test('what isn’t the protocol', async (t) => {
  const bodies: Record<string, Scripted> = {
    page: { type: 'text/html; charset=utf-8', body: '<html>Welcome</html>' },
    'no type': { type: '', body: 'hello' },
    'no JSON': { body: '{"choices":' },
    null: { body: 'null' },
    'a problem as a good answer': { body: '{"error":{"message":"no"}}' },
    'no choices': { body: '{"choices":[]}' },
    'a message of another shape': { body: '{"choices":[{"message":{"content":7}}]}' },
    'a message that is a text': { body: '{"choices":[{"message":"x"}]}' },
    'calls that are nothing': { body: '{"choices":[{"message":{"tool_calls":[null]}}]}' },
    'calls of another shape': { body: '{"choices":[{"message":{"tool_calls":"x"}}]}' },
    'no JSON in a stream': { type: 'text/event-stream', body: 'data: hello\n\n' },
    'JSON of another shape in a stream': { type: 'text/event-stream', body: 'data: {"choices":7}\n\n' },
    'a call without a name': {
      type: 'text/event-stream',
      body: 'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}}]},"finish_reason":"stop"}]}\n\n'
    }
  }
  for (const [about, scripted] of Object.entries(bodies))
    await refused(t, answered(t, scripted), 'E_MODEL_ANSWER', about)
})

t.test('a status that refuses, asked once', async (t) => {
  const problem = (code: string): string => JSON.stringify({ error: { message: `no ${KEY}`, code } })
  const refusals: [number, string, ErrorCode][] = [
    [400, problem('bad'), 'E_MODEL_REFUSED'],
    [400, problem('model_not_found'), 'E_MODEL_UNKNOWN'],
    [400, problem('context_length_exceeded'), 'E_MODEL_CONTEXT'],
    [400, '{"error":{"type":"exceed_context_size_error","code":400}}', 'E_MODEL_CONTEXT'],
    [400, '<html>', 'E_MODEL_REFUSED'],
    [401, '', 'E_MODEL_KEY'],
    [403, '<html>', 'E_MODEL_KEY'],
    [404, problem('x'), 'E_MODEL_UNKNOWN'],
    [404, 'x'.repeat(1_000_000), 'E_MODEL_UNKNOWN'],
    [413, '', 'E_MODEL_CONTEXT'],
    [418, 'null', 'E_MODEL_REFUSED'],
    [429, problem('x'), 'E_MODEL_BUSY'],
    [500, '', 'E_MODEL_BUSY'],
    [503, '{"error":"loading"}', 'E_MODEL_BUSY']
  ]
  const server = await served(t, (_, number) => ({
    status: refusals[number]![0],
    body: refusals[number]![1]
  }))
  const model = openaiModel({ url: server.url, model: 'm', key: KEY })
  for (const [status, , code] of refusals) {
    const error = await refused(t, model.answer(HELLO, { signal: never }), code, `${status}`)
    t.notMatch(contents(error), KEY)
  }
  t.equal(server.chats.length, refusals.length)
})

t.test('a refusal that says no more than its status isn’t waited for', async (t) => {
  const server = createHttpServer((_request, response) => response.writeHead(503).flushHeaders())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  await refused(t, openaiModel({ url, model: 'm' }).answer(HELLO, { signal: never }), 'E_MODEL_BUSY')
})

t.test('the key goes to the server, and is in no error', async (t) => {
  const server = await served(t, [{ text: 'x' }], { key: KEY })
  const at = (key: string) => openaiModel({ url: server.url, model: 'm', key })
  t.match(await at(KEY).answer(HELLO, { signal: never }), { text: 'x' })
  t.equal(server.received[0]!.headers.authorization, `Bearer ${KEY}`)
  // The server says the wrong key again in its refusal.
  const error = await refused(t, at(`${KEY}9`).answer(HELLO, { signal: never }), 'E_MODEL_KEY')
  t.notMatch(contents(error), KEY)
  await refused(
    t,
    openaiModel({ url: server.url, model: 'm' }).answer(HELLO, { signal: never }),
    'E_MODEL_KEY'
  )
  t.notOk('authorization' in server.received[2]!.headers)
})

t.test('neither question nor key follows to where a server sends on', async (t) => {
  const other = await served(t, [{ text: 'x' }])
  for (const status of [301, 302, 303, 307, 308]) {
    const headers = { location: `${other.url}/chat/completions` }
    const { url } = await served(t, [{ status, headers }])
    const answer = openaiModel({ url, model: 'm', key: KEY }).answer(HELLO, { signal: never })
    await refused(t, answer, 'E_MODEL_MOVED', `${status}`)
  }
  t.equal(other.received.length, 0)
})

t.test('what can’t be reached', async (t) => {
  const gone = await startOpenAi([])
  await gone.close()
  const at = (url: string) => openaiModel({ url, model: 'm', key: KEY }).answer(HELLO, { signal: never })
  const error = await refused(t, at(gone.url), 'E_MODEL_UNREACHABLE')
  t.match(error.message, 'nothing listens there')
  t.notMatch(contents(error), KEY)

  const raw = async (serve: (socket: Socket) => void): Promise<string> => {
    const server = createServer((socket) => serve(socket.on('error', () => {})))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  }
  await refused(t, at(await raw((socket) => socket.destroy())), 'E_MODEL_UNREACHABLE', 'hangs up')
  await refused(t, at(await raw((socket) => socket.end('SSH-2.0-x\r\n'))), 'E_MODEL_ANSWER', 'no HTTP')
  const { url } = await served(t, [])
  await refused(t, at(url.replace('http:', 'https:')), 'E_MODEL_UNREACHABLE', 'no TLS')
})

t.test('who says nothing isn’t waited for', async (t) => {
  const held = hold<Scripted>()
  const { url } = await served(t, () => held.promise)
  const model = openaiModel({ url, model: 'm' }, { patience: 40 })
  await refused(t, model.answer(HELLO, { signal: never }), 'E_MODEL_SLOW', 'from the start')
  held.release({})
  const halfway = hold()
  const answer = answered(t, { text: ['Half', halfway.promise] }, { patience: 40 })
  await refused(t, answer, 'E_MODEL_SLOW', 'halfway')
  halfway.release()
})

t.test('what is slow and comes is waited for', async (t) => {
  const goes = hold()
  const { url } = await served(t, [{ text: ['Half', goes.promise, ' and half'] }])
  const model = openaiModel({ url, model: 'm' })
  const onText = (piece: string): void => {
    if (piece === 'Half') goes.release()
  }
  t.match(await model.answer(HELLO, { signal: never, onText }), { text: 'Half and half' })
})

t.test('an answer without end is broken off, and nobody listens any more', async (t) => {
  const server = await served(t, [{ endless: 'la'.repeat(32 * 1024) }])
  const model = openaiModel({ url: server.url, model: 'm' })
  await refused(t, model.answer(HELLO, { signal: never }), 'E_MODEL_ANSWER')
  t.equal(await server.received[0]!.over, false)
})

t.test('whoever breaks off hears their own reason', async (t) => {
  const held = hold<Scripted>()
  const server = await served(t, (_, number) => (number === 0 ? { endless: 'la' } : held.promise))
  const model = openaiModel({ url: server.url, model: 'm' })
  const reason = new Error('the person stops it')
  const during = new AbortController()
  const onText = (): void => during.abort(reason)
  await t.rejects(model.answer(HELLO, { signal: during.signal, onText }), reason)
  t.equal(await server.received[0]!.over, false)

  const waiting = new AbortController()
  const answer = model.answer(HELLO, { signal: waiting.signal })
  while (server.received.length < 2) await new Promise((resolve) => setImmediate(resolve))
  waiting.abort(reason)
  await t.rejects(answer, reason)
  t.equal(await server.received[1]!.over, false)
  held.release({})

  await t.rejects(model.answer(HELLO, { signal: AbortSignal.abort(reason) }), reason)
  t.equal(server.received.length, 2, 'nothing was asked')
})

t.test('what the one who listens throws is thrown', async (t) => {
  const { url } = await served(t, [{ text: 'x' }])
  const fault = new TypeError('of the listener')
  const onText = (): void => {
    throw fault
  }
  await t.rejects(openaiModel({ url, model: 'm' }).answer(HELLO, { signal: never, onText }), fault)
})

t.test('what was said and called is told again in the protocol’s form', async (t) => {
  const server = await served(t, [{}, {}])
  const model = openaiModel({ url: server.url, model: 'some/model' })
  await model.answer(
    asked(
      { role: 'user', text: 'Look for it' },
      {
        role: 'assistant',
        text: '',
        calls: [
          { id: 'a', name: 'call_tool', input: '{"name": "find_file"}' },
          { id: 'b', name: 'no such tool!', input: '{"name": "fi' }
        ]
      },
      {
        role: 'results',
        results: [
          { id: 'a', text: '{"files":[]}' },
          { id: 'b', text: 'no' }
        ]
      },
      { role: 'assistant', text: 'Nothing.', calls: [] },
      { role: 'user', text: 'Again' }
    ),
    { signal: never }
  )
  const { messages, tools, ...rest } = server.chats[0]!
  t.same(rest, { model: 'some/model', stream: true, stream_options: { include_usage: true } })
  t.same(messages, [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Look for it' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'call_tool', arguments: '{"name":"find_file"}' } },
        { id: 'b', type: 'function', function: { name: 'no_such_tool_', arguments: '{}' } }
      ]
    },
    { role: 'tool', tool_call_id: 'a', content: '{"files":[]}' },
    { role: 'tool', tool_call_id: 'b', content: 'no' },
    { role: 'assistant', content: 'Nothing.' },
    { role: 'user', content: 'Again' }
  ])
  const { name, description, schema: parameters } = TOOL
  t.same(tools, [{ type: 'function', function: { name, description, parameters } }])
  await model.answer({ system: '', messages: [{ role: 'user', text: 'x' }], tools: [] }, { signal: never })
  t.notOk('tools' in server.chats[1]!, 'no tools are no list of tools')
})

t.test('a recorded model gives its answers in order, and no more', async (t) => {
  const answers: ModelAnswer[] = [
    { text: '', calls: [{ id: 'a', name: 'f', input: '{' }], end: 'done', tokens: null },
    { text: 'Done.', calls: [], end: 'length', tokens: { input: 1, output: 2 } }
  ]
  const model = recordedModel('m', answers)
  t.equal(model.name, 'm')
  const pieces: string[] = []
  const options = { signal: never, onText: (piece: string) => pieces.push(piece) }
  t.same([await model.answer(HELLO, options), await model.answer(HELLO, options)], answers)
  t.same(pieces, ['Done.'])
  await refused(t, model.answer(HELLO, options), 'E_MODEL_RECORD')
  t.same(await model.count('12345'), { count: 2, exact: false, by: 'characters / 4' })
  await t.rejects(model.answer(HELLO, { signal: AbortSignal.abort(new Error('stopped')) }), /stopped/)
  await model.close()
})
