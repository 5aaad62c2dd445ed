import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { estimateTokens, tokenCounter } from '../../src/agent/models/count.js'
import { openaiModel } from '../../src/agent/models/openai.js'
import { hold, startOpenAi, type OpenAiOptions, type OpenAiServer } from './openai-server.js'

async function served(t: Test, options?: OpenAiOptions): Promise<OpenAiServer> {
  const server = await startOpenAi([], options)
  t.teardown(() => server.close())
  return server
}

t.test('a server’s own tokenizer counts, beside the protocol’s paths and by the key', async (t) => {
  const tokenize = (text: string): number[] => text.split(' ').map((word) => word.length)
  const { url, received } = await served(t, { tokenize, key: 'sk-1' })
  const model = openaiModel({ url, model: 'gpt-4o', key: 'sk-1' })
  t.same(await model.count('one two three'), { count: 3, exact: true, by: 'llama.cpp' })
  t.same(await model.count('one'), { count: 1, exact: true, by: 'llama.cpp' })
  t.match(received, [{ path: '/tokenize', body: { content: 'one two three' } }, { path: '/tokenize' }])
})

t.test('without one it goes by the model’s name, and isn’t asked again', async (t) => {
  const { url, received } = await served(t)
  for (const [model, by] of [
    ['gpt-4o', 'o200k_base'],
    ['openai/gpt-4o', 'o200k_base'],
    ['gpt-4', 'cl100k_base'],
    ['gpt-oss-20b', 'o200k_harmony']
  ] as const) {
    const count = tokenCounter({ url, model })
    const before = received.length
    t.same(await count('hello world, hello'), { count: 4, exact: true, by }, model)
    t.match(await count('hello <|endoftext|>'), { exact: true, by }, 'what looks special is plain text')
    t.equal(received.length, before + 1, model)
  }
})

t.test('where neither is known it is estimated', async (t) => {
  const { url, received } = await served(t)
  for (const model of ['qwen3-8b', 'gpt', 'constructor', '__proto__', '']) {
    const count = tokenCounter({ url, model })
    t.same(await count('🙂🙂🙂🙂🙂'), { count: 2, exact: false, by: 'characters / 4' }, model)
    t.same(await count(''), { count: 0, exact: false, by: 'characters / 4' }, model)
  }
  t.equal(received.length, 5)
})

t.test('a text on which the library would sit for minutes is estimated', async (t) => {
  const { url } = await served(t)
  const count = tokenCounter({ url, model: 'gpt-4o' })
  for (const run of ['a', ' ', '漢', '.', '\n', 'a\u0301'])
    t.match(await count(run.repeat(300_000)), { exact: false }, JSON.stringify(run))
  t.match(await count('Whoever writes like this is counted. '.repeat(10_000)), { exact: true })
})

t.test('a server that is busy is asked again the next time', async (t) => {
  const statuses = [503, 200]
  const server = createServer((_request, response) => {
    response.writeHead(statuses.shift()!, { 'content-type': 'application/json' }).end('{"tokens":[7,8]}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const count = tokenCounter({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    model: 'm'
  })
  t.match(await count('x'), { exact: false })
  t.same(await count('x'), { count: 2, exact: true, by: 'llama.cpp' })
})

t.test('what is slow, gone or no tokenizer costs no error', async (t) => {
  const held = hold<number[]>()
  const slow = await served(t, { tokenize: () => held.promise })
  const count = tokenCounter({ url: slow.url, model: 'm' }, 40)
  t.match(await count('abcde'), { count: 2, exact: false })
  held.release([])
  t.match(await count('abcde'), { count: 2, exact: false }, 'and is not waited for again')
  // Where this machine is slow too, not even the first has come there in time.
  t.ok(slow.received.length <= 1)

  const gone = await startOpenAi([])
  await gone.close()
  t.match(await tokenCounter({ url: gone.url, model: 'm' })('x'), { count: 1, exact: false })

  const other = await served(t, { tokenize: () => 'x' as unknown as number[] })
  t.match(await tokenCounter({ url: other.url, model: 'm' })('x'), { count: 1, exact: false })
})

t.test('whatever the text, there is a count', async (t) => {
  const { url } = await served(t)
  const count = tokenCounter({ url, model: 'gpt-4o' })
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'grapheme' }))
  const property = fc.asyncProperty(text, async (text) => {
    const { count: tokens, exact } = await count(text)
    // Each token stands for a byte or more.
    t.ok(exact && tokens <= Buffer.byteLength(text) && tokens > 0 === text.length > 0)
    t.equal(estimateTokens(text).count, Math.ceil(Array.from(text).length / 4))
  })
  await fc.assert(property, { numRuns: 200 })
})
