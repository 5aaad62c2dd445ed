import { once } from 'node:events'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import type { NodeApi, PlanShown, Run } from '../../src/api.js'
import { attach } from '../../src/attach/client.js'
import { MAX_REQUEST, serve } from '../../src/attach/server.js'
import { socketPath } from '../../src/attach/socket.js'
import { isSelkieError, SelkieError } from '../../src/base/errors.js'
import { home as homeOf } from '../editing/home.js'
import { fakeNode, PLAN_TRIP, shortHome } from './fake-node.js'

/** A promise and its two ends. */
function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((settle) => (resolve = settle))
  return { promise, resolve }
}

async function attached(home: string): Promise<NodeApi> {
  const node = await attach(home)
  if (!node) throw new Error('nobody listens')
  return node
}

/** A client that says what no client of ours would, and the lines that it is answered. */
async function rawClient(
  home: string
): Promise<{ socket: Socket; line: () => Promise<Record<string, unknown>> }> {
  const socket = connect(socketPath(home))
  const chunks = socket.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>
  let kept = ''
  const line = async (): Promise<Record<string, unknown>> => {
    while (!kept.includes('\n')) {
      const chunk = await chunks.next()
      if (chunk.done) throw new Error('it hung up')
      kept += chunk.value
    }
    const end = kept.indexOf('\n')
    const text = kept.slice(0, end)
    kept = kept.slice(end + 1)
    return JSON.parse(text) as Record<string, unknown>
  }
  await line()
  return { socket, line }
}

t.test('a method goes over the socket with its arguments, and its result comes back', async (t) => {
  const home = await shortHome(t)
  const seen: unknown[] = []
  const node = fakeNode({
    list: async () => [PLAN_TRIP],
    diff: async (...args) => {
      seen.push(args)
      return { slug: 'plan-trip', from: null, to: 'b', diff: '\u2028 is no line end', files: [] }
    }
  })
  const server = await serve(node, home)
  const client = await attached(home)
  t.same(await client.list(), [PLAN_TRIP])
  const { diff } = await client.diff('plan-trip', undefined, 'b')
  t.equal(diff, '\u2028 is no line end')
  t.same(seen, [['plan-trip', undefined, 'b']], 'what was left out is left out there too')
  t.equal((await stat(socketPath(home))).mode & 0o777, 0o600, 'only this user may connect')
  await client.close()
  await server.close()
  t.equal(await attach(home), undefined, 'the socket is gone with the server')
})

t.test('requests run side by side, and each gets its own answer', async (t) => {
  const home = await shortHome(t)
  const slow = later<void>()
  const node = fakeNode({
    resolve: async (slug) => {
      if (slug === 'slow') await slow.promise
      else slow.resolve()
      return { kind: 'nothing', slug, near: [] }
    }
  })
  const server = await serve(node, home)
  const client = await attached(home)
  const both = await Promise.all([client.resolve('slow'), client.resolve('quick')])
  t.same(
    both.map(({ slug }) => slug),
    ['slow', 'quick']
  )
  await client.close()
  await server.close()
})

t.test('progress is told before the result', async (t) => {
  const home = await shortHome(t)
  const node = fakeNode({
    importFolders: async (paths, onProgress) => {
      onProgress?.({ label: 'reading', done: 1, total: paths.length })
      onProgress?.({ label: 'reading', done: 2, total: paths.length })
      return { imported: [], diagnostics: [] }
    }
  })
  const server = await serve(node, home)
  const client = await attached(home)
  const steps: number[] = []
  await client.importFolders(['/a', '/b'], ({ done }) => steps.push(done))
  t.same(steps, [1, 2])
  t.same(await client.importFolders(['/a']), { imported: [], diagnostics: [] }, 'nobody need listen to it')
  await client.close()
  await server.close()
})

t.test('a refusal comes back as it was said, and a fault as a plain sentence', async (t) => {
  const home = await shortHome(t)
  const refusal = new SelkieError('E_SLUG_TAKEN', { slug: 'find-file', kind: 'tool' })
  const server = await serve(fakeNode({ rename: () => Promise.reject(refusal) }), home)
  const client = await attached(home)
  const caught = await client.rename('a', 'find-file').catch((error: unknown) => error)
  t.ok(isSelkieError(caught, 'E_SLUG_TAKEN'))
  const { message, hint, fields } = caught as SelkieError
  t.same({ message, hint, fields }, { message: refusal.message, hint: refusal.hint, fields: refusal.fields })
  await t.rejects(client.status(), { code: 'E_INTERNAL', message: new SelkieError('E_INTERNAL').message })
  await client.close()
  await server.close()
})

t.test('nobody listens: no socket, a leftover one, a folder that isn’t there', async (t) => {
  const home = await shortHome(t)
  t.equal(await attach(home), undefined)
  await writeFile(join(home, 'node.sock'), '')
  t.equal(await attach(home), undefined)
  t.equal(await attach(join(home, 'none')), undefined)
})

t.test('a leftover socket gives way to the owner of the store', async (t) => {
  const home = await shortHome(t)
  await writeFile(join(home, 'node.sock'), 'left by a process that was killed')
  const server = await serve(fakeNode({ list: async () => [] }), home)
  const client = await attached(home)
  t.same(await client.list(), [])
  await client.close()
  await server.close()
})

t.test('a node that drops mid-request is E_NODE_GONE, also for what is asked after it', async (t) => {
  const home = await shortHome(t)
  const server = createServer((socket) => {
    socket.write('{"selkie":1}\n')
    socket.once('data', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(socketPath(home), resolve))
  const client = await attached(home)
  await t.rejects(client.list(), { code: 'E_NODE_GONE' })
  await t.rejects(client.list(), { code: 'E_NODE_GONE' })
  await client.close()
  server.close()
})

t.test('a node that was suspended kept every command waiting for ever', async (t) => {
  const home = await shortHome(t)
  const silent = createServer(() => {})
  silent.listen(socketPath(home))
  await once(silent, 'listening')
  await t.rejects(attach(home, { patience: 50 }), { code: 'E_NODE_SILENT' })
  silent.close()
})

t.test('what doesn’t speak like a node is none', async (t) => {
  const home = await shortHome(t)
  let says = '{"selkie":2}\n'
  const server = createServer((socket) => socket.end(says))
  await new Promise<void>((resolve) => server.listen(socketPath(home), resolve))
  await t.rejects(attach(home), { code: 'E_NODE_OTHER' })
  says = 'HTTP/1.1 400 Bad Request\n'
  t.equal(await attach(home), undefined)
  says = ''
  t.equal(await attach(home), undefined, 'it hung up before it said a word')
  server.close()
})

t.test('a malformed request is answered with a code, and the next one is served', async (t) => {
  const home = await shortHome(t)
  const server = await serve(fakeNode({ list: async () => [PLAN_TRIP] }), home)
  const { socket, line } = await rawClient(home)
  const malformed = [
    'no JSON',
    'null',
    '[]',
    '{"id":1}',
    '{"id":"1","method":"list","args":[]}',
    '{"id":1,"method":"close","args":[]}',
    '{"id":1,"method":"constructor","args":[]}',
    '{"id":1,"method":["list"],"args":[]}',
    '{"id":1,"method":"list","args":{}}'
  ]
  for (const request of malformed) {
    socket.write(request + '\n')
    t.match(await line(), { id: null, error: { code: 'E_REQUEST' } }, request)
  }
  socket.write('{"id":7,"method":"list","args":[]}\n')
  t.same(await line(), { id: 7, result: [PLAN_TRIP] })
  socket.destroy()
  await server.close()
})

t.test('a line may be as long as the limit; one byte more is refused and hung up on', async (t) => {
  const home = await shortHome(t)
  const server = await serve(
    fakeNode({ resolve: async (slug) => ({ kind: 'nothing', slug, near: [] }) }),
    home
  )
  const { socket, line } = await rawClient(home)
  const frame = '{"id":1,"method":"resolve","args":[""]}'
  const longest = frame.replace('""', `"${'a'.repeat(MAX_REQUEST - frame.length)}"`)
  socket.write(longest + '\n')
  t.match(await line(), { id: 1, result: { kind: 'nothing' } })
  socket.write(longest + ' ')
  t.match(await line(), { id: null, error: { code: 'E_REQUEST' } })
  await once(socket, 'close')

  const client = await attached(home)
  await t.rejects(
    client.resolve('a'.repeat(MAX_REQUEST)),
    { code: 'E_REQUEST' },
    'our own client hears it too'
  )
  await server.close()
})

t.test('a client that hangs up doesn’t break what it began, nor the others', async (t) => {
  const home = await shortHome(t)
  const begun = later<void>()
  const go = later<void>()
  const done = later<string>()
  const node = fakeNode({
    list: async () => [PLAN_TRIP],
    delete: async (slug) => {
      begun.resolve()
      await go.promise
      done.resolve(slug)
      return { uid: PLAN_TRIP.uid, slug }
    }
  })
  const server = await serve(node, home)
  const rude = await rawClient(home)
  rude.socket.write('{"id":1,"method":"delete","args":["plan-trip"]}\n')
  await begun.promise
  rude.socket.destroy()
  go.resolve()
  t.equal(await done.promise, 'plan-trip')
  const client = await attached(home)
  t.same(await client.list(), [PLAN_TRIP])
  await client.close()
  await server.close()
})

t.test('every event is told before the result, also to a client that reads slowly', async (t) => {
  const home = await shortHome(t)
  const kinds = 'x'.repeat(10_000)
  const node = fakeNode({
    watch: async (onEvent) => {
      for (let n = 0; n < 500; n++) onEvent({ kinds: [kinds, `${n}`] })
    }
  })
  const server = await serve(node, home)
  const client = await attached(home)
  const heard: string[] = []
  await client.watch(({ kinds }) => heard.push(kinds[1]!), new AbortController().signal)
  t.same(
    heard,
    Array.from({ length: 500 }, (_, n) => `${n}`)
  )
  await client.close()
  await server.close()
})

t.test('a signal ends what it was given to, and nothing else on the connection', async (t) => {
  const home = await shortHome(t)
  const ended: string[] = []
  const watched = (name: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        ended.push(name)
        resolve()
      }
      if (signal.aborted) end()
      else signal.addEventListener('abort', end)
    })
  let count = 0
  const node = fakeNode({
    list: async () => [],
    watch: (onEvent, signal) => {
      const name = `${++count}`
      onEvent({ kinds: [name] })
      return watched(name, signal)
    }
  })
  const server = await serve(node, home)
  const client = await attached(home)
  const [first, second] = [new AbortController(), new AbortController()]
  const begun = [later<void>(), later<void>()]
  const one = client.watch(() => begun[0]!.resolve(), first.signal)
  const two = client.watch(() => begun[1]!.resolve(), second.signal)
  await Promise.all(begun.map(({ promise }) => promise))
  first.abort()
  await one
  t.same(ended, ['1'])
  t.same(await client.list(), [])

  await t.test('so does one that had aborted before', async (t) => {
    await client.watch(() => {}, AbortSignal.abort())
    t.same(ended, ['1', '3'])
  })

  await t.test('so does hanging up', async (t) => {
    const gone = t.rejects(two, { code: 'E_NODE_GONE' })
    await client.close()
    await gone
    await server.close()
    t.same(ended, ['1', '3', '2'])
  })
})

t.test('a node that stops ends what waits for a signal', async (t) => {
  const home = await shortHome(t)
  const begun = later<void>()
  const node = fakeNode({
    watch: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve())
        begun.resolve()
      })
  })
  const server = await serve(node, home)
  const client = await attached(home)
  const watching = client.watch(() => {}, new AbortController().signal)
  await begun.promise
  const closed = server.close()
  t.equal(await watching, undefined, 'it has its answer')
  await client.close()
  await closed
})

t.test('a node that stops answers what runs, and gives up what waits for a person', async (t) => {
  const home = await shortHome(t)
  const running = later<void>()
  const go = later<void>()
  const node = fakeNode({
    list: async () => {
      running.resolve()
      await go.promise
      return [PLAN_TRIP]
    },
    invited: () => new Promise(() => {})
  })
  const server = await serve(node, home)
  const client = await attached(home)
  const list = client.list()
  const invited = client.invited('an invite')
  await running.promise
  const closed = server.close()
  await t.rejects(invited, { code: 'E_NODE_GONE' })
  t.equal(await attach(home), undefined, 'no one else is let in')
  go.resolve()
  t.same(await list, [PLAN_TRIP])
  t.same(await client.list(), [PLAN_TRIP], 'who is in may go on')
  await client.close()
  await closed
})

t.test('a node that stops doesn’t wait for a client that says nothing', async (t) => {
  const home = await shortHome(t)
  const server = await serve(fakeNode({}), home)
  const { socket } = await rawClient(home)
  const ended = once(socket, 'close')
  socket.resume()
  await server.close()
  await ended
  t.pass('it was hung up on')
})

function listRequest(id: number): string {
  return JSON.stringify({ id, method: 'list', args: [] }) + '\n'
}

t.test('a client that doesn’t read is not read from either', async (t) => {
  const home = await shortHome(t)
  let calls = 0
  const node = fakeNode({
    list: async () => {
      calls++
      return Array.from({ length: 20_000 }, () => PLAN_TRIP)
    }
  })
  const server = await serve(node, home)
  const socket = connect(socketPath(home))
  await once(socket, 'connect')
  socket.pause().write(listRequest(1))
  // A second client’s answer comes after the first one’s was written.
  const client = await attached(home)
  await client.list()
  socket.write(listRequest(2))
  await client.list()
  t.equal(calls, 3, 'the second request waits unread')
  socket.resume()
  await client.close()
  socket.destroy()
  await server.close()
})

t.test('a home too long for a socket is refused by name', async (t) => {
  const home = join('/', 'h'.repeat(103 - '/'.length - '/node.sock'.length))
  t.equal(socketPath(home).length, 103)
  t.throws(() => socketPath(`${home}h`), { code: 'E_HOME_PATH', fields: { over: 1 } })
  await t.rejects(attach(`${home}é`), { code: 'E_HOME_PATH', fields: { over: 2 } })
  const deep = join(t.testdir(), 'h'.repeat(120))
  await mkdir(deep)
  await t.rejects(serve(fakeNode({}), deep), { code: 'E_HOME_PATH' })
})

for (const atOnce of [false, true]) {
  t.test(`a node that stops ${atOnce ? 'at once ends runs' : 'broke off the runs of others'}`, async (t) => {
    const home = await shortHome(t)
    const begun = later<void>()
    const go = later<string>()
    const answer = (signal?: AbortSignal): Promise<string> => {
      signal?.addEventListener('abort', () => go.resolve('stopped'))
      return go.promise
    }
    const node = fakeNode({
      plan: async (_text, _options, signal) => {
        begun.resolve()
        const plan = await answer(signal)
        signal!.throwIfAborted()
        return { plan } as PlanShown
      },
      ask: async (_text, _options, _onEvent, signal) => ({ answer: await answer(signal) }) as Run
    })
    const server = await serve(node, home)
    const client = await attached(home)
    const asking = client.ask('What day?', {}, () => {}, new AbortController().signal)
    const planning = client.plan('What day?', {})
    planning.catch(() => {})
    await begun.promise
    const closed = server.close(atOnce)
    if (!atOnce) {
      // Answered after everything that the closing has begun with.
      setImmediate(() => go.resolve('done'))
      t.match(await planning, { plan: 'done' })
    } else await t.rejects(planning, { code: 'E_NODE_GONE' })
    t.match(await asking, { answer: atOnce ? 'stopped' : 'done' })
    await client.close()
    await closed
  })
}

t.test('what was null came as left out', async (t) => {
  const { node, folder } = await homeOf(t, 'Ada')
  const server = await serve(node, folder)
  const client = await attached(folder)
  t.match(await client.setInstructions('Rhyme.'), { edited: true })
  t.match(await client.setInstructions(null), { edited: false })
  t.match(await client.setModel(null), { kind: 'none' })
  await client.close()
  await server.close()
})
