import t from 'tap'
import type { Slug, Uid } from '../../src/base/ids.js'
import { twinsOf } from '../../src/editing/twins.js'
import { encodeContent } from '../../src/namespace/content.js'
import type { LinkedBody } from '../../src/namespace/linked.js'
import { Namespace } from '../../src/namespace/resolve.js'
import type { Content } from '../../src/namespace/skill.js'
import type { Store } from '../../src/store/store.js'

const uid = (set: string, n: number): Uid => `${set}${n.toString(16).padStart(31, '0')}` as Uid
const content = (title: string, body: LinkedBody): Content => ({
  title,
  summary: 'What it is.',
  header: null,
  files: [],
  body
})

/** What `twinsOf` needs of a store that holds these contents; it counts how often one is read. */
function storeOf(contents: ReadonlyMap<Uid, Content>): { store: Store; reads: () => number } {
  let reads = 0
  const namespace = new Namespace()
  for (const [name, { title, summary }] of contents) {
    const row = { uid: name, slug: `s-${name}` as Slug, title, summary, head: name, heads: [name], refs: [] }
    namespace.put({ ...row, enabled: true, advertised: false, exec: false, deleted: false } as never)
  }
  const view = {
    get: async (_: 'version', hash: string) => ({ content: hash }),
    content: async (hash: string) => {
      reads++
      return encodeContent(contents.get(hash as Uid)!)
    }
  }
  return { store: { namespace, view } as unknown as Store, reads: () => reads }
}

/** Many skills of two sets that are alike, each made by `make` of its own set’s uids. */
async function paired(count: number, make: (n: number, name: (n: number) => Uid) => Content) {
  const numbers = Array.from({ length: count }, (_, n) => n)
  const set = (sign: string): Map<Uid, Content> =>
    new Map(numbers.map((n) => [uid(sign, n), make(n, (other) => uid(sign, other))]))
  const { store, reads } = storeOf(set('a'))
  const strangers = [...set('b')].map(([name, each]) => ({ uid: name, content: each }))
  const twins = await twinsOf(store, strangers)
  return {
    twins,
    reads: reads(),
    of: (n: number) => twins.get(uid('b', n))?.uid,
    here: (n: number) => uid('a', n)
  }
}

t.test('many skills of one title were read once for each pair of them', async (t) => {
  const { twins, reads, of, here } = await paired(1000, (n) => content('Note', [`Number ${n}.`]))
  t.equal(reads, 1000)
  t.equal(twins.size, 1000)
  t.equal(of(7), here(7))
})

t.test('many skills that are the same to the letter', async (t) => {
  const { twins, reads } = await paired(1000, () => content('Note', ['Nothing.']))
  t.equal(reads, 1000)
  t.equal(twins.size, 1000)
})

t.test('a long chain was struck out from the start for each of its links', async (t) => {
  const next = (name: Uid): LinkedBody => ['See ', { skill: name }, '.']
  const last = 1499
  const chain = await paired(last + 1, (n, name) =>
    n < last ? content('Link', next(name(n + 1))) : content('End', ['Here.'])
  )
  t.equal(chain.twins.size, last + 1)
  for (const n of [0, 700, last]) t.equal(chain.of(n), chain.here(n))
})

t.test('a chain that ends otherwise is struck out to its beginning', async (t) => {
  const last = 999
  const link = (sign: string, n: number): Content => content('Link', [{ skill: uid(sign, n + 1) }])
  const set = (sign: string, end: string): Map<Uid, Content> => {
    const links = Array.from({ length: last }, (_, n): [Uid, Content] => [uid(sign, n), link(sign, n)])
    return new Map([...links, [uid(sign, last), content('End', [end])]])
  }
  const { store } = storeOf(set('a', 'Here.'))
  const strangers = [...set('b', 'Elsewhere.')].map(([name, each]) => ({ uid: name, content: each }))
  t.equal((await twinsOf(store, strangers)).size, 0)
})

t.test('a ring that everything mentions decides for everything', async (t) => {
  const ring = await paired(600, (n, name) =>
    n < 2
      ? content(`Hub ${n}`, ['Other hub: ', { skill: name(1 - n) }, '.'])
      : content('Spoke', ['Before: ', { skill: name(n - 1) }, '. Hub: ', { skill: name(n % 2) }, '.'])
  )
  t.equal(ring.twins.size, 600)
  for (const n of [0, 1, 2, 599]) t.equal(ring.of(n), ring.here(n))
})

t.test('of several that are alike, it is the one that another mentions', async (t) => {
  const { store } = storeOf(
    new Map([
      [uid('a', 1), content('Leaf', ['-'])],
      [uid('a', 2), content('Leaf', ['-'])],
      [uid('a', 3), content('Top', [{ skill: uid('a', 2) }])]
    ])
  )
  const twins = await twinsOf(store, [
    { uid: uid('b', 1), content: content('Leaf', ['-']) },
    { uid: uid('b', 3), content: content('Top', [{ skill: uid('b', 1) }]) }
  ])
  t.equal(twins.get(uid('b', 1))?.uid, uid('a', 2))
  t.equal(twins.get(uid('b', 3))?.uid, uid('a', 3))
})

t.test('one stranger can’t be two skills at once', async (t) => {
  const { store } = storeOf(
    new Map([
      [uid('a', 1), content('Leaf', ['-'])],
      [uid('a', 2), content('Leaf', ['-'])],
      [uid('a', 3), content('Top', [{ skill: uid('a', 1) }, ' ', { skill: uid('a', 2) }])]
    ])
  )
  const twins = await twinsOf(store, [
    { uid: uid('b', 1), content: content('Leaf', ['-']) },
    { uid: uid('b', 3), content: content('Top', [{ skill: uid('b', 1) }, ' ', { skill: uid('b', 1) }]) }
  ])
  t.ok(twins.has(uid('b', 1)))
  t.notOk(twins.has(uid('b', 3)))
})
