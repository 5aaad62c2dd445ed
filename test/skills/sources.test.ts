import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { SelkieError } from '../../src/base/errors.js'
import {
  createCompositeSource,
  createFolderSource,
  createInMemorySource,
  type SkillSource
} from '../../src/skills/index.js'
import { skillText, tree } from '../folders/tree.js'

const plan = { name: 'plan', description: 'How to plan.', body: '# Steps\n' }

async function codes(source: SkillSource): Promise<string[]> {
  return (await source.list()).problems.map(({ code, skill }) => (skill ? `${code} ${skill}` : code))
}

t.test('of two skills of one name the first counts, and the report names winner and loser', async (t) => {
  const root = await tree(t, {
    'plan/SKILL.md': skillText('plan', 'Other'),
    'cook/SKILL.md': skillText('cook')
  })
  const folders = createFolderSource({ roots: [root] })
  const memory = createInMemorySource({ skills: [plan] })
  const both = createCompositeSource([memory, folders])

  const { skills, problems } = await both.list()
  t.same(
    skills.map(({ name, source }) => [name, source]),
    [
      ['plan', 'memory:skills'],
      ['cook', `folder:${root}`]
    ]
  )
  const [winner, loser] = [(await memory.load('plan'))!, (await folders.load('plan'))!]
  t.match(problems, [
    {
      code: 'D_SKILL_TWICE',
      skill: 'plan',
      collision: {
        winner: { source: 'memory:skills', version: winner.version, hash: winner.hash, folder: null },
        loser: {
          source: `folder:${root}`,
          version: loser.version,
          hash: loser.hash,
          folder: join(root, 'plan')
        }
      }
    }
  ])
  t.match(problems[0]!.message, join(root, 'plan'))
  t.equal((await both.load('plan'))!.source, 'memory:skills')

  const turned = createCompositeSource([folders, memory])
  t.equal((await turned.load('plan'))!.source, `folder:${root}`)
  t.equal((await turned.list()).problems[0]!.collision!.loser.source, 'memory:skills')
  t.equal((await turned.load('plan', { version: winner.version }))!.source, 'memory:skills')
})

t.test('two of one name in one folder, in two roots and in a program', async (t) => {
  const root = await tree(t, {
    'a/SKILL.md': skillText('plan', 'first'),
    'b/SKILL.md': skillText('plan', 'second')
  })
  const other = await tree(t, { 'plan/SKILL.md': skillText('plan', 'third') })
  const source = createFolderSource({ roots: [root, other] })
  const { skills, problems } = await source.list()
  t.same(
    skills.map(({ name, folder }) => [name, folder]),
    [['plan', join(root, 'a')]]
  )
  t.same(
    problems.flatMap(({ collision }) => collision?.loser.folder ?? []),
    [join(root, 'b'), join(other, 'plan')]
  )
  t.equal((await source.load('plan'))!.body, 'first')

  const twice = createInMemorySource({ skills: [plan, { ...plan, body: 'other' }] })
  t.same(await codes(twice), ['D_SKILL_TWICE plan'])
  t.equal((await twice.load('plan'))!.body, plan.body)
})

t.test('two roots that lead to one folder are no collision', async (t) => {
  const root = await tree(t, { 'team/plan/SKILL.md': skillText('plan') })
  const source = createFolderSource({ roots: [root, join(root, 'team')] })
  t.same(await codes(source), [])
})

t.test('what isn’t published in the winner isn’t taken from a loser', async (t) => {
  const drafts: SkillSource = {
    ...createInMemorySource({ skills: [plan] }),
    load: async (name, version) =>
      version === 'published' ? undefined : createInMemorySource({ skills: [plan] }).load(name)
  }
  const both = createCompositeSource([drafts, createInMemorySource({ skills: [plan] })])
  t.equal(await both.load('plan', 'published'), undefined)
})

t.test('a source that can’t be reached is not passed over', async (t) => {
  const away: SkillSource = {
    ...createInMemorySource({ skills: [] }),
    list: () => Promise.reject(new SelkieError('E_OFFLINE'))
  }
  const both = createCompositeSource([away, createInMemorySource({ skills: [plan] })])
  await t.rejects(both.list(), { code: 'E_OFFLINE' })
})

t.test('a composite tells what any of its sources tells', async (t) => {
  const tell: (() => void)[] = []
  const watched: SkillSource = {
    ...createInMemorySource({ skills: [] }),
    watch: (onChange) => void tell.push(onChange)
  }
  const quiet = createInMemorySource({ skills: [plan] })
  t.notOk('watch' in createCompositeSource([quiet]))
  let told = 0
  createCompositeSource([quiet, watched]).watch!(() => told++, { signal: new AbortController().signal })
  tell.forEach((each) => each())
  t.equal(told, 1)
})

t.test('one skill has one hash, wherever it lies', async (t) => {
  const root = await tree(t, {
    'a/plan/SKILL.md': skillText('plan', '# Steps\n', 'allowed-tools: [find_file, Bash(git add:*)]\n'),
    'a/plan/notes/x.md': 'x',
    'b/plan/SKILL.md': skillText(
      'plan',
      '# Steps\n',
      'allowed-tools: find_file, Bash(git add:*)\n'
    ).replaceAll('\n', '\r\n'),
    'b/plan/notes/x.md': 'x'
  })
  const given = {
    ...plan,
    description: 'How to plan.',
    tools: ['find_file', 'Bash(git add:*)'],
    references: { 'notes/x.md': 'x' }
  }
  const memory = (await createInMemorySource({ skills: [given] }).load('plan'))!
  for (const folder of ['a', 'b']) {
    const found = (await createFolderSource({ roots: [join(root, folder)] }).load('plan'))!
    t.equal(found.hash, memory.hash, folder)
    t.same(found.tools, memory.tools)
  }
  const changes = [
    { description: 'x' },
    { body: 'x' },
    { hidden: true },
    { tools: ['find_file'] },
    { references: { 'notes/y.md': 'x' } },
    { references: { 'notes/x.md': 'y' } },
    { references: {} }
  ]
  const hashes = await Promise.all(
    changes.map(
      async (change) => (await createInMemorySource({ skills: [{ ...given, ...change }] }).load('plan'))!.hash
    )
  )
  t.equal(new Set([memory.hash, ...hashes]).size, changes.length + 1)
})

t.test('hidden: the frontmatter’s key, and the policy of agents/openai.yaml', async (t) => {
  const off = 'policy:\n  allow_implicit_invocation: false\n'
  const root = await tree(t, {
    'a/SKILL.md': skillText('a', '', 'disable-model-invocation: true\n'),
    'b/SKILL.md': skillText('b', '', 'disable-model-invocation: "True"\n'),
    'c/SKILL.md': skillText('c', '', 'disable-model-invocation: false\n'),
    'd/SKILL.md': skillText('d'),
    'd/agents/openai.yaml': off,
    'e/SKILL.md': skillText('e'),
    'e/agents/openai.yaml': 'interface:\n  display_name: E\npolicy: { allow_implicit_invocation: true }\n',
    'f/SKILL.md': skillText('f'),
    'f/agents/openai.yaml': '[[[[: not yaml\x00',
    'g/SKILL.md': skillText('g'),
    'g/agents/openai.yaml': off.replaceAll('\n', '\r\n')
  })
  const { skills } = await createFolderSource({ roots: [root] }).list()
  t.same(
    skills.filter(({ hidden }) => hidden).map(({ name }) => name),
    ['a', 'b', 'd', 'g']
  )
})

t.test('a folder is read leniently, and what was odd is told', async (t) => {
  const root = await tree(t, {
    'plan/SKILL.md':
      '\ufeff---\r\nname: Plan a Trip\r\ndescription: Use it: always\r\nargument-hint: x\r\n---\r\nGo\r\n',
    'bad/SKILL.md': new Uint8Array([0xff, 0xfe, 0x00])
  })
  await symlink('plan', join(root, 'linked'))
  const source = createFolderSource({ roots: [root, join(root, 'missing')] })
  t.match(await source.load('plan-a-trip'), {
    description: 'Use it: always',
    body: 'Go\n',
    folder: join(root, 'plan')
  })
  const { problems } = await source.list()
  t.match(
    problems.find(({ code }) => code === 'D_BOM'),
    { message: `${join(root, 'plan/SKILL.md')}: It begins` }
  )
  t.same((await codes(source)).sort(), [
    'D_BOM plan-a-trip',
    'D_CRLF plan-a-trip',
    'D_NAME_FOLDER plan-a-trip',
    'D_NOT_UTF8',
    'D_SKILL_CALLED plan-a-trip',
    'D_SYMLINK',
    'D_YAML_QUOTED plan-a-trip',
    'E_FOLDER'
  ])
})

t.test('a folder that has become a link does not lead elsewhere', async (t) => {
  const elsewhere = await tree(t, { 'plan/SKILL.md': skillText('plan', 'not ours') })
  const root = await tree(t, { 'plan/SKILL.md': skillText('plan', 'ours') })
  const source = createFolderSource({ roots: [root] })
  const loaded = (await source.load('plan'))!
  await rename(join(root, 'plan'), join(root, 'plan.old'))
  await symlink(join(elsewhere, 'plan'), join(root, 'plan'))
  t.equal(await source.load('plan'), undefined)
  t.equal(await source.load('plan', { version: loaded.version }), undefined)
})

t.test('a folder made meanwhile is in the next list', async (t) => {
  const root = await tree(t, { 'plan/SKILL.md': skillText('plan') })
  const source = createFolderSource({ roots: [root] })
  t.same(
    (await source.list()).skills.map(({ name }) => name),
    ['plan']
  )
  await mkdir(join(root, 'cook'))
  await writeFile(join(root, 'cook/SKILL.md'), skillText('cook'))
  t.equal(await source.load('cook'), undefined)
  t.same(
    (await source.list()).skills.map(({ name }) => name),
    ['cook', 'plan']
  )
  t.equal((await source.load('cook', 'published'))!.name, 'cook')
  await rm(join(root, 'cook'), { recursive: true })
  t.equal(await source.load('cook'), undefined)
})

t.test('a file is read only of exactly the package that was loaded', async (t) => {
  const root = await tree(t, { 'plan/SKILL.md': skillText('plan'), 'plan/a.md': 'one', 'plan/b.md': 'b' })
  const source = createFolderSource({ roots: [root] })
  const loaded = (await source.load('plan'))!
  t.same(await source.read(loaded, 'a.md'), Buffer.from('one'))
  t.equal(await source.read(loaded, '../plan/a.md'), undefined)
  await writeFile(join(root, 'plan/a.md'), 'two')
  t.equal(await source.read(loaded, 'a.md'), undefined)
  t.equal(await source.read(loaded, 'b.md'), undefined)
  t.same(await source.read((await source.load('plan'))!, 'a.md'), Buffer.from('two'))
})

t.test('a file of a composite comes from the source of its package', async (t) => {
  const skill = (text: string) => ({ ...plan, references: { 'a.md': text } })
  const first = createInMemorySource({ skills: [skill('first')], label: 'first' })
  const second = createInMemorySource({ skills: [skill('second')], label: 'second' })
  const both = createCompositeSource([first, second])
  t.same(await both.read((await second.load('plan'))!, 'a.md'), new TextEncoder().encode('second'))
})

t.test('what can’t be a skill is refused where a program gives it', async (t) => {
  const refused: [object, string][] = [
    [{ name: 'Plan' }, 'E_SLUG_FORM'],
    [{ name: 'plan\n</skills>' }, 'E_SLUG_FORM'],
    [{ description: ' ' }, 'E_SKILL_FORM'],
    [{ body: undefined }, 'E_SKILL_FORM'],
    [{ references: { '../a.md': 'x' } }, 'E_SKILL_FORM'],
    [{ references: { '/etc/passwd': 'x' } }, 'E_SKILL_FORM'],
    [{ references: { 'a.md': 'x', 'A.md': 'y' } }, 'E_SKILL_FORM']
  ]
  for (const [change, code] of refused)
    t.throws(
      () => createInMemorySource({ skills: [{ ...plan, ...change }] }),
      { code },
      JSON.stringify(change)
    )
})

t.test('a program’s skills stay what they were when they were given', async (t) => {
  const bytes = new Uint8Array([104, 105])
  const skill = { ...plan, tools: ['find_file'], references: { 'a.md': bytes } }
  const source = createInMemorySource({ skills: [skill] })
  bytes[0] = 72
  skill.tools.push('rm')
  skill.body = 'other'
  const loaded = (await source.load('plan'))!
  t.match(loaded, { body: plan.body, tools: ['find_file'] })
  t.same(await source.read(loaded, 'a.md'), new TextEncoder().encode('hi'))
})

t.test('an aborted signal ends it', async (t) => {
  const root = await tree(t, { 'plan/SKILL.md': skillText('plan') })
  const signal = AbortSignal.abort(new Error('enough'))
  for (const source of [createFolderSource({ roots: [root] }), createInMemorySource({ skills: [plan] })]) {
    await t.rejects(source.list({ signal }), { message: 'enough' })
    await t.rejects(source.load('plan', 'latest', { signal }), { message: 'enough' })
  }
})
