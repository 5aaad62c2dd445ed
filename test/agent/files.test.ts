import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  access,
  appendFile,
  chmod,
  chown,
  constants,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile
} from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { folder } from '../devices/devices.js'
import { tree } from '../folders/tree.js'
import { Finder, finderOf } from './searched.js'
import { swapping } from './swapping.js'

const MiB = 1024 * 1024

t.test('a file is found by its name, by its path and by its text, the best first', async (t) => {
  const root = await tree(t, {
    'budget.txt': 'none',
    'old budget 2024.txt': 'none',
    'budget/notes.txt': 'none',
    'letter.txt': 'first\r\n  second: the Budget of May\r\nthird',
    'other.txt': 'none'
  })
  const { hits, problems, more } = await finderOf(t, root).find('Budget')
  t.match(hits, [
    { path: join(root, 'budget.txt'), matched: 'name', size: 4 },
    { path: join(root, 'old budget 2024.txt'), matched: 'name' },
    { path: join(root, 'budget/notes.txt'), matched: 'path' },
    { path: join(root, 'letter.txt'), matched: 'text', line: 2, excerpt: 'second: the Budget of May' }
  ])
  t.equal(hits.length, 4)
  t.match(hits[0]!.modified, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  t.notHas(hits[0], 'line')
  t.same({ problems, more }, { problems: [], more: false })
})

t.test('of several words all must be there, in the path or in the text', async (t) => {
  const root = await tree(t, {
    'taxes/2024/letter.txt': 'about the flat in Bonn',
    'taxes/2023/letter.txt': 'about nothing',
    'flat.txt': 'the bonn flat'
  })
  const finder = finderOf(t, root)
  t.same(await finder.paths('bonn taxes'), ['taxes/2024/letter.txt'])
  t.same(await finder.paths('letter taxes'), ['taxes/2023/letter.txt', 'taxes/2024/letter.txt'])
  t.same(await finder.paths('flat bonn'), ['flat.txt', 'taxes/2024/letter.txt'])
  t.same(await finder.paths('"flat in bonn"'), ['taxes/2024/letter.txt'], 'words in quotes are one')
  t.same(await finder.paths('2024/let'), ['taxes/2024/letter.txt'], 'a word may go over a slash')
  t.same(await finder.paths(`${root}/taxes/2024`), ['taxes/2024/letter.txt'], 'also as a whole path')
  t.same(await finder.paths('flat bonn nowhere'), [])
})

t.test('case and the writing of accents don’t matter', async (t) => {
  const root = await tree(t, {
    ['Caf\u00e9.txt']: 'x',
    ['Cafe\u0301 2.txt']: 'x',
    'a.txt': 'ein GROSSES Caf\u00c9 in Köln',
    'b.txt': Buffer.from('ein Caf\u00e9, Latin-1', 'latin1'),
    'c.txt': 'ΟΔΟΣ',
    'd.txt': '会议纪要',
    'e.txt': Buffer.concat([Buffer.from('Cafe\u0301 and a bad byte '), Buffer.from([0xff])])
  })
  const finder = finderOf(t, root)
  for (const query of ['CAF\u00c9', 'cafe\u0301', 'Caf\u00e9'])
    t.same(await finder.paths(query), ['Cafe\u0301 2.txt', 'Caf\u00e9.txt', 'a.txt', 'b.txt', 'e.txt'], query)
  t.same(await finder.paths('οδος'), ['c.txt'])
  t.same(await finder.paths('会议'), ['d.txt'])
  t.same(await finder.paths('KÖLN café'), ['a.txt'])
})

t.test('hidden files are found like any, binary ones by their names alone', async (t) => {
  const root = await tree(t, {
    '.config/.hidden': 'needle',
    'picture.png': Buffer.concat([Buffer.from('needle'), Buffer.alloc(1), Buffer.from('needle')]),
    'needle.bin': Buffer.alloc(10),
    'empty needle': ''
  })
  t.same(await finderOf(t, root).paths('needle'), ['.config/.hidden', 'empty needle', 'needle.bin'])
})

t.test('links aren’t followed, and what isn’t a file isn’t opened', async (t) => {
  const out = await tree(t, { 'secret.txt': 'needle', 'sub/needle.txt': 'needle' })
  const root = await tree(t, { 'in.txt': 'needle' })
  await symlink(join(out, 'secret.txt'), join(root, 'needle-link.txt'))
  await symlink(out, join(root, 'needle-folder'))
  await symlink('in.txt', join(root, 'needle-inside'))
  await symlink('.', join(root, 'round'))
  await once(spawn('mkfifo', [join(root, 'needle-pipe')]), 'close')
  const finder = finderOf(t, root)
  t.same(await finder.paths('needle'), ['in.txt'])
  t.same(await finder.paths('secret'), [])
  t.same(await finder.paths('../'), [])
  t.same(await finder.paths(`../${out.split('/').at(-1)}/secret.txt`), [])
})

t.test('what changes on the disk is seen by the next call', async (t) => {
  const root = await tree(t, { 'a.txt': 'nothing', 'sub/b.txt': 'nothing' })
  const finder = finderOf(t, root)
  const see = async (expected: string[], what: string): Promise<void> => {
    t.same(await finder.paths('needle'), expected, what)
  }
  await see([], 'at first')
  await writeFile(join(root, 'a.txt'), 'needle!')
  await see(['a.txt'], 'changed, as long as before')
  await appendFile(join(root, 'sub/b.txt'), ' and a needle')
  await see(['a.txt', 'sub/b.txt'], 'appended to')
  await rename(join(root, 'sub'), join(root, 'moved'))
  await see(['a.txt', 'moved/b.txt'], 'a folder renamed')
  await writeFile(join(root, 'moved/b.txt'), 'nothing')
  await see(['a.txt'], 'changed in the renamed folder')
  await mkdir(join(root, 'new/deep/er'), { recursive: true })
  await writeFile(join(root, 'new/deep/er/c.txt'), 'needle')
  await see(['a.txt', 'new/deep/er/c.txt'], 'new in new folders')
  await rename(join(root, 'new/deep/er/c.txt'), join(root, 'c needle.txt'))
  await see(['a.txt', 'c needle.txt'], 'moved')
  await unlink(join(root, 'a.txt'))
  await mkdir(join(root, 'a.txt'))
  await writeFile(join(root, 'a.txt/x'), 'needle')
  await see(['a.txt/x', 'c needle.txt'], 'a folder where a file was')
  for (let i = 0; i < 5; i++) {
    await rm(join(root, 'a.txt'), { recursive: true })
    await mkdir(join(root, 'a.txt'))
    await writeFile(join(root, 'a.txt/x'), i % 2 ? 'needle' : 'nothing')
    await see(i % 2 ? ['a.txt/x', 'c needle.txt'] : ['c needle.txt'], 'a folder deleted and made again')
    await writeFile(join(root, 'a.txt/y'), 'needle')
    await see(i % 2 ? ['a.txt/x', 'a.txt/y', 'c needle.txt'] : ['a.txt/y', 'c needle.txt'], 'and changed')
  }
  await rm(join(root, 'a.txt'), { recursive: true })
  await symlink(join(root, 'moved'), join(root, 'a.txt'))
  await writeFile(join(root, 'moved/b.txt'), 'needle')
  await see(['c needle.txt', 'moved/b.txt'], 'a link where a folder was')
  const other = await tree(t, { 'd/e.txt': 'needle' })
  await rename(join(other, 'd'), join(root, 'd'))
  await see(['c needle.txt', 'd/e.txt', 'moved/b.txt'], 'a folder moved in')
  await rename(join(root, 'd'), join(other, 'd'))
  await see(['c needle.txt', 'moved/b.txt'], 'and out again')
  await writeFile(join(other, 'd/e.txt'), 'more needles')
  await see(['c needle.txt', 'moved/b.txt'], 'and changed there')
})

t.test('a file that is changed by a name outside is seen too', async (t) => {
  const root = await tree(t, { 'a.txt': 'nothing' })
  const out = await tree(t)
  await link(join(root, 'a.txt'), join(out, 'other name'))
  const finder = finderOf(t, root)
  t.same(await finder.paths('needle'), [])
  await writeFile(join(out, 'other name'), 'a needle')
  t.same(await finder.paths('needle'), ['a.txt'])
})

t.test('a folder that is replaced by a link between two calls leads nowhere', async (t) => {
  const out = await tree(t, { 'b.txt': 'needle' })
  const root = await tree(t, { 'sub/b.txt': 'needle' })
  const finder = finderOf(t, root)
  t.same(await finder.paths('needle'), ['sub/b.txt'])
  await rename(join(root, 'sub'), join(out, 'kept'))
  await symlink(out, join(root, 'sub'))
  t.same(await finder.paths('needle'), [])
  t.same(await finder.paths('kept'), [])
})

t.test('while folders are swapped with links, nothing outside is ever told', async (t) => {
  const out = await tree(t, { 'b.txt': 'secret needle', 'outer needle.txt': 'x' })
  const root = await tree(t, { 'sub/b.txt': 'needle' })
  await swapping(t, root, out)
  const finder = finderOf(t, root)
  const told: string[] = []
  // Until what is granted was found, however the two processes take turns.
  for (let i = 0; i < 60 || told.length === 0; i++) {
    const { hits } = await finder.find('needle')
    told.push(...hits.flatMap(({ path, excerpt = '' }) => [path, excerpt]))
  }
  t.same(
    told.filter((each) => /secret|outer/.test(each)),
    []
  )
})

t.test('a folder that is granted or revoked between two calls', async (t) => {
  const one = await tree(t, { 'a.txt': 'needle' })
  const two = await tree(t, { 'b.txt': 'needle', 'sub/c.txt': 'needle' })
  const finder = finderOf(t)
  const found = async (): Promise<string[]> =>
    (await finder.find('needle')).hits.map(({ path }) => path.slice(-5)).sort()
  const nothing = { granted: false, hits: [], problems: [], more: false }
  t.same(await finder.find('needle'), nothing)
  finder.files.push(one)
  t.same(await found(), ['a.txt'])
  finder.files.push(two)
  t.same(await found(), ['a.txt', 'b.txt', 'c.txt'])
  finder.files.push(join(two, 'sub'))
  t.same(await found(), ['a.txt', 'b.txt', 'c.txt'], 'what is granted twice is found once')
  finder.files.splice(1, 1)
  t.same(await found(), ['a.txt', 'c.txt'])
  finder.files.splice(0)
  t.same(await finder.find('needle'), nothing)
  finder.files.push(two)
  t.same(await found(), ['b.txt', 'c.txt'])
})

t.test('what is revoked while it is searched isn’t told', async (t) => {
  const root = await tree(t, { 'a.txt': 'needle' })
  const finder = finderOf(t, root)
  const asked = finder.find('needle')
  finder.files.splice(0)
  t.same((await asked).hits, [])
})

t.test('a granted folder that vanished, or is another now, is named', async (t) => {
  const base = await folder(t)
  const root = join(base, 'granted')
  const make = async (): Promise<void> => {
    await mkdir(root)
    await writeFile(join(root, 'a.txt'), 'needle')
  }
  await make()
  const finder = finderOf(t, root)
  t.same(await finder.paths('needle'), ['a.txt'])
  const gone = { granted: true, hits: [], problems: [`${root} isn’t there any more`], more: false }
  await rename(root, join(base, 'elsewhere'))
  t.same(await finder.find('needle'), gone, 'moved')
  await symlink(join(base, 'elsewhere'), root)
  t.same(await finder.find('needle'), gone, 'a link to where it is now')
  await unlink(root)
  await make()
  t.same(await finder.paths('needle'), ['a.txt'], 'there again')
  await rm(root, { recursive: true })
  await make()
  await writeFile(join(root, 'b.txt'), 'needle')
  t.same(await finder.paths('needle'), ['a.txt', 'b.txt'], 'made again')
  await writeFile(join(root, 'c.txt'), 'needle')
  t.same(await finder.paths('needle'), ['a.txt', 'b.txt', 'c.txt'])
})

/** Whether whoever runs the tests reads a file that nobody may read. */
async function readsAll(closed: string): Promise<boolean> {
  return access(closed, constants.R_OK).then(
    () => true,
    () => false
  )
}

t.test('folders and files that can’t be read are named, and found once they can', async (t) => {
  const root = await tree(t, { 'open.txt': 'needle', 'closed/a.txt': 'needle', 'shut.txt': 'needle' })
  const [closed, shut] = [join(root, 'closed'), join(root, 'shut.txt')]
  const close = async (mode: number): Promise<void> => {
    await chmod(closed, mode)
    await chmod(shut, mode)
  }
  t.teardown(() => close(0o700))
  await close(0)
  // The superuser reads everything; nobody doesn’t.
  if (await readsAll(shut)) {
    const paths = [root, join(root, 'open.txt'), closed, join(closed, 'a.txt'), shut]
    try {
      for (const path of paths) await chown(path, 65_534, 65_534)
    } catch {
      return t.comment('here the superuser can’t be nobody')
    }
    process.seteuid!(65_534)
    t.teardown(() => process.seteuid!(0))
  }
  const finder = finderOf(t, root)
  const { hits, problems } = await finder.find('needle')
  t.same(
    hits.map(({ path }) => path),
    [join(root, 'open.txt')]
  )
  t.same(problems, [`${closed} can’t be read: permission denied`, '1 files can’t be read'])
  await close(0o700)
  t.same(await finder.paths('needle'), ['closed/a.txt', 'open.txt', 'shut.txt'])
  await close(0)
  t.same(await finder.paths('needle'), ['open.txt'])
})

t.test('a text is searched up to a limit, and where it is longer that is said', async (t) => {
  const root = await tree(t, { 'at.txt': 'needle\n', 'above.txt': 'needle\n', 'film.mkv': Buffer.alloc(9) })
  const fill = async (name: string, size: number): Promise<void> => {
    const file = await open(join(root, name), 'a')
    const line = Buffer.alloc(64 * 1024, 'all work and no play\n')
    for (let left = size; left > 0; left -= line.length) await file.write(line.subarray(0, left))
    await file.close()
  }
  await fill('at.txt', 16 * MiB - 7)
  await fill('above.txt', 16 * MiB - 6)
  await truncate(join(root, 'film.mkv'), 50 * MiB)
  const finder = finderOf(t, root)
  const { hits, problems } = await finder.find('needle')
  t.match(hits, [{ path: join(root, 'at.txt'), line: 1, excerpt: 'needle' }])
  t.equal(hits.length, 1)
  t.same(problems, ['1 texts of more than 16777216 bytes were searched by name only'])
  t.same(await finder.paths('above'), ['above.txt'])
  await truncate(join(root, 'above.txt'), 16 * MiB)
  t.same(await finder.paths('needle'), ['above.txt', 'at.txt'])
})

t.test('where more fits than was asked for, the newest is told, and that there is more', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 500 }, (_, n) => [`${n % 10}/file ${n}.txt`, 'needle'])
  )
  const root = await tree(t, files)
  const finder = finderOf(t, root)
  await writeFile(join(root, '3/file 3.txt'), 'the newest needle')
  // Not every disk tells apart what is written within one moment.
  const { mtimeMs } = await stat(join(root, '3/file 3.txt'))
  await utimes(join(root, '3/file 3.txt'), new Date(), new Date(mtimeMs + 10_000))
  for (const query of ['needle', 'file']) {
    const { hits, more } = await finder.find(query, 20)
    t.equal(hits.length, 20)
    t.equal(hits[0]!.path, join(root, '3/file 3.txt'))
    t.ok(more)
    t.same(
      hits.map(({ modified }) => modified),
      hits
        .map(({ modified }) => modified)
        .toSorted()
        .reverse(),
      query
    )
  }
  const { hits, more } = await finder.find('"file 33.txt"', 1)
  t.same([hits.length, more], [1, false], 'exactly so many aren’t more')
})

t.test('of a long line what is around the word is told', async (t) => {
  const words = (count: number): string => 'e\u0301t\u00e9 '.repeat(count)
  const root = await tree(t, {
    'ascii.json': `{"a":"${'x'.repeat(5000)} needle ${'y'.repeat(5000)}"}`,
    'accents.txt': `${words(3000)}needle ${words(3000)}`,
    'smile.txt': `${'\u{1f600}'.repeat(1000)}needle${'\u{1f600}'.repeat(1000)}`
  })
  const { hits } = await finderOf(t, root).find('needle')
  t.equal(hits.length, 3)
  for (const { excerpt = '', path } of hits) {
    t.match(excerpt, /^….*needle.*…$/, path)
    t.ok(excerpt.length <= 242 && excerpt.isWellFormed(), path)
  }
})

t.test('folders that are kept apart are never gone into', async (t) => {
  const root = await tree(t, { 'home/keys/device.key': 'needle', 'home/a.txt': 'needle', 'b.txt': 'needle' })
  const finder = new Finder(t, [root], [join(root, 'home')])
  t.same(await finder.paths('needle'), ['b.txt'])
  t.same(await finder.paths('device'), [])
  await writeFile(join(root, 'home/c.txt'), 'needle')
  t.same(await finder.paths('needle'), ['b.txt'])
  finder.files.splice(0, 1, join(root, 'home/keys'))
  t.same((await finder.find('needle')).hits, [], 'also where they are what is granted')
})

t.test('who no longer waits is let go at once, and the next is answered', async (t) => {
  const root = await tree(t, { 'a.txt': 'needle' })
  const { finder } = finderOf(t, root)
  const stop = new AbortController()
  const asked = finder.find('needle', { limit: 1, signal: stop.signal })
  stop.abort(new Error('enough'))
  await t.rejects(asked, { message: 'enough' })
  await t.rejects(finder.find('needle', { limit: 1, signal: stop.signal }), { message: 'enough' })
  const { signal } = new AbortController()
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => finder.find('needle', { limit: 1, signal }))
  )
  t.ok(answers.every(({ hits }) => hits.length === 1))
})

t.test('a finder that is closed leaves nothing behind, and no one waiting', async (t) => {
  const tmp = await folder(t)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = tmp
  t.teardown(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  })
  const root = await tree(t, { 'a.txt': 'needle' })
  const { finder } = finderOf(t, root)
  const { signal } = new AbortController()
  await finder.find('needle', { limit: 1, signal })
  t.equal((await readdir(tmp)).filter((name) => name.startsWith('selkie-watch-')).length, 1)
  const asked = finder.find('needle', { limit: 1, signal })
  await Promise.all([finder.close(), t.rejects(asked)])
  t.same(
    (await readdir(tmp)).filter((name) => name.startsWith('selkie-watch-')),
    []
  )
  t.match(await finder.find('needle', { limit: 1, signal }), { hits: [{}] }, 'and can be asked again')
})
