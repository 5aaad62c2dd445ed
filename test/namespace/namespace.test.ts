import t from 'tap'
import { decode, encode } from '../../src/base/msgpack.js'
import type { ContentHash, FileHash, Slug, ToolName, VersionHash } from '../../src/base/ids.js'
import { deviceFrom } from '../../src/keys/device.js'
import { closureOf } from '../../src/namespace/closure.js'
import { contentHash, decodeContent, encodeContent } from '../../src/namespace/content.js'
import { isCanonical, linked, refsOf, shown, type LinkedBody, type Ref } from '../../src/namespace/linked.js'
import type { Namespace } from '../../src/namespace/resolve.js'
import { fileHash, type Content } from '../../src/namespace/skill.js'
import { TOOLS } from '../../src/namespace/tool.js'
import { isSignedVersion, signVersion, versionHash } from '../../src/namespace/version.js'
import { testRoot } from '../keys/people.js'
import { names, namespaceOf, refsTo, rowOf, slugs, uidOf } from './skills.js'

const slugOf = (namespace: Namespace) => namespace.slugOf.bind(namespace)
const refOf = (namespace: Namespace) => namespace.refOf.bind(namespace)

/** The three skills that a fresh node has. */
const [fetchFile, checkSchedule, searchInfo] = [
  rowOf(1, 'fetch-file', refsTo('list-devices', 'find-file')),
  rowOf(2, 'check-schedule', refsTo('current-date', 'calendar'), { advertised: true }),
  rowOf(3, 'search-info', refsTo('check-notebook', 1, 'grep-memory'), { advertised: true })
]
const fresh = (): Namespace => namespaceOf(fetchFile, checkSchedule, searchInfo)

t.test('the tools of a plan', (t) => {
  const bound = (handles: string, namespace = fresh()): string =>
    names(namespace.toolsForPlan(slugs(handles)))
  t.equal(bound('search-info'), 'check_notebook list_devices find_file grep_memory')
  t.equal(bound('check-schedule'), 'current_date query_calendar')
  t.equal(bound('calendar'), 'query_calendar', 'a tool as it is')
  t.equal(
    bound('find-file search-info'),
    'find_file check_notebook list_devices grep_memory',
    'in order of appearance'
  )
  t.equal(bound('nothing search-inf'), '', 'what names nothing')
  t.equal(bound('fetch-file fetch-file'), 'list_devices find_file')
  const off = fresh()
  off.put({ ...fetchFile, enabled: false })
  t.equal(bound('search-info fetch-file', off), 'check_notebook grep_memory', 'a disabled skill adds nothing')
  t.end()
})

t.test('resolving', (t) => {
  const namespace = namespaceOf(
    fetchFile,
    rowOf(4, 'gone', [], { deleted: true }),
    rowOf(5, 'off', [], { enabled: false })
  )
  t.same(namespace.resolve('fetch-file' as Slug), { kind: 'skill', skill: fetchFile })
  t.match(namespace.resolve('find-file' as Slug), { kind: 'tool', tool: { name: 'find_file' } })
  t.equal(namespace.resolve('nothing' as Slug), undefined)
  t.equal(namespace.resolve('gone' as Slug), undefined, 'a deleted skill')
  t.match(namespace.resolve('off' as Slug), { kind: 'skill' }, 'a disabled skill')
  t.same(
    namespace.deleted().map(({ uid }) => uid),
    [uidOf(4)]
  )
  t.equal(namespace.slugOf(uidOf(4)), 'gone', 'shown by the last slug it had')
  t.same(namespace.near('fetch-flie' as Slug), ['fetch-file'])
  t.end()
})

t.test('the six tools', (t) => {
  t.same(
    TOOLS.map(({ slug, name }) => `${slug} ${name}`),
    [
      'calendar query_calendar',
      'check-notebook check_notebook',
      'current-date current_date',
      'find-file find_file',
      'grep-memory grep_memory',
      'list-devices list_devices'
    ]
  )
  t.same(
    TOOLS.filter((tool) => tool.advertised).map((tool) => tool.slug),
    ['current-date']
  )
  t.ok(TOOLS.every((tool) => fresh().isTaken(tool.slug)))
  t.end()
})

t.test('two skills can trade their slugs', (t) => {
  const namespace = namespaceOf(rowOf(1, 'a', []), rowOf(2, 'b', []))
  namespace.put(rowOf(1, 'b', []))
  namespace.put(rowOf(2, 'a', []))
  t.same(
    namespace.live().map(({ slug, uid }) => [slug, uid]),
    [
      ['a', uidOf(2)],
      ['b', uidOf(1)]
    ]
  )
  t.end()
})

t.test('who mentions a skill', (t) => {
  const namespace = namespaceOf(
    rowOf(1, 'plan', refsTo(1)),
    rowOf(2, 'b', refsTo(1)),
    rowOf(3, 'a', refsTo(1), { enabled: false }),
    rowOf(4, 'gone', refsTo(1), { deleted: true }),
    rowOf(5, 'c', refsTo(9))
  )
  const by = (): string =>
    namespace
      .mentionersOf(uidOf(1))
      .map((row) => row.slug)
      .join(' ')
  t.equal(by(), 'a b', 'live ones, itself left out')
  namespace.putAlias(uidOf(9), uidOf(1))
  t.equal(by(), 'a b c', 'by an alias too')
  namespace.put(rowOf(2, 'b', []))
  t.equal(by(), 'a c', 'until the mention is taken out')
  t.end()
})

t.test('a closure follows cycles once and names its aliases', (t) => {
  const namespace = namespaceOf(
    rowOf(1, 'a', refsTo(2, 'calendar', 9)),
    rowOf(2, 'b', refsTo(1, 3, 'find-file')),
    rowOf(3, 'c', refsTo(3, 'calendar'), { enabled: false }),
    rowOf(4, 'd', refsTo(1))
  )
  namespace.putAlias(uidOf(9), uidOf(3))
  const closure = closureOf(namespace, namespace.row(uidOf(1))!)
  t.same(
    closure.skills.map((row) => row.slug),
    ['a', 'b', 'c']
  )
  t.equal(names(closure.tools), 'query_calendar find_file')
  t.same(closure.aliases, [{ from: uidOf(9), to: uidOf(3) }])
  t.end()
})

t.test('a chain of 10,000 skills', (t) => {
  const length = 10_000
  const rows = Array.from({ length }, (_, i) =>
    rowOf(i, `s-${i}`, i + 1 < length ? refsTo(i + 1) : refsTo('calendar'))
  )
  const namespace = namespaceOf(...rows)
  t.equal(names(namespace.toolsForPlan(slugs('s-0'))), 'query_calendar')
  const closure = closureOf(namespace, rows[0]!)
  t.equal(closure.skills.length, length)
  t.equal(names(closure.tools), 'query_calendar')
  t.end()
})

t.test('a body is linked and shown', (t) => {
  const namespace = fresh()
  const text = 'First `@check-notebook`, then @Fetch-File; `@find-file x` and me@find-file are text.'
  const { body, unknown } = linked(text, refOf(namespace))
  t.same(unknown, [])
  t.same(body, [
    'First `',
    { tool: 'check_notebook' },
    '`, then ',
    { skill: uidOf(1) },
    '; `@find-file x` and me@find-file are text.'
  ])
  t.equal(shown(body, slugOf(namespace)), text.replace('@Fetch-File', '@fetch-file'))
  t.same(refsOf([...body, ...body]), [{ tool: 'check_notebook' }, { skill: uidOf(1) }])

  namespace.put(rowOf(1, 'bring', []))
  t.equal(shown(body, slugOf(namespace)), text.replace('@Fetch-File', '@bring'))
  t.end()
})

t.test('what names nothing is told, once each, and stays text', (t) => {
  const { body, unknown } = linked('@b @a @fetch-file @b', refOf(fresh()))
  t.same(unknown, ['b', 'a'])
  t.same(body, ['@b @a ', { skill: uidOf(1) }, ' @b'])
  t.end()
})

t.test('which bodies are canonical', (t) => {
  const a: Ref = { skill: uidOf(1) }
  const b: Ref = { skill: uidOf(2) }
  const tool: Ref = { tool: 'find_file' as ToolName }
  const good: LinkedBody[] = [
    [],
    ['text'],
    [a],
    [a, ' ', b, ' ', a],
    ['`', tool, '`'],
    ['\\@plan me@plan `run @plan`']
  ]
  const bad: LinkedBody[] = [
    [''],
    ['a', 'b'],
    [a, ''],
    [a, b],
    [a, 'x'],
    ['x', a],
    [a, '.x'],
    [a, '-2'],
    [a, '0'],
    ['@plan'],
    ['see ', a, ' and @skill-0'],
    ['`', a, ' x`'],
    ['```\n', a, '\n```'],
    ['\\', a],
    [{ tool: 'rm_rf' as ToolName }]
  ]
  for (const body of good) t.ok(isCanonical(body), JSON.stringify(body))
  for (const body of bad) t.notOk(isCanonical(body), JSON.stringify(body))
  t.end()
})

const content: Content = {
  title: 'Plan a trip',
  summary: 'How to plan a trip.',
  header: 'name: plan-a-trip\n',
  body: ['Ask ', { skill: uidOf(1) }, ', then ', { tool: 'find_file' as ToolName }, '.'],
  files: [
    { path: 'a.md', hash: fileHash(new Uint8Array([1])), size: 1, exec: false },
    { path: 'b.sh', hash: fileHash(new Uint8Array([2])), size: 1, exec: true }
  ]
}

t.test('a content comes back as it was encoded', (t) => {
  t.same(decodeContent(encodeContent(content)), content)
  t.same(decodeContent(encodeContent({ ...content, header: null, body: [], files: [] })).body, [])
  t.end()
})

t.test('a content’s hash doesn’t depend on names, and on all else', (t) => {
  const named = (slug: string): string => {
    const namespace = namespaceOf(rowOf(1, slug, []))
    const { body } = linked(shown(content.body, slugOf(namespace)), refOf(namespace))
    return contentHash(encodeContent({ ...content, body }))
  }
  t.equal(named('plan'), named('another-name'))
  const file = content.files[0]!
  const changes: Partial<Content>[] = [
    {},
    { title: 'x' },
    { summary: 'x' },
    { header: null },
    { body: ['x'] },
    { body: ['Ask ', { skill: uidOf(2) }, ', then ', { tool: 'find_file' as ToolName }, '.'] },
    { files: [] },
    { files: [{ ...file, exec: true }] },
    { files: [{ ...file, path: 'x' }] },
    { files: [file] }
  ]
  const hashes = changes.map((change) => contentHash(encodeContent({ ...content, ...change })))
  t.equal(new Set(hashes).size, changes.length)
  t.end()
})

t.test('a content that is refused', (t) => {
  const [first, second] = [content.files[0]!, content.files[1]!]
  const cases: Record<string, object> = {
    'no title': { title: '' },
    'a long title': { title: 'a'.repeat(201) },
    'a header that a body follows': { header: 'name: x\n---\nDo this.\n' },
    'a header that some readers end': { header: 'name: x\n---- \n' },
    'a header that ends at once': { header: '---\n' },
    'a header with a line that doesn’t end': { header: 'name: x' },
    'a live mention in a text': { body: ['@plan'] },
    'a tool that there isn’t': { body: [{ tool: 'rm_rf' }] },
    'a uid that is none': { body: [{ skill: 'ABC' }] },
    'two texts side by side': { body: ['a', 'b'] },
    'files out of order': { files: [second, first] },
    'a file twice': { files: [first, first] },
    'a size that is no number': { files: [{ ...first, size: '1' }] },
    'a hash that is none': { files: [{ ...first, hash: 'x' as FileHash }] }
  }
  for (const [name, change] of Object.entries(cases)) {
    t.throws(() => decodeContent(encodeContent({ ...content, ...change })), { code: 'E_CONTENT' }, name)
  }
  const extra = { ...(decode(encodeContent(content)) as object), extra: 1 }
  t.throws(() => decodeContent(encode(extra)), { code: 'E_CONTENT' }, 'an unknown field')
  t.throws(() => decodeContent(encode({ title: 'x' })), { code: 'E_CONTENT' }, 'a title alone')
  t.throws(() => decodeContent(new Uint8Array([0xc1])), { code: 'E_ENCODING' })
  t.end()
})

t.test('a body of 1 MiB is taken, one byte more isn’t', (t) => {
  const bytes = (length: number): Uint8Array =>
    encodeContent({ ...content, body: ['é'.repeat(1 << 19) + 'x'.repeat(length)] })
  t.equal(decodeContent(bytes(0)).body.length, 1)
  t.throws(() => decodeContent(bytes(1)), { code: 'E_CONTENT' })
  t.end()
})

t.test('a version is signed by its device, over all that it says', (t) => {
  const device = deviceFrom({ signing: new Uint8Array(32), sealing: new Uint8Array(32) })
  const parents = ['f'.repeat(64), '0'.repeat(64)] as VersionHash[]
  const version = signVersion(
    {
      uid: uidOf(1),
      content: '1'.repeat(64) as ContentHash,
      parents,
      author: testRoot(1).identity,
      device: device.signer.key,
      time: 1_700_000_000
    },
    device.signer
  )
  t.ok(isSignedVersion(version))
  t.same(version.parents, [...parents].reverse(), 'parents in rising order')
  const changes: Partial<typeof version>[] = [
    { uid: uidOf(2) },
    { content: '2'.repeat(64) as ContentHash },
    { parents: [] },
    { parents },
    { author: testRoot(2).identity },
    { device: testRoot(1).identity as string as typeof version.device },
    { time: 1_700_000_001 }
  ]
  for (const change of changes) {
    const changed = { ...version, ...change }
    t.notOk(isSignedVersion(changed), Object.keys(change).join())
    t.not(versionHash(changed), versionHash(version))
  }
  t.end()
})
