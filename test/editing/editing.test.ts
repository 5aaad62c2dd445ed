import t, { type Test } from 'tap'
import type { NodeApi } from '../../src/api.js'
import { isSelkieError } from '../../src/base/errors.js'
import { home } from './home.js'

const skill = (title: string, body = 'Do it.') => ({ title, summary: `How to: ${title}.`, body })

/** That a call is refused with this code, and says what to do. */
async function refused(t: Test, call: Promise<unknown>, code: string, says: RegExp = /./): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason
  )
  if (!isSelkieError(error)) return void t.fail(`${code} expected`, { found: error })
  t.equal(error.code, code)
  t.match(`${error.message} ${error.hint}`, says)
  t.ok(error.hint.length > 0 && !/[{}]/.test(error.message + error.hint), 'filled, with a hint')
}

async function slugs(node: NodeApi): Promise<string> {
  return (await node.list()).map(({ slug }) => slug).join(' ')
}

t.test('a fresh node has the built-in skills', async (t) => {
  const { node } = await home(t, 'Ana')
  t.same(
    (await node.list()).map(({ slug, enabled, advertised, versions }) => [
      slug,
      enabled,
      advertised,
      versions
    ]),
    [
      ['check-schedule', true, true, 1],
      ['fetch-file', true, false, 1],
      ['search-info', true, true, 1]
    ]
  )
  t.same(await node.toolsForPlan(['@search-info']), [
    'check_notebook',
    'list_devices',
    'find_file',
    'grep_memory'
  ])
  t.same(await node.toolsForPlan(['calendar', 'CHECK-SCHEDULE', 'nothing']), [
    'query_calendar',
    'current_date'
  ])
  t.match(await node.closure('search-info'), {
    skills: [{ slug: 'search-info' }, { slug: 'fetch-file' }],
    tools: ['check-notebook', 'grep-memory', 'list-devices', 'find-file']
  })
  t.match(await node.check(), { ok: true, skills: 3, versions: 3, problems: [] })
  t.match(await node.resolve('@find-file'), { kind: 'tool', name: 'find_file' })
  t.match(await node.resolve('fetch-fil'), { kind: 'nothing', near: ['fetch-file'] })
  await refused(t, node.resolve('no slug'), 'E_SLUG_FORM')
  await refused(t, node.show('fetch-fil'), 'E_SLUG_UNKNOWN', /Did you mean @fetch-file/)
  await refused(t, node.show('calendar'), 'E_SLUG_TOOL')
  await refused(t, node.closure('calendar'), 'E_SLUG_TOOL')
})

t.test('slugs are minted around what is there', async (t) => {
  const { node } = await home(t, 'Ana')
  t.match(await node.create(skill('Find file')), { slug: 'find-file-2' }, 'a tool’s')
  t.match(await node.create(skill('Ünïcode & Söhne')), { slug: 'unicode-sohne' })
  t.match(await node.create(skill('…')), { slug: 'skill' })
  t.match(await node.create(skill('?!')), { slug: 'skill-2' })
  const long = 'x'.repeat(64)
  t.match(await node.create(skill(long)), { slug: long })
  t.match(await node.create(skill(long)), { slug: `${'x'.repeat(62)}-2` })
  t.match(
    await node.create(skill('😀'.repeat(200))),
    { slug: /^[a-z0-9-]{1,64}$/ },
    'characters, not code units'
  )
  t.match(await node.edit('skill', { title: 'Named' }), { slug: 'skill' }, 'an edit leaves the handle alone')
})

t.test('what can’t be saved', async (t) => {
  const { node } = await home(t, 'Ana')
  const before = await slugs(node)
  await refused(t, node.create(skill('  ')), 'E_TITLE_EMPTY')
  await refused(t, node.create({ ...skill('x'), summary: '\n' }), 'E_TITLE_EMPTY')
  await refused(t, node.create(skill('x'.repeat(201))), 'E_TEXT_LIMIT', /201 characters/)
  await refused(t, node.create({ ...skill('x'), summary: 'x'.repeat(4097) }), 'E_TEXT_LIMIT')
  await refused(t, node.create(skill('x', 'é'.repeat(524_289))), 'E_TEXT_LIMIT', /1048578 bytes/)
  t.match(await node.create(skill('Full', 'é'.repeat(524_288))), { slug: 'full' }, 'at the limit it works')
  await refused(
    t,
    node.create(skill('x', 'See @fetch-fiel and @nothing-like.')),
    'E_MENTIONS',
    /@fetch-fiel, @nothing-like.*@fetch-file/
  )
  await node.setEnabled('fetch-file', false)
  await refused(t, node.create(skill('x', 'See @fetch-file.')), 'E_MENTIONS', /@fetch-file \(disabled\)/)
  await refused(t, node.edit('search-info', { body: '@fetch-file' }), 'E_MENTIONS')
  t.match(await node.edit('search-info', { summary: 'Else.' }), { summary: 'Else.' }, 'its old body may stay')
  await refused(t, node.edit('nobody', { title: 'x' }), 'E_SLUG_UNKNOWN')
  await refused(t, node.edit('calendar', { title: 'x' }), 'E_SLUG_TOOL')
  t.equal(await slugs(node), before.replace('fetch-file', 'fetch-file full'))
})

t.test('a skill may mention itself, disabled or not', async (t) => {
  const { node } = await home(t, 'Ana')
  const body = 'Again from the top: @loop.'
  t.match(await node.create(skill('Loop', body)), { slug: 'loop', mentions: ['loop'] })
  await node.setEnabled('loop', false)
  t.match(await node.edit('loop', { body: `${body} @loop!` }), { mentions: ['loop'] })
  await node.setEnabled('loop', true)
  t.same(await node.toolsForPlan(['loop']), [])
  await refused(t, node.create(skill('New', 'As @new-thing.')), 'E_MENTIONS')
  t.match(await node.create(skill('Loop', 'Before that: @loop.')), { slug: 'loop-2', mentions: ['loop'] })
  await node.edit('loop-2', { body: '-' })
  t.match(await node.delete('loop'), { slug: 'loop' }, 'its own mention holds nobody')
})

t.test('a published version stays, and what follows it are drafts', async (t) => {
  const { node } = await home(t, 'Ana')
  const first = await node.create(skill('Plan', 'One.'))
  t.match(await node.log('plan'), [{ published: false }])
  t.match(await node.publish('plan'), { slug: 'plan', version: first.version })
  const second = await node.edit('plan', { body: 'Two.' })
  t.match(await node.log('plan'), [
    { published: false, head: true },
    { published: true, head: false }
  ])
  t.match(await node.publish('plan', second.version.slice(0, 8)), { version: second.version })
  t.match(await node.log('plan'), [{ published: true }, { published: false }])
  await node.publish('plan', first.version)
  t.match(await node.log('plan'), [{ published: false }, { published: true }], 'and goes back')
  await refused(t, node.publish('plan', 'ffffffff'), 'E_VERSION_UNKNOWN')
  await refused(t, node.publish('nobody'), 'E_SLUG_UNKNOWN')
})

t.test('edits, their log and their diffs', async (t) => {
  const { node } = await home(t, 'Ana')
  const first = await node.create(skill('Plan', 'One\r\ntwo\n'))
  t.equal((await node.show('plan')).body, 'One\ntwo\n')
  const second = await node.edit('plan', { body: 'One\nthree\n', base: first.version })
  await refused(t, node.edit('plan', { body: 'x', base: first.version }), 'E_EDIT_STALE')
  t.equal((await node.edit('plan', { body: 'One\nthree\n' })).version, second.version, 'nothing changed')
  t.match(await node.show('plan'), { versions: 2, version: second.version, deleted: false, diverged: [] })
  t.equal((await node.show('plan', first.version.slice(0, 8))).body, 'One\ntwo\n')
  t.match(await node.log('plan'), [
    { version: second.version, parents: [first.version], author: 'you', head: true, here: true },
    { version: first.version, parents: [], author: 'you', head: false, here: true }
  ])
  t.match((await node.diff('plan')).diff, /-two\n\+three\n/)
  t.match(await node.diff('plan', second.version, first.version), { diff: /-three\n\+two\n/, files: [] })
  t.match(await node.diff('plan', first.version, first.version), { diff: '' })
  t.match(await node.diff('fetch-file'), { from: null, diff: /^@@[^]*\+# Fetch a file/ })
  await refused(t, node.show('plan', 'ffffffff'), 'E_VERSION_UNKNOWN')
  await refused(t, node.show('plan', first.version.slice(0, 3)), 'E_VERSION_UNKNOWN')
  await refused(t, node.diff('plan', '0000000'), 'E_VERSION_UNKNOWN')

  t.match(await node.restore('plan', first.version), { slug: 'plan' })
  const log = await node.log('plan')
  t.equal(log.length, 3)
  t.same(log[0]!.parents, [second.version])
  t.equal((await node.show('plan')).body, 'One\ntwo\n')
})

t.test('a rename touches one row, and every body shows the new name', async (t) => {
  const { node } = await home(t, 'Ana')
  const { version } = await node.show('search-info')
  t.match(await node.rename('@fetch-file', '@Get-File'), {
    from: 'fetch-file',
    slug: 'get-file',
    mentionedBy: ['search-info']
  })
  const shown = await node.show('search-info')
  t.match(shown, { version, body: /@get-file/, mentions: ['check-notebook', 'get-file', 'grep-memory'] })
  t.notMatch(shown.body, /@fetch-file/)
  t.match(await node.rename('get-file', 'get-file'), { from: 'get-file', slug: 'get-file' })
  await refused(t, node.rename('get-file', 'search-info'), 'E_SLUG_TAKEN', /already a skill/)
  await refused(t, node.rename('get-file', 'calendar'), 'E_SLUG_TAKEN', /already a tool/)
  await refused(t, node.rename('get-file', 'Get File'), 'E_SLUG_FORM')
  await refused(t, node.rename('get-file', 'x'.repeat(65)), 'E_SLUG_FORM')
  await refused(t, node.rename('calendar', 'other'), 'E_SLUG_TOOL')
})

t.test('deleting and restoring', async (t) => {
  const { node } = await home(t, 'Ana')
  await refused(t, node.delete('fetch-file'), 'E_MENTIONED', /@search-info/)
  await refused(t, node.restore('fetch-file'), 'E_NOT_DELETED')
  await refused(t, node.restore('nobody'), 'E_SLUG_UNKNOWN')
  const old = await node.show('search-info')
  await node.edit('search-info', { body: 'Just @grep-memory.' })
  await node.delete('fetch-file')
  t.equal(await slugs(node), 'check-schedule search-info')
  await refused(t, node.restore('search-info', old.version), 'E_DANGLES', /@fetch-file/)
  t.match((await node.show('search-info', old.version)).body, /@fetch-file/, 'shown by its last name')
  t.match((await node.diff('search-info')).diff, /-.*@fetch-file/)

  await node.create(skill('Fetch file', 'Mine.'))
  t.match(await node.restore('fetch-file'), { slug: 'fetch-file-2' }, 'its slug was taken meanwhile')
  t.match(await node.restore('search-info', old.version), {
    mentions: ['check-notebook', 'fetch-file-2', 'grep-memory']
  })
  await node.delete('fetch-file')
  t.match(
    await node.create(skill('Fetch file', 'Again.')),
    { slug: 'fetch-file' },
    'a deleted one holds no slug'
  )

  await node.create(skill('Inner'))
  await node.create(skill('Outer', 'Uses @inner.'))
  await node.delete('outer')
  await node.delete('inner')
  await refused(t, node.restore('outer'), 'E_DANGLES', /@inner/)
  await node.restore('inner')
  t.match(await node.restore('outer'), { mentions: ['inner'] })
  t.match(await node.check(), { ok: true })
})

t.test('enabled and advertised', async (t) => {
  const { node } = await home(t, 'Ana')
  t.match(await node.setEnabled('fetch-file', false), { enabled: false })
  t.same(await node.toolsForPlan(['search-info']), ['check_notebook', 'grep_memory'])
  t.match(await node.setEnabled('fetch-file', true), { enabled: true })
  t.match(await node.setAdvertised('fetch-file', true), { advertised: true })
  await refused(t, node.setEnabled('calendar', false), 'E_SLUG_TOOL')
  await refused(t, node.setAdvertised('nobody', true), 'E_SLUG_UNKNOWN')
})

t.test('calls that come at once are done one after the other', async (t) => {
  const { node } = await home(t, 'Ana')
  const made = await Promise.all(Array.from({ length: 12 }, () => node.create(skill('Same'))))
  t.equal(new Set(made.map(({ slug }) => slug)).size, 12)
  const { version } = made[0]!
  const edits = await Promise.allSettled(
    ['a', 'b', 'c'].map((body) => node.edit('same', { body, base: version }))
  )
  t.same(edits.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
})

t.test('a deleted skill was said not to exist, and not how it comes back', async (t) => {
  const { node } = await home(t, 'Ana')
  await node.create({ title: 'Tea', summary: 'Tea.', body: 'Nothing.' })
  await node.delete('tea')
  const looks: (() => Promise<unknown>)[] = [
    () => node.show('tea'),
    () => node.log('tea'),
    () => node.edit('tea', { body: 'x' })
  ]
  for (const look of looks)
    await t.rejects(look(), { code: 'E_SLUG_UNKNOWN', hint: /^It is deleted; `selkie restore @tea`/ })
  t.match(await node.restore('tea'), { slug: 'tea' })
})
