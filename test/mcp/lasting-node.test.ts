import { once } from 'node:events'
import t from 'tap'
import type { NodeApi } from '../../src/api.js'
import { SelkieError } from '../../src/base/errors.js'
import { LastingNode, type Connection } from '../../src/mcp/lasting-node.js'
import { fakeNode } from '../attach/fake-node.js'

/** A connection to a node that says its name, and can go away. */
class Held implements Connection {
  readonly node: NodeApi
  readonly elsewhere: boolean
  readonly #gone = new AbortController()
  readonly #listeners = new Set<(event: { kinds: string[] }) => void>()
  closed = false

  constructor(name: string, { elsewhere = true, online = false } = {}) {
    this.elsewhere = elsewhere
    this.node = fakeNode({
      status: async () => ({ online }) as never,
      list: () => this.#answer([{ slug: name }] as never),
      watch: async (onEvent, signal) => {
        this.#listeners.add(onEvent)
        const ended = AbortSignal.any([signal, this.#gone.signal])
        if (!ended.aborted) await once(ended, 'abort')
        this.#listeners.delete(onEvent)
      }
    })
  }

  goAway(): void {
    this.#gone.abort()
  }

  tell(kind: string): void {
    for (const listener of this.#listeners) listener({ kinds: [kind] })
  }

  async close(): Promise<void> {
    this.closed = true
  }

  async #answer<T>(value: T): Promise<T> {
    if (this.#gone.signal.aborted) throw new SelkieError('E_NODE_GONE')
    return value
  }
}

/** A node that goes from one of these to the next, and how often it did. */
async function over(...held: (Held | SelkieError)[]) {
  const connects: (Held | SelkieError)[] = []
  const node = await LastingNode.open(async () => {
    const next = held.shift()
    if (!next) throw new TypeError('that was the last one')
    connects.push(next)
    if (next instanceof SelkieError) throw next
    return next
  })
  return { node, connects }
}

const nameOf = async (node: LastingNode): Promise<string> => (await node.list())[0]!.slug

t.test('a question that was cut off is asked of the node that comes next, once for all', async (t) => {
  const [first, second] = [new Held('first'), new Held('second')]
  const { node, connects } = await over(first, second)
  t.equal(await nameOf(node), 'first')
  first.goAway()
  t.same(await Promise.all([nameOf(node), nameOf(node), nameOf(node)]), ['second', 'second', 'second'])
  t.same(connects, [first, second])
  t.equal(first.closed, true)
  await node.close()
  t.equal(second.closed, true)
})

t.test('whoever watches hears of every node, and that anything may have changed in between', async (t) => {
  const [first, second] = [new Held('first'), new Held('second', { elsewhere: false })]
  const { node } = await over(first, second)
  const heard: string[] = []
  const stop = new AbortController()
  let hear = (): void => {}
  const watching = node.watch(({ kinds }) => {
    heard.push(kinds.join(' '))
    hear()
  }, stop.signal)
  first.tell('note')
  const heardNext = new Promise<void>((resolve) => (hear = resolve))
  first.goAway()
  await heardNext
  t.equal(await nameOf(node), 'second')
  second.tell('contact')
  t.same(heard, ['note', 'skill alias', 'contact'])
  stop.abort()
  await watching
  second.tell('skill')
  t.equal(heard.length, 3)
  await node.close()
})

t.test('where a person has stopped it, or none can be had, it is lost', async (t) => {
  const lost = async (held: Held, next: Held | SelkieError, code: string): Promise<void> => {
    const { node } = await over(held, next)
    const watching = t.rejects(
      node.watch(() => {}, new AbortController().signal),
      { code }
    )
    held.goAway()
    await t.rejects(node.lost, { code })
    await watching
    await t.rejects(node.list(), { code })
    await node.close()
  }
  await lost(new Held('up', { online: true }), new Held('next'), 'E_NODE_GONE')
  await lost(new Held('own', { elsewhere: false }), new Held('next'), 'E_NODE_GONE')
  await lost(new Held('other'), new SelkieError('E_HOME_BUSY', { home: '/h' }), 'E_HOME_BUSY')
})

t.test('one that ends before it has said anything is passed over', async (t) => {
  const [first, second] = [new Held('first'), new Held('second')]
  first.node.status = () => Promise.reject(new SelkieError('E_NODE_GONE'))
  const { node } = await over(first, second)
  t.equal(await nameOf(node), 'second')
  t.equal(first.closed, true)
  await node.close()
})

t.test('what a node refuses is refused, and no reason to leave it', async (t) => {
  const first = new Held('first')
  first.node.show = () => Promise.reject(new SelkieError('E_SLUG_UNKNOWN', { slug: 'x', near: '' }))
  const { node, connects } = await over(first)
  await t.rejects(node.show('x'), { code: 'E_SLUG_UNKNOWN' })
  t.equal(connects.length, 1)
  await node.close()
})

t.test('closing it while the next one is awaited lets go of that too', async (t) => {
  const [first, second] = [new Held('first'), new Held('second')]
  let connect = (): void => {}
  const waited = new Promise<void>((resolve) => (connect = resolve))
  const connections = [Promise.resolve(first), waited.then(() => second)]
  const node = await LastingNode.open(() => connections.shift()!)
  first.goAway()
  const asked = nameOf(node)
  while (connections.length > 0) await new Promise((resolve) => setImmediate(resolve))
  const closed = node.close()
  connect()
  await closed
  t.equal(await asked, 'second')
  t.equal(second.closed, true)
})
