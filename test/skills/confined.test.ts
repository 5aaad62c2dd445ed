import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { createFolderSkills, createInMemorySkills, type Skills } from '../../src/skills/index.js'
import { pagesOf } from '../../src/skills/pages.js'
import { skillText, tree } from '../folders/tree.js'

const read = (skills: Skills, path: string, page = 1) =>
  skills.tools.readSkillReference.execute({ name: 'plan', path, page })

t.test('a body and a file over the limit come in pages that give the whole back', async (t) => {
  const body = Array.from({ length: 400 }, (_, i) => `Line ${i} of the text.\n`).join('')
  const skills = createInMemorySkills({
    skills: [{ name: 'plan', description: 'd', body, references: { 'a.md': body } }],
    pageSize: 1000
  })
  for (const [what, ask] of [
    ['body', (page: number) => skills.tools.loadSkill.execute({ name: 'plan', page })],
    ['file', (page: number) => read(skills, 'a.md', page)]
  ] as const) {
    const first = await ask(1)
    if (!first.ok) throw new Error(first.message)
    const texts: string[] = []
    for (let page = 1; page <= first.pages; page++) {
      const got = await ask(page)
      if (!got.ok) throw new Error(got.message)
      t.match(got, { page, pages: first.pages, visibility: 'hidden' })
      t.ok(got.text.length <= 1000)
      texts.push(got.text)
    }
    t.equal(texts.join(''), body, what)
    t.ok(texts.every((text) => text.endsWith('\n')))
    t.match(await ask(first.pages + 1), { ok: false, code: 'E_SKILL_PAGE' })
  }
})

t.test('property: the pages in a row are the text, and no character is cut in two', (t) => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(fc.constantFrom('a', ' ', '\n', '\n\n', '𝄞', 'word'), { maxLength: 200 })
      .map((parts) => parts.join(''))
  )
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 50 }), (text, size) => {
      const pages = pagesOf(text, size)
      if (pages.join('') !== text) return false
      return (
        pages.every((page) => page.length <= size && (page !== '' || pages.length === 1)) &&
        (!text.isWellFormed() || pages.every((page) => page.isWellFormed()))
      )
    }),
    { numRuns: 2000 }
  )
  t.end()
})

t.test('only the first page lists the files, and not without end', async (t) => {
  const names = Array.from({ length: 203 }, (_, i) => `f${String(i).padStart(3, '0')}.md`)
  const skills = createInMemorySkills({
    skills: [
      {
        name: 'plan',
        description: 'd',
        body: 'x'.repeat(1500),
        references: Object.fromEntries(names.map((name) => [name, name]))
      }
    ],
    pageSize: 1000
  })
  const first = await skills.tools.loadSkill.execute({ name: 'plan' })
  t.match(first, { moreReferences: 3 })
  t.same(first.ok && first.references.map(({ path }) => path), names.slice(0, 200))
  t.match(await skills.tools.loadSkill.execute({ name: 'plan', page: 2 }), {
    references: [],
    moreReferences: 0
  })
  t.match(await read(skills, 'f202.md'), { ok: true, text: 'f202.md' })
})

t.test('no path leads out of a skill', async (t) => {
  const root = await tree(t, {
    'secret.txt': 'SECRET',
    'other/SKILL.md': skillText('other'),
    'other/a.md': 'SECRET',
    'plan/SKILL.md': skillText('plan'),
    'plan/references/a.md': 'allowed',
    'plan/image.png': new Uint8Array([137, 80, 78, 71, 0, 255]),
    'plan/latin.txt': new Uint8Array([0xe9])
  })
  await symlink('/etc/passwd', join(root, 'plan/passwd'))
  await symlink('../other', join(root, 'plan/sub'))
  await symlink('references/a.md', join(root, 'plan/inside.md'))
  const skills = createFolderSkills({ roots: [root] })
  const loadedSkill = await skills.tools.loadSkill.execute({ name: 'plan' })
  t.same(loadedSkill.ok && loadedSkill.references.map(({ path }) => path), [
    'image.png',
    'latin.txt',
    'references/a.md'
  ])

  const paths: Record<string, string[]> = {
    E_REFERENCE_PATH: [
      '',
      '/etc/passwd',
      '../secret.txt',
      'references/../../secret.txt',
      'references/../references/a.md',
      './../secret.txt',
      '..\\secret.txt',
      'references\\a.md',
      '\\\\host\\share',
      'C:/Windows/win.ini',
      'file:///etc/passwd',
      'references//a.md',
      'references/./a.md',
      'references/a.md/',
      'a\u0000.md',
      'SKILL.md',
      'skill.md',
      '.git/config',
      'x'.repeat(10_000),
      '\ud800'
    ],
    E_REFERENCE_UNKNOWN: [
      'passwd',
      'sub/a.md',
      'inside.md',
      'References/a.md',
      '~',
      'references',
      'a%2f..%2fb.md',
      'references/a.md#top'
    ],
    E_REFERENCE_BINARY: ['image.png', 'latin.txt']
  }
  for (const [code, list] of Object.entries(paths)) {
    for (const path of list) {
      const result = await read(skills, path)
      t.match(result, { ok: false, code, visibility: 'hidden' }, JSON.stringify(path).slice(0, 40))
      t.ok(JSON.stringify(result).length < 1000, 'the answer stays short')
    }
  }
  for (const path of ['references/a.md', './references/a.md', '././references/a.md'])
    t.match(await read(skills, path), { ok: true, path: 'references/a.md', text: 'allowed', size: 7 })
})

t.test('a file that is swapped for a link after it was listed is not read', async (t) => {
  const root = await tree(t, { 'plan/SKILL.md': skillText('plan'), 'plan/a.md': 'ours' })
  const outside = await tree(t, { 'secret.txt': 'ours' })
  const skills = createFolderSkills({ roots: [root] })
  t.match(await read(skills, 'a.md'), { text: 'ours' })
  await rm(join(root, 'plan/a.md'))
  await symlink(join(outside, 'secret.txt'), join(root, 'plan/a.md'))
  t.match(await read(skills, 'a.md'), { ok: false, code: 'E_SKILL_CHANGED' })
  await rm(join(root, 'plan/a.md'))
  await writeFile(join(root, 'plan/a.md'), 'ours')
  t.match(await read(skills, 'a.md'), { text: 'ours' })
})

t.test('property: any path reads a listed file or is refused', async (t) => {
  const listed = ['a.md', 'docs/b.md', 'docs/deep/ü.md']
  const root = await tree(t, {
    'outside.md': 'SECRET',
    'plan/SKILL.md': skillText('plan'),
    ...Object.fromEntries(listed.map((path) => [`plan/${path}`, `text of ${path}`]))
  })
  const folder = createFolderSkills({ roots: [root] })
  const memory = createInMemorySkills({
    skills: [
      {
        name: 'plan',
        description: 'd',
        body: 'b',
        references: Object.fromEntries(listed.map((path) => [path, `text of ${path}`]))
      }
    ]
  })
  const piece = fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    'a.md',
    'docs',
    'deep',
    'ü.md',
    'b.md',
    'plan',
    'outside.md',
    '~',
    '\0',
    '%2e%2e',
    root
  )
  const path = fc.oneof(
    fc.constantFrom(...listed),
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.array(piece, { maxLength: 5 }).map((parts) => parts.join('/'))
  )
  let given = 0
  for (const [skills, numRuns] of [
    [memory, 1500],
    [folder, 300]
  ] as const) {
    await fc.assert(
      fc.asyncProperty(path, async (path) => {
        const result = await read(skills, path)
        if (!result.ok) return /^E_REFERENCE_(?:PATH|UNKNOWN)$/.test(result.code)
        given++
        return listed.includes(result.path) && result.text === `text of ${result.path}`
      }),
      { numRuns }
    )
  }
  t.ok(given > 50, 'files were given too')
})

t.test('whatever a model gives is answered', async (t) => {
  const skills = createInMemorySkills({ skills: [{ name: 'plan', description: 'd', body: 'b' }] })
  for (const args of [
    undefined,
    null,
    'plan',
    7,
    [],
    {},
    { name: 7 },
    { name: 'plan', page: 0 },
    { name: 'plan', page: 1.5 },
    { name: 'plan', page: '1' },
    { name: 'plan', path: 7 },
    { name: 'plan', more: 1 }
  ]) {
    for (const tool of Object.values(skills.tools))
      t.match(await tool.execute(args), { ok: false, code: 'E_SKILL_ARGUMENTS' }, JSON.stringify(args))
  }
  for (const name of ['__proto__', 'constructor', '', ' plan', 'x'.repeat(100_000), '\ud800', '</skills>'])
    t.match(
      await skills.tools.loadSkill.execute({ name }),
      { ok: false, code: 'E_SKILL_UNKNOWN' },
      name.slice(0, 20)
    )
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (args) => {
      const results = await Promise.all(Object.values(skills.tools).map((tool) => tool.execute(args)))
      return results.every((result) => !result.ok && result.visibility === 'hidden')
    }),
    { numRuns: 300 }
  )
})
