import { join } from 'node:path'
import t from 'tap'
import { skillFile } from '../../src/editing/skill-file.js'
import { home } from './home.js'

const md = (body: string) => `---\nname: tables\ndescription: About tables.\n---\n${body}\n`

t.test('a file of a skill, of the version that is named, byte for byte', async (t) => {
  const ana = await home(t, 'Ana')
  const folder = t.testdir({
    tables: { 'SKILL.md': md('See data.bin.'), 'data.bin': '\u0000one', 'a.txt': '' }
  })
  await ana.node.importFolders([folder])
  const first = await ana.node.show('tables')
  const second = await ana.node.edit('tables', { body: 'See data.bin, edited.' })
  await ana.node.rename('tables', 'other')
  await ana.under(async (self) => {
    const { hash, ...file } = await skillFile(self, '@other', 'data.bin')
    t.same(file, {
      path: 'data.bin',
      size: 4,
      exec: false,
      bytes: Buffer.from('\u0000one').toString('base64')
    })
    t.equal(hash, first.files.find(({ path }) => path === 'data.bin')?.hash)
    t.match(await skillFile(self, 'other', 'a.txt', first.version), { size: 0, bytes: '' })
    t.match(await skillFile(self, 'other', 'a.txt', second.version.slice(0, 8)), { size: 0 })

    const refused = (path: string, code: string, slug = 'other', version?: string) =>
      t.rejects(skillFile(self, slug, path, version), { code })
    for (const path of ['', 'SKILL.md', '../tables/a.txt', './a.txt', join(folder, 'tables/a.txt'), 'A.TXT'])
      await refused(path, 'E_SKILL_FILE')
    await refused('a.txt', 'E_SLUG_UNKNOWN', 'tables')
    await refused('a.txt', 'E_SLUG_TOOL', 'calendar')
    await refused('a.txt', 'E_VERSION_UNKNOWN', 'other', 'feedbeef')
  })
})

t.test('a file whose bytes aren’t on this device is said to be away', async (t) => {
  const ana = await home(t, 'Ana')
  const folder = t.testdir({ tables: { 'SKILL.md': md('See data.txt.'), 'data.txt': 'one' } })
  await ana.node.importFolders([folder])
  await ana.under(async (self) => {
    const { hash } = await skillFile(self, 'tables', 'data.txt')
    const pointer = await self.store.view.get('blob', hash as never)
    await self.store.blobs.clear(pointer!, { force: true })
    await t.rejects(skillFile(self, 'tables', 'data.txt'), { code: 'E_FILE_AWAY' })
  })
})
