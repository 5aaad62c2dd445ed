import { chmod, mkdir, readFile, readdir, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { FolderImport } from '../../src/api.js'
import { liveSkill, shownContent } from '../../src/editing/find.js'
import { textDiff } from '../../src/editing/history.js'
import { home } from './home.js'

const md = (name: string, body: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\n${body}\n`

function statuses({ imported }: FolderImport): string {
  return imported.map(({ slug, status }) => `${slug} ${status}`).join(', ')
}

t.test('folders come in once, rings and doubles too', async (t) => {
  const { node } = await home(t, 'Ana')
  const folder = t.testdir({
    set: {
      a: { 'SKILL.md': md('a', 'See @b.'), 'data.bin': '\u0000\u0001', empty: '' },
      b: { 'SKILL.md': md('b', 'See @a.') },
      c: { 'SKILL.md': md('c', 'Of @leaf, and @nowhere.') },
      leaf: { 'SKILL.md': md('leaf', 'Nothing.') },
      vendored: { leaf: { 'SKILL.md': md('leaf', 'Nothing.') } }
    }
  })
  const set = join(folder, 'set')
  const first = await node.importFolders([set])
  t.equal(statuses(first), 'a new, b new, c new, leaf new, leaf-2 re-slugged')
  t.ok(
    first.diagnostics.some(({ message, path }) => message.includes('@nowhere') && path),
    'what means nothing is said'
  )
  t.match((await node.show('c')).body, /\\@nowhere/)
  t.match((await node.show('a')).files, [
    { path: 'data.bin', size: 2 },
    { path: 'empty', size: 0 }
  ])

  const again = await node.importFolders([set])
  t.match(statuses(again), /^a same, b same, c same, leaf(-2)? same, leaf(-2)? same$/)
  t.equal((await node.list()).length, 8)
  t.match(await node.check(), { ok: true, files: 2 })

  await node.rename('a', 'other')
  t.match(statuses(await node.importFolders([set])), /^other same, b same/, 'whatever it is called')
  await node.edit('b', { body: 'See @other, edited.' })
  t.match(
    statuses(await node.importFolders([set])),
    /^a new, b-2 re-slugged, c same/,
    'an edit is not undone'
  )
  t.match(await node.show('a'), { mentions: ['b-2'] })
})

t.test('a slug that is a tool’s or taken gets a suffix', async (t) => {
  const { node } = await home(t, 'Ana')
  const folder = t.testdir({
    calendar: { 'SKILL.md': md('calendar', 'x') },
    'fetch-file': { 'SKILL.md': md('fetch-file', 'Not the built-in one. See @fetch-file.') }
  })
  t.equal(statuses(await node.importFolders([folder])), 'calendar-2 re-slugged, fetch-file-2 re-slugged')
  t.match(await node.show('fetch-file-2'), { mentions: ['fetch-file-2'] }, 'it means itself')
})

t.test('what is no skill is a diagnostic or a code, never an exception', async (t) => {
  const { node } = await home(t, 'Ana')
  const folder = t.testdir({
    none: {},
    bad: { 'SKILL.md': 'no frontmatter' },
    file: 'x',
    good: { 'SKILL.md': md('good', '-') }
  })
  await symlink('/etc/passwd', join(folder, 'good', 'link'))
  await t.rejects(node.importFolders([join(folder, 'absent')]), { code: 'E_FOLDER' })
  await t.rejects(node.importFolders([join(folder, 'file')]), { code: 'E_FOLDER' })
  const { imported, diagnostics } = await node.importFolders([join(folder, 'good')])
  t.equal(imported.length, 1)
  t.ok(diagnostics.some(({ path }) => path?.includes('link')))
  t.same((await node.show('good')).files, [])
})

t.test('what goes out comes back the same', async (t) => {
  const { node } = await home(t, 'Ana')
  const folder = t.testdir({
    in: {
      tool: { 'SKILL.md': md('tool', 'Run it, see @fetch-file.'), scripts: { 'run.sh': '#!/bin/sh\n' } }
    },
    out: {}
  })
  await chmod(join(folder, 'in', 'tool', 'scripts', 'run.sh'), 0o755)
  await node.importFolders([join(folder, 'in')])
  const out = join(folder, 'out')
  const { exported } = await node.exportFolders(['tool'], out, { closure: true })
  t.same(
    exported.map(({ slug }) => slug),
    ['tool', 'fetch-file']
  )
  const mode = (await stat(join(out, 'tool', 'scripts', 'run.sh'))).mode & 0o111
  t.not(mode, 0, 'one’s own programs stay programs')
  t.match(await readFile(join(out, 'tool', 'SKILL.md'), 'utf8'), /@fetch-file/)
  t.match(
    statuses(await node.importFolders([out])),
    /^fetch-file(-2)? (same|re-slugged), tool(-2)? (same|re-slugged)$/
  )
  t.match(await node.exportFolders(['tool'], out, { closure: false }), { exported: [{ unchanged: true }] })
  await t.rejects(node.exportFolders(['nobody'], out, { closure: false }), { code: 'E_SLUG_UNKNOWN' })
  await mkdir(join(folder, 'one'))
  t.match(await node.exportFolders(['tool'], join(folder, 'one'), { closure: false }), {
    exported: [{ slug: 'tool', files: 1 }]
  })
})

t.test('a change of the header alone was shown as no change', async (t) => {
  const ana = await home(t, 'Ana')
  const text = '---\nname: build\ndescription: Builds.\nlicense: MIT\n---\nDo it.\n'
  await ana.node.importFolders([t.testdir({ build: { 'SKILL.md': text } })])
  const diff = await ana.under(async (self) => {
    const before = await shownContent(self.store, liveSkill(self.store, 'build'))
    return textDiff(self.store, before, { ...before, header: `${before.header}allowed-tools: Bash(*)\n` })
  })
  t.match(diff, / description: Builds\.\n license: MIT\n\+allowed-tools: Bash\(\*\)\n ---\n/)
})

t.test('a second export beside the first was refused for what both need', async (t) => {
  const { node } = await home(t, 'Ana')
  const out = join(t.testdir(), 'out')
  const written = async (...slugs: string[]): Promise<string> => {
    const { exported } = await node.exportFolders(slugs, out, { closure: true })
    return exported.map(({ slug, unchanged }) => (unchanged ? `(${slug})` : slug)).join(' ')
  }
  t.equal(await written('fetch-file'), 'fetch-file')
  t.equal(await written('search-info'), 'search-info (fetch-file)')
  t.equal(await written('search-info', 'check-schedule'), '(search-info) (fetch-file) check-schedule')

  await node.edit('fetch-file', { body: 'Otherwise.' })
  await node.create({ title: 'Plan', summary: 'How to.', body: 'By @search-info.' })
  await t.rejects(written('plan'), { code: 'E_EXPORT_EXISTS', message: join(out, 'fetch-file') })
  t.same(
    (await readdir(out)).sort(),
    ['check-schedule', 'fetch-file', 'search-info'],
    'so nothing of it is there'
  )
})

t.test('an import is of folders that can be told apart', async (t) => {
  const { node } = await home(t, 'Ana')
  const folder = t.testdir({
    a: { 'SKILL.md': md('a', 'See @nowhere.') },
    b: { 'SKILL.md': md('b', 'Not\u200b seen.') }
  })
  const { imported, diagnostics } = await node.importFolders([join(folder, 'a'), join(folder, 'b')])
  t.same(
    imported.map(({ folder, slug }) => [folder, slug]),
    [
      ['a', 'a'],
      ['b', 'b']
    ]
  )
  t.same(
    diagnostics.map(({ code, path, line }) => `${code} ${path}:${line}`),
    ['D_INVISIBLE b/SKILL.md:5', 'D_MENTION_ESCAPED a/SKILL.md:5']
  )
  t.match((await node.show('b')).body, '\u200b', 'it was kept')
})
