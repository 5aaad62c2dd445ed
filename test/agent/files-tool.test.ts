import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { OwnDevice } from '../../src/api.js'
import { FileFinder } from '../../src/agent/files/finder.js'
import { Grants } from '../../src/agent/grants.js'
import type { ToolAnswer } from '../../src/agent/tool-run.js'
import { findFile } from '../../src/agent/tools/find-file.js'
import { listDevices } from '../../src/agent/tools/list-devices.js'
import type { Asked } from '../../src/devices/asking.js'
import { shape } from '../../src/base/schema.js'
import { toolByName } from '../../src/namespace/tool.js'
import type { FileQuestion, FoundFile } from '../../src/wire/asking.js'
import { folder } from '../devices/devices.js'
import { tree } from '../folders/tree.js'

/** The laptop, on which the tool runs, and another device, which answers as it is told. */
const device = (name: string, digit: string, more: Partial<OwnDevice> = {}): OwnDevice => ({
  name,
  device: digit.repeat(64),
  added: '2026-01-01T00:00:00.000Z',
  seen: null,
  online: true,
  current: false,
  refused: 0,
  ...more
})
const LAPTOP = device('laptop', 'a', { current: true })
const DESKTOP = device('Desktop', 'b', { seen: '2026-01-02T00:00:00.000Z' })
const PHONE = device('phone', 'c', { online: false })

const file = (path: string, matched: FoundFile['matched'], day: number): FoundFile => ({
  path,
  size: 1,
  modified: new Date(Date.UTC(2000, 0, day)).toISOString(),
  matched
})

/** The tool on the laptop, among devices of which the others answer as they are told. */
async function tool(
  t: Test,
  all: readonly OwnDevice[],
  answers: Readonly<Record<string, Asked>> = {}
): Promise<{
  readonly grants: Grants
  readonly asked: { readonly device: string; readonly question: FileQuestion }[]
  readonly run: (args: Record<string, unknown>) => Promise<ToolAnswer>
}> {
  const grants = await Grants.open(await folder(t), (error) => t.fail('grants', { error }))
  const finder = new FileFinder(grants)
  t.teardown(() => finder.close())
  const asked: { device: string; question: FileQuestion }[] = []
  const ask = async (key: string, question: FileQuestion): Promise<Asked> => {
    const { name } = all.find(({ device }) => device === key)!
    asked.push({ device: name, question })
    return answers[name]!
  }
  const run = findFile({ grants, finder, devices: { list: async () => all, ask } })
  return { grants, asked, run: (args) => run(args, new AbortController().signal) }
}

/** What was told of files: the device and the end of the path of each. */
const told = (found: ToolAnswer): string[] =>
  (found['hits'] as { device: string; path: string }[]).map(
    ({ device, path }) => `${device} ${path.split(/[/\\]/).at(-1)}`
  )

const answer = (hits: readonly FoundFile[], problems: readonly string[] = [], more = false): Asked => ({
  answer: { granted: true, hits, problems, more }
})

t.test('files of all devices that are online, the best first, and what is missing', async (t) => {
  const root = await tree(t, { 'my needle.txt': 'x', 'notes.txt': 'a needle', 'haystack/needle/x': 'x' })
  const there = [
    file('/home/ana/needle.md', 'name', 1),
    file('C:\\Users\\ana\\Needles.md', 'name', 1),
    file('/srv/text', 'text', 1)
  ]
  const { grants, asked, run } = await tool(t, [LAPTOP, DESKTOP, PHONE], {
    Desktop: answer(there, ['/srv/closed can’t be read: permission denied'])
  })
  await grants.grant('files', root)
  const found = await run({ query: 'needle' })
  t.match(found, {
    hits: [
      { device: 'Desktop', path: '/home/ana/needle.md', matched: 'name' },
      { device: 'laptop', path: join(root, 'my needle.txt'), matched: 'name' },
      { device: 'Desktop', path: 'C:\\Users\\ana\\Needles.md', matched: 'name' },
      { device: 'laptop', path: join(root, 'haystack/needle/x'), matched: 'path' },
      { device: 'laptop', path: join(root, 'notes.txt'), matched: 'text', line: 1, excerpt: 'a needle' },
      { device: 'Desktop', path: '/srv/text', matched: 'text' }
    ],
    missing: [
      { device: 'Desktop', why: '/srv/closed can’t be read: permission denied' },
      { device: 'phone', why: 'it is offline' }
    ],
    more: false
  })
  t.equal(told(found).length, 6)
  t.equal((found['missing'] as unknown[]).length, 2)
  t.same(asked, [{ device: 'Desktop', question: { query: 'needle', limit: 20 } }], 'no grant goes with it')

  const cut = await run({ query: 'needle', limit: 2 })
  t.equal((cut['hits'] as unknown[]).length, 2)
  t.equal(cut['more'], true)
})

t.test('one device alone, by its name', async (t) => {
  const root = await tree(t, { 'needle.txt': 'x' })
  const { grants, asked, run } = await tool(t, [LAPTOP, DESKTOP, PHONE], {
    Desktop: answer([file('/needle', 'name', 1)], [], true)
  })
  await grants.grant('files', root)
  const here = await run({ query: 'needle', device: 'LAPTOP' })
  t.same([told(here), here['missing'], here['more']], [['laptop needle.txt'], [], false])
  t.same(asked, [])
  const there = await run({ query: 'needle', device: ' desktop ' })
  t.same([told(there), there['missing'], there['more']], [['Desktop needle'], [], true])
  t.same(await run({ query: 'needle', device: 'phone' }), {
    hits: [],
    missing: [{ device: 'phone', why: 'it is offline' }],
    more: false
  })
  await t.rejects(run({ query: 'needle', device: 'tablet' }), { code: 'E_DEVICE_UNKNOWN' })
})

t.test('devices of the same name are told apart', async (t) => {
  const [one, other] = [device('box', 'd'), device('Box', 'e')]
  const names = ['box (dddddddddddd)', 'Box (eeeeeeeeeeee)']
  const grants = await Grants.open(await folder(t), (error) => t.fail('grants', { error }))
  const ask = async (): Promise<Asked> => answer([file('/needle', 'name', 1)])
  const run = findFile({
    grants,
    finder: new FileFinder(grants),
    devices: { list: async () => [one, other], ask }
  })
  const { signal } = new AbortController()
  t.same(
    told(await run({ query: 'needle' }, signal)),
    names.map((name) => `${name} needle`)
  )
  t.same(told(await run({ query: 'needle', device: names[1] }, signal)), [`${names[1]} needle`])
  await t.rejects(run({ query: 'needle', device: 'box' }, signal), {
    code: 'E_DEVICE_WHICH',
    fields: { keys: names.join(', ') }
  })
  const { devices } = (await listDevices(async () => [one, other])({}, signal)) as {
    devices: { name: string }[]
  }
  t.same(
    devices.map(({ name }) => name),
    names
  )
})

t.test('without a grant nothing is searched, and that is said', async (t) => {
  const alone = await tool(t, [LAPTOP, PHONE])
  await t.rejects(alone.run({ query: 'needle' }), { code: 'E_NOT_GRANTED' }, 'nobody else is there')
  await t.rejects(alone.run({ query: 'needle', device: 'laptop' }), { code: 'E_NOT_GRANTED' })

  const { asked, run } = await tool(t, [LAPTOP, DESKTOP], {
    Desktop: { answer: { granted: false, hits: [], problems: [], more: false } }
  })
  const why = 'nothing granted: no folder may be searched there'
  t.same(await run({ query: 'needle' }), {
    hits: [],
    missing: [
      { device: 'laptop', why },
      { device: 'Desktop', why }
    ],
    more: false
  })
  t.equal(asked.length, 1, 'the other answers by its own grants')
})

t.test('a device that gives no answer is named', async (t) => {
  const root = await tree(t, { 'needle.txt': 'x' })
  const why = 'it didn’t answer within 3 seconds'
  const { grants, run } = await tool(t, [LAPTOP, DESKTOP], { Desktop: { why } })
  await grants.grant('files', root)
  const found = await run({ query: 'needle' })
  t.same([told(found), found['missing']], [['laptop needle.txt'], [{ device: 'Desktop', why }]])
})

t.test('a query has words, and not too many', async (t) => {
  const root = await tree(t, { 'needle.txt': 'x' })
  const { grants, run } = await tool(t, [LAPTOP])
  await grants.grant('files', root)
  const words = (count: number): string => Array.from({ length: count }, (_, n) => `w${n}`).join(' ')
  for (const query of [' ', '\0', words(31)]) await t.rejects(run({ query }), { code: 'E_FIND_QUERY' })
  for (const query of [words(30), '\ud800', '.*', '\\', '%', '"', 'x'.repeat(999), 'a\0b'])
    t.same(told(await run({ query })), [], JSON.stringify(query.slice(0, 20)))
  t.same(told(await run({ query: 'need\0le' })), ['laptop needle.txt'])
})

t.test('what the tools take is what is declared', async (t) => {
  const takes = (name: string): ((args: unknown) => boolean) => shape(toolByName(name)!.schema)
  const find = takes('find_file')
  t.ok(find({ query: 'x' }))
  t.ok(find({ query: 'x', device: 'laptop', limit: 200 }))
  for (const args of [
    {},
    { query: '' },
    { query: 'x', limit: 0 },
    { query: 'x', limit: 201 },
    { query: 'x', folder: '/' }
  ])
    t.notOk(find(args), JSON.stringify(args))
})

t.test('the devices, and which are there', async (t) => {
  const run = listDevices(async () => [LAPTOP, DESKTOP, PHONE])
  t.same(await run({}, new AbortController().signal), {
    devices: [
      { name: 'laptop', online: true, current: true, lastSeen: null },
      { name: 'Desktop', online: true, current: false, lastSeen: '2026-01-02T00:00:00.000Z' },
      { name: 'phone', online: false, current: false, lastSeen: null }
    ]
  })
})
