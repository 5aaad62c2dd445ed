import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { digestOf, mayHold } from '../../src/agent/files/digest.js'
import { FileIndex } from '../../src/agent/files/file-index.js'
import { find } from '../../src/agent/files/find.js'
import type { FileEntry } from '../../src/agent/files/folder.js'
import { Query } from '../../src/agent/files/query.js'
import { Kind } from '../../src/agent/files/read-text.js'
import { placesOf } from '../../src/agent/files/scan.js'
import { CHUNK } from '../../src/agent/files/text-room.js'
import { clockAt } from '../devices/clock.js'
import { folder } from '../devices/devices.js'
import { tree } from '../folders/tree.js'
import { finderOf, naively } from './searched.js'

const { signal } = new AbortController()

interface Options {
  /** Whether the system may tell of changes. */
  readonly watching?: boolean
  readonly room?: number
}

/** An index of one folder, in this thread. */
class Indexed {
  private constructor(
    readonly index: FileIndex,
    readonly root: string
  ) {}

  static async of(t: Test, root: string, { watching = true, room }: Options = {}): Promise<Indexed> {
    const cookies = watching ? await folder(t) : undefined
    return new Indexed(new FileIndex({ cookies, apart: [], ...(room !== undefined && { room }) }), root)
  }

  /** `path matched` of what is found, sorted. */
  async found(query: string, limit = 10_000): Promise<string[]> {
    const { hits } = await find(this.index, [this.root], new Query(query), limit, signal)
    return hits.map(({ path, matched }) => `${path} ${matched}`).sort()
  }

  files(): FileEntry[] {
    return [...this.index.roots.values()].flatMap((root) =>
      [...root.all()].flatMap(({ files }) => [...files.values()])
    )
  }
}

const NAMES = ['a', 'b', 'A b.txt', 'needle', 'd.md']
const TEXTS = ['', 'needle', 'a needle in a haystack', 'NEEDLE\0', 'hay', 'Caf\u00e9 hay', 'x'.repeat(3000)]
const QUERIES = ['needle', 'a', 'hay needle', 'b', 'a/b', 'café', 'needle a', 'd.md hay', 'zzz', '"in a"']

const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'))
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('write'), path, text: fc.constantFrom(...TEXTS) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('folder'), path }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('move'), path, to: path }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete'), path }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('link'), path, to: path }) }
)
type Act = { type: string; path: string; text?: string; to?: string }

/** Does it, where the disk lets it. */
function perform(root: string, { type, path, text = '', to = '' }: Act): void {
  const at = join(root, path)
  try {
    if (type === 'write') writeFileSync(at, text)
    if (type === 'folder') mkdirSync(at, { recursive: true })
    if (type === 'move') renameSync(at, join(root, to))
    if (type === 'delete') rmSync(at, { recursive: true })
    if (type === 'link') symlinkSync(join(root, to), at)
  } catch {
    // There is no such folder, or something is in the way.
  }
}

for (const [name, options] of Object.entries<Options>({
  'as the system tells': {},
  'without being told': { watching: false },
  'with room for no text': { room: 0 }
})) {
  t.test(`after whatever changes, what is found is what is there, ${name}`, async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(act, { maxLength: 8 }), fc.constantFrom(...QUERIES)), {
          minLength: 1,
          maxLength: 6
        }),
        async (rounds) => {
          const root = await folder(t)
          const indexed = await Indexed.of(t, root, options)
          for (const [acts, query] of rounds) {
            for (const each of acts) perform(root, each)
            const [found, there] = [await indexed.found(query), naively(root, query)]
            if (found.join('\n') !== there.join('\n'))
              throw new Error(`found ${found.join()}, not ${there.join()}`)
            await indexed.index.prepare(() => true)
          }
        }
      ),
      { numRuns: 60 }
    )
  })
}

t.test('more changes at once than the system queues', async (t) => {
  const root = await tree(t, { 'a/x': 'hay', 'b/x': 'hay' })
  const indexed = await Indexed.of(t, root)
  t.same(await indexed.found('needle'), [])
  // Nothing can be told meanwhile. Each takes two places, and what comes last finds none.
  for (let i = 0; i < 9000; i++) {
    writeFileSync(join(root, 'a', `y${i % 10}`), String(i))
    unlinkSync(join(root, 'a', `y${i % 10}`))
  }
  writeFileSync(join(root, 'b/x'), 'needle')
  mkdirSync(join(root, 'c'))
  writeFileSync(join(root, 'c/x'), 'needle')
  t.same(await indexed.found('needle'), naively(root, 'needle'))
  writeFileSync(join(root, 'b/x'), 'hay')
  writeFileSync(join(root, 'c/y'), 'needle')
  t.same(await indexed.found('needle'), naively(root, 'needle'), 'and from then on')
})

t.test('where the system tells nothing, only what has changed is read again', async (t) => {
  const root = await tree(t, { 'a.txt': 'needle', 'b.txt': 'needle', 'sub/c.txt': 'needle' })
  const indexed = await Indexed.of(t, root, { watching: false })
  // What was changed just now may change again within the same instant.
  const later = clockAt('2100-01-01')
  const found = (): Promise<string[]> => later(() => indexed.found('needle'))
  const reads = (): Map<string, unknown> => new Map(indexed.files().map(({ name, read }) => [name, read]))
  t.equal((await found()).length, 3)
  const before = reads()
  writeFileSync(join(root, 'b.txt'), 'dangle')
  utimesSync(join(root, 'b.txt'), 1, 1)
  t.same(await found(), naively(root, 'needle'))
  const after = reads()
  const again = [...after].filter(([name, read]) => read !== before.get(name)).map(([name]) => name)
  t.same(again, ['b.txt'])
})

t.test('where the system tells nothing, what was read just after it was changed is read again', async (t) => {
  const root = await tree(t, { 'a.txt': 'needle' })
  const indexed = await Indexed.of(t, root, { watching: false })
  // To a clock that is behind, it was changed just now, however long this takes.
  const found = (): Promise<string[]> => clockAt('2000-01-01')(() => indexed.found('needle'))
  await found()
  const [{ read }] = indexed.files() as [FileEntry]
  await found()
  t.not(indexed.files()[0]!.read, read)
})

t.test('texts that find no room are found all the same, and not read where that is known', async (t) => {
  const texts = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [`f${n}`, `file${n} hay `.repeat(7000)])
  )
  const root = await tree(t, texts)
  const indexed = await Indexed.of(t, root, { room: CHUNK })
  const found = (query: string): Promise<string[]> => indexed.found(query)
  const expected = [`${join(root, 'f123')} text`]
  // They have been as they are for long.
  t.same(await clockAt('2100-01-01')(() => found('file123')), expected)
  const away = indexed.files().filter(({ kind }) => kind === Kind.away)
  t.ok(away.length > 50 && away.length < 300, 'some are held, some aren’t')
  t.ok(away.every(({ digest }) => digest === undefined))
  await indexed.index.prepare(() => true)
  t.ok(away.every(({ digest }) => digest !== undefined))
  t.same(await found('file123'), expected)
  t.equal((await found('hay')).length, 300)
  const { path } = away[0]!
  await appendFile(path, ' needle')
  t.same(await found('needle'), [`${path} text`])
  await indexed.index.prepare(() => true)
  await writeFile(path, 'nothing')
  t.same(await found('needle'), [])
})

t.test('who asks while it gets ready is answered from all that is there', async (t) => {
  const root = await tree(t, { 'sub/x': 'hay' })
  const indexed = await Indexed.of(t, root)
  t.same(await indexed.found('needle'), [])
  for (let n = 0; n < 2000; n++) {
    mkdirSync(join(root, `sub/${n}`))
    writeFileSync(join(root, `sub/${n}/x`), 'needle')
  }
  // Broken off after the first moments.
  await indexed.index.prepare(() => false)
  t.ok(indexed.files().length < 2000, 'it wasn’t done')
  t.equal((await indexed.found('needle')).length, 2000)
})

t.test('the room of texts that are gone is used again', async (t) => {
  const root = await tree(t)
  const indexed = await Indexed.of(t, root, { room: 2 * CHUNK })
  for (let round = 0; round < 12; round++) {
    await mkdir(join(root, 'sub'), { recursive: true })
    for (let n = 0; n < 8; n++)
      await writeFile(join(root, 'sub', `f${n}`), `${round} needle `.repeat(100_000))
    t.equal((await indexed.found(`"${round} needle"`)).length, 8)
    t.ok(
      indexed.files().every(({ kind }) => kind === Kind.held),
      `all are held in round ${round}`
    )
  }
})

t.test('a tree of many files is read and searched by more than one thread', async (t) => {
  const root = await folder(t)
  for (let n = 0; n < 3000; n++) {
    if (n % 100 === 0) mkdirSync(join(root, `d${n / 100}`))
    writeFileSync(join(root, `d${Math.floor(n / 100)}/f${n}`), `file number${n} ${'hay '.repeat(n % 7)}`)
  }
  const finder = finderOf(t, root)
  t.same(await finder.paths('number2999'), ['d29/f2999'])
  t.equal((await finder.find('hay', 200)).hits.length, 200)
  rmSync(join(root, 'd29'), { recursive: true })
  writeFileSync(join(root, 'd3/f300'), 'number2999')
  t.same(await finder.paths('number2999'), ['d3/f300'])
  t.same(await finder.paths('number hay number2001'), ['d20/f2001'])
})

const alphabet = fc.constantFrom('a', 'e', 'q', 'z', ' ', '\u00e9')
const text = fc.string({ unit: alphabet, maxLength: 60 })
const word = fc.string({ unit: alphabet, minLength: 1, maxLength: 12 })

t.test('a word is found in each text that holds it, at one place', async () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), word, (texts, word) => {
      const bytes = texts.map((each) => Buffer.from(`${each}\0`))
      const starts = bytes.map((_, i) => Buffer.concat(bytes.slice(0, i)).length)
      const places = placesOf(Buffer.from(word), Buffer.concat(bytes))
      const expected = bytes.flatMap((each, i) => {
        const at = each.indexOf(word)
        return at < 0 ? [] : [starts[i]! + at]
      })
      return JSON.stringify(places) === JSON.stringify(expected)
    }),
    { numRuns: 5000 }
  )
})

t.test('a text that ended with a word’s beginning ended the search with an error', (t) => {
  const [word, text] = [Buffer.from('éé q aa'), Buffer.from('éé q \0')]
  t.same(placesOf(word, text), [])
  t.same(placesOf(word, Buffer.concat([word, Buffer.of(0), text])), [0])
  t.end()
})

t.test('a digest never hides a word that a text holds, and most that it doesn’t', async (t) => {
  fc.assert(
    fc.property(text, word, (text, word) => {
      const bytes = Buffer.from(text)
      return !text.includes(word) || mayHold(digestOf(bytes), Buffer.from(word))
    }),
    { numRuns: 500 }
  )
  // The same in every run: of words by chance it would be too many now and then.
  const noise = createHash('shake256', { outputLength: 12_000 }).update('noise').digest()
  const digest = digestOf(Buffer.from(noise.toString('base64', 0, 6000)))
  const wrong = Array.from({ length: 1000 }, (_, n) => noise.toString('base64', 6000 + n * 6, 6006 + n * 6))
  t.ok(wrong.filter((each) => mayHold(digest, Buffer.from(each))).length < 10)
})
