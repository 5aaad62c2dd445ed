import { execFile } from 'node:child_process'
import { chmod, mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { MAX_FILE, MAX_FILES } from '../../src/base/limits.js'
import { readFolders } from '../../src/folders/read.js'
import { skillText, tree } from './tree.js'

async function read(...roots: string[]) {
  const { skills, diagnostics } = await readFolders(roots)
  return { skills, found: diagnostics.map(({ code, path }) => `${code} ${path}`).sort() }
}

async function filesOf(
  t: Test,
  files: Record<string, string>
): Promise<{ paths: string[]; found: string[] }> {
  const root = await tree(t, { 'SKILL.md': skillText('plan'), ...files })
  const { skills, found } = await read(root)
  return {
    paths: skills[0]!.files.map(({ path }) => path),
    found: found.filter((line) => !line.startsWith('D_NAME_FOLDER'))
  }
}

t.test('the named folder, and folders in folders', async (t) => {
  const root = await tree(t, {
    'plan/SKILL.md': skillText('plan'),
    'team/cook/SKILL.md': skillText('cook'),
    'team/cook/scripts/run.sh': '#!/bin/sh\n',
    'team/readme.md': 'x'
  })
  await chmod(join(root, 'team/cook/scripts/run.sh'), 0o755)
  const { skills, found } = await read(root, join(root, 'plan'))
  t.same(found, [])
  t.same(
    skills.map(({ folder, path, slug }) => [folder, path, slug]),
    [
      ['plan', 'plan/SKILL.md', 'plan'],
      ['team/cook', 'team/cook/SKILL.md', 'cook']
    ]
  )
  t.same(skills[1]!.files, [{ path: 'scripts/run.sh', bytes: Buffer.from('#!/bin/sh\n'), exec: true }])
  t.match(await read(join(root, 'plan')), { skills: [{ folder: '.', path: 'SKILL.md' }] })
})

t.test('no skill, and no folder', async (t) => {
  const root = await tree(t, { 'a.txt': 'x' })
  t.same(await read(root), { skills: [], found: ['D_NO_SKILL .'] })
  await t.rejects(readFolders([join(root, 'a.txt')]), { code: 'E_FOLDER' })
  await t.rejects(readFolders([join(root, 'missing')]), { code: 'E_FOLDER' })
})

t.test('nested SKILL.md under node_modules is not registered', async (t) => {
  const root = await tree(t, {
    'plan/SKILL.md': skillText('plan'),
    'plan/node_modules/x/SKILL.md': skillText('x'),
    'node_modules/y/SKILL.md': skillText('y'),
    '.git/z/SKILL.md': skillText('z')
  })
  const { skills, found } = await read(root)
  t.same(
    skills.map(({ slug, files }) => [slug, files]),
    [['plan', []]]
  )
  t.same(found, ['D_NODE_MODULES plan/node_modules'])
})

t.test('a SKILL.md inside a skill is a file of that one', async (t) => {
  const { paths, found } = await filesOf(t, { 'examples/x/SKILL.md': skillText('x') })
  t.same(paths, ['examples/x/SKILL.md'])
  t.same(found, ['D_NESTED_SKILL examples/x/SKILL.md'])
})

t.test('skill.md is not invisible on Linux', async (t) => {
  const root = await tree(t, { 'plan/skill.md': skillText('plan') })
  const { skills, found } = await read(root)
  t.equal(skills[0]!.path, 'plan/skill.md')
  t.same(found, ['D_FILE_NAME plan/skill.md'])
  const both = await filesOf(t, { 'skill.md': 'x', 'Skill.MD': 'y' })
  t.same(both, { paths: [], found: ['D_FILE_NAME_TWICE Skill.MD', 'D_FILE_NAME_TWICE skill.md'] })
})

t.test('__init__.py, .env.example and empty files are not dropped', async (t) => {
  const names = ['.env.example', '.gitattributes', '__init__.py', 'empty']
  t.same(await filesOf(t, Object.fromEntries(names.map((name) => [name, '']))), { paths: names, found: [] })
})

t.test(
  'ref.md -> /etc/passwd is not copied, a link inside the folder is not dropped in silence',
  async (t) => {
    const root = await tree(t, { 'plan/SKILL.md': skillText('plan'), 'plan/a.md': 'a', 'other/x.md': 'x' })
    await symlink('/etc/passwd', join(root, 'plan/ref.md'))
    await symlink('a.md', join(root, 'plan/b.md'))
    await symlink('../other', join(root, 'plan/dir'))
    await symlink('plan', join(root, 'again'))
    const { skills, found } = await read(root)
    t.same(
      skills.map(({ files }) => files.map(({ path }) => path)),
      [['a.md']]
    )
    t.same(found, ['D_SYMLINK again', 'D_SYMLINK plan/b.md', 'D_SYMLINK plan/dir', 'D_SYMLINK plan/ref.md'])
  }
)

t.test('a SKILL.md that is a link is not followed', async (t) => {
  const root = await tree(t, { 'elsewhere.md': skillText('plan') })
  await mkdir(join(root, 'plan'))
  await symlink('../elsewhere.md', join(root, 'plan/SKILL.md'))
  t.same(await read(root), { skills: [], found: ['D_SYMLINK plan/SKILL.md'] })
})

t.test(
  'a pipe is not waited on',
  { skip: process.platform === 'win32' && 'no pipes as files here' },
  async (t) => {
    const root = await tree(t, { 'plan/SKILL.md': skillText('plan') })
    await promisify(execFile)('mkfifo', [join(root, 'plan/pipe')])
    t.same((await read(root)).found, ['D_SPECIAL plan/pipe'])
  }
)

t.test('what a bundle could not carry is left out and named', async (t) => {
  const { paths, found } = await filesOf(t, {
    '.env': 'SECRET=1',
    '.npmrc': 'x',
    '.git/config': 'x',
    '.claude/settings.json': 'x',
    'aux.c': 'x',
    'a:b': 'x',
    'Readme.md': 'x',
    'README.md': 'y',
    'ok.md': 'x'
  })
  t.same(paths, ['README.md', 'ok.md'])
  const refused = ['.claude', '.env', '.git', '.npmrc', 'a:b', 'aux.c'].map((path) => `D_PATH ${path}`)
  t.same(found, [...refused, 'D_PATH_COLLISION Readme.md'])
})

t.test('an empty folder is named', async (t) => {
  const root = await tree(t, { 'plan/SKILL.md': skillText('plan') })
  await mkdir(join(root, 'plan/assets'))
  t.same((await read(root)).found, ['D_EMPTY_FOLDER plan/assets'])
})

t.test(
  'what can’t be read is left out',
  { skip: process.getuid?.() === 0 && 'the superuser reads everything' },
  async (t) => {
    const root = await tree(t, { 'plan/SKILL.md': skillText('plan'), 'plan/a.md': 'a', 'plan/sub/b.md': 'b' })
    await chmod(join(root, 'plan/a.md'), 0)
    await chmod(join(root, 'plan/sub'), 0)
    t.teardown(() => chmod(join(root, 'plan/sub'), 0o700))
    const { skills, found } = await read(root)
    t.same(skills[0]!.files, [])
    t.same(found, ['D_UNREADABLE plan/a.md', 'D_UNREADABLE plan/sub'])
  }
)

t.test('at each limit it works, one above is left out', async (t) => {
  const root = await tree(t, { 'plan/SKILL.md': skillText('plan'), 'big/SKILL.md': skillText('big') })
  for (const [name, size] of [
    ['at', MAX_FILE],
    ['above', MAX_FILE + 1]
  ] as const) {
    await writeFile(join(root, 'plan', name), '')
    await truncate(join(root, 'plan', name), size)
  }
  for (const name of ['1', '2', '3']) {
    await writeFile(join(root, 'big', name), '')
    await truncate(join(root, 'big', name), MAX_FILE)
  }
  const { skills, found } = await read(root)
  t.same(
    skills.map(({ slug, files }) => [slug, files.map(({ path }) => path)]),
    [['plan', ['at']]]
  )
  t.same(found, ['D_FILES_SIZE big/SKILL.md', 'D_FILE_SIZE plan/above'])

  const many = join(await tree(t, { 'many/SKILL.md': skillText('many') }), 'many')
  for (let i = 0; i < MAX_FILES; i++) await writeFile(join(many, `f${i}`), '')
  t.equal((await read(many)).skills[0]!.files.length, MAX_FILES)
  await writeFile(join(many, 'one-more'), '')
  t.same(await read(many), { skills: [], found: ['D_FILES_COUNT SKILL.md'] })
})

t.test('a hostile tree only makes diagnostics', async (t) => {
  const root = await tree(t, {
    'deep/SKILL.md': skillText('deep'),
    [`${'d/'.repeat(20)}SKILL.md`]: skillText('far')
  })
  await mkdir(join(root, 'deep', ...Array.from({ length: 17 }, () => 'x')), { recursive: true })
  const { skills, found } = await read(root)
  t.same(
    skills.map(({ slug }) => slug),
    ['deep']
  )
  t.same(found, [`D_PATH deep/${'x/'.repeat(16)}x`, `D_TOO_DEEP ${'d/'.repeat(16)}d`])
})
