import { createRequire } from 'node:module'
import fc from 'fast-check'
import t from 'tap'
import { CausalLog, type LogEntry } from './causal-log.js'

/** As much of Autobase’s parts as is used here; they have no types. */
interface Node {
  readonly writer: Writer
  readonly length: number
}
interface Linearizer {
  addHead(node: Node): Node
  update(): { readonly indexed: readonly Node[]; readonly tip: readonly Node[] } | null
}
interface LinearizerClass {
  new (indexers: readonly Writer[], options: object): Linearizer
  createNode(
    writer: Writer,
    length: number,
    value: Uint8Array,
    heads: readonly { readonly key: Buffer; readonly length: number }[],
    batch: number,
    dependencies: ReadonlySet<Node>
  ): Node
}
interface NodeBuffer {
  readonly offset: number
  push(node: Node): void
  shift(): Node
  get(index: number): Node | null
}
const require = createRequire(import.meta.url)
const Linearizer = require('autobase/lib/linearizer.js') as LinearizerClass
const Nodes = require('autobase/lib/node-buffer.js') as new (offset: number) => NodeBuffer

/** A writer as the linearizer knows it. */
class Writer {
  readonly core: { readonly key: Buffer }
  readonly isRemoved = false
  readonly nodes = new Nodes(0)
  length = 0

  constructor(
    readonly number: number,
    key: number,
    readonly isActiveIndexer: boolean
  ) {
    this.core = { key: Buffer.alloc(32, key) }
  }

  get indexed(): number {
    return this.nodes.offset
  }

  get(index: number): Node | null {
    return index < this.length ? this.nodes.get(index) : null
  }
}

/** The order that Autobase gives to entries that come to it like this, so many at a time. */
function orderedByAutobase(entries: readonly LogEntry[], order: readonly number[], atATime: number): string {
  const writers = order.map((_, n) => new Writer(n, order.indexOf(n), n === 0))
  const linearizer = new Linearizer([writers[0]!], { writers: new Map() })
  const done: Node[] = []
  let tip: readonly Node[] = []
  for (const [n, { writer, index, seen }] of entries.entries()) {
    const heads = headsOf(seen, writer, entries).map((head) => ({
      key: writers[head.writer]!.core.key,
      length: head.index + 1,
      node: writers[head.writer]!.nodes.get(head.index)
    }))
    const own = writers[writer]!
    const before = own.nodes.get(index - 1)
    const known = [...heads.map(({ node }) => node), before].filter((node) => node !== null)
    const node = Linearizer.createNode(own, index + 1, Uint8Array.of(0), heads, 1, new Set(known))
    own.nodes.push(node)
    own.length++
    linearizer.addHead(node)
    if (n % atATime !== 0 && n < entries.length - 1) continue
    const update = linearizer.update()
    if (!update) continue
    for (const each of update.indexed) each.writer.nodes.shift()
    done.push(...update.indexed)
    tip = update.tip
  }
  return [...done, ...tip].map((node) => `${node.writer.number}:${node.length - 1}`).join(' ')
}

/** The newest entries that an entry has seen, but for what others of them have seen and what is its own. */
function headsOf(seen: readonly number[], own: number, entries: readonly LogEntry[]): LogEntry[] {
  const newest = entries.filter(({ writer, index }) => index === seen[writer]! - 1)
  return newest.filter(
    ({ writer, index }) => writer !== own && !newest.some((other) => other.seen[writer]! > index)
  )
}

t.test('the order of what happens is the one that Autobase gives to it', async (t) => {
  let apart = 0
  const step = fc.record({
    writer: fc.nat({ max: 4 }),
    sees: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    arrives: fc.nat({ max: 100 })
  })
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40, size: 'max' }),
      fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
      fc.integer({ min: 1, max: 6 }),
      (steps, order, atATime) => {
        const log = new CausalLog(5, order)
        const written: LogEntry[] = []
        const seen = Array.from({ length: 5 }, () => [0, 0, 0, 0, 0])
        for (const { writer, sees } of steps) {
          // Before it writes, it meets some of the others.
          const mine = sees.reduce(
            (all, does, n) => (does ? all.map((length, i) => Math.max(length, seen[n]![i]!)) : all),
            seen[writer]!
          )
          log.append(writer, mine, null)
          written.push({ writer, index: mine[writer]!, seen: mine, bytes: null })
          seen[writer] = mine.with(writer, mine[writer]! + 1)
        }
        const lengths = [0, 1, 2, 3, 4].map((n) => written.filter(({ writer }) => writer === n).length)
        const mine = log.ordered(lengths).map(({ writer, index }) => `${writer}:${index}`)
        const arrivals = arrivalsOf(
          written,
          steps.map(({ arrives }) => arrives)
        )
        const theirs = orderedByAutobase(arrivals, order, atATime)
        if (mine.join(' ') !== theirs) throw new Error(`${mine.join(' ')} and not ${theirs}`)
        if (written.map(({ writer, index }) => `${writer}:${index}`).join(' ') !== theirs) apart++
      }
    ),
    { numRuns: 300 }
  )
  t.ok(apart > 50, 'and that is seldom the order in which it happened')
})

/** The entries in another order in which each comes behind its causes. */
function arrivalsOf(written: readonly LogEntry[], ranks: readonly number[]): LogEntry[] {
  const rest = written.map((entry, n) => ({ entry, rank: ranks[n]! })).sort((a, b) => a.rank - b.rank)
  const here = [0, 0, 0, 0, 0]
  const arrivals: LogEntry[] = []
  while (rest.length > 0) {
    const next = rest.findIndex((each) => each.entry.seen.every((length, n) => length <= here[n]!))
    const { entry } = rest.splice(next, 1)[0]!
    here[entry.writer]!++
    arrivals.push(entry)
  }
  return arrivals
}
