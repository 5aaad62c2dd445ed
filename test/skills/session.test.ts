import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import {
  createFolderSkills,
  createInMemorySkills,
  createSkills,
  parseInvocation,
  type SkillSource,
  type Skills
} from '../../src/skills/index.js'
import { skillText, tree } from '../folders/tree.js'
import { KeptSource } from './kept-source.js'

const load = (skills: Skills, name: string, page = 1) => skills.tools.loadSkill.execute({ name, page })

t.test('hidden from the model, and the person can invoke it', async (t) => {
  const root = await tree(t, {
    'secret/SKILL.md': skillText('secret', 'Line one\n', 'disable-model-invocation: true\n'),
    'secret/notes.md': 'Notes.',
    'plan/SKILL.md': skillText('plan')
  })
  const skills = createFolderSkills({ roots: [root] })
  const { text, report } = await skills.renderInstructions()
  t.notMatch(text, 'secret')
  t.same([report.listed, report.hidden], [['plan'], ['secret']])
  t.match(await load(skills, 'secret'), { ok: false, code: 'E_SKILL_UNKNOWN', visibility: 'hidden' })
  t.match(await skills.tools.readSkillReference.execute({ name: 'secret', path: 'notes.md' }), {
    code: 'E_SKILL_UNKNOWN'
  })

  const invoked = await skills.invoke(parseInvocation('/skill:secret to Rome, in May')!)
  t.match(invoked, {
    ok: true,
    visibility: 'hidden',
    text: 'Line one\n',
    folder: join(root, 'secret'),
    arguments: 'to Rome, in May'
  })
  if (!invoked.ok) return
  for (const part of ['Line one\n', join(root, 'secret'), 'to Rome, in May'])
    t.ok(invoked.prompt.includes(part), part)
  t.notMatch(invoked.prompt, /disable-model|---/)

  // From now on the model has it, and can go on in it.
  t.match(await skills.tools.readSkillReference.execute({ name: 'secret', path: 'notes.md' }), {
    text: 'Notes.'
  })
  t.match(await load(skills, 'secret'), { ok: true })
})

t.test('what the person types', (t) => {
  const typed: [string, ReturnType<typeof parseInvocation>][] = [
    ['/skill:plan', { name: 'plan', arguments: '' }],
    ['  /skill:plan  a  b \n c ', { name: 'plan', arguments: 'a  b \n c' }],
    ['/skill:@plan\nx', { name: 'plan', arguments: 'x' }],
    ['/skill: plan', undefined],
    ['/skill:', undefined],
    ['please /skill:plan', undefined],
    ['/skills:plan', undefined],
    ['plan', undefined]
  ]
  for (const [text, wanted] of typed) t.same(parseInvocation(text), wanted, text)
  t.end()
})

t.test('a long skill is invoked by its first page', async (t) => {
  const body = 'word '.repeat(500)
  const skills = createInMemorySkills({ skills: [{ name: 'long', description: 'd', body }], pageSize: 1000 })
  const invoked = await skills.invoke({ name: 'long', arguments: '' })
  t.match(invoked, { page: 1, pages: 3, folder: null })
  t.match(invoked.ok && invoked.prompt, /page 1 of 3/)
  t.match(await skills.invoke({ name: 'none', arguments: '' }), { ok: false, code: 'E_SKILL_UNKNOWN' })
})

t.test('changed and deleted after discovery: refused, and told by a refresh', async (t) => {
  const root = await tree(t, {
    'plan/SKILL.md': skillText('plan', 'first'),
    'plan/a.md': 'a',
    'cook/SKILL.md': skillText('cook'),
    'same/SKILL.md': skillText('same'),
    'read/SKILL.md': skillText('read', 'x'.repeat(1500)),
    'files/SKILL.md': skillText('files'),
    'files/a.md': 'a'
  })
  const skills = createFolderSkills({ roots: [root], pageSize: 1000 })
  await skills.renderInstructions()
  const before = new Map((await skills.list()).skills.map((skill) => [skill.name, skill.version]))
  t.match(await load(skills, 'read'), { ok: true, pages: 2 })

  await writeFile(join(root, 'plan/SKILL.md'), skillText('plan', 'second'))
  await writeFile(join(root, 'read/SKILL.md'), skillText('read', 'y'.repeat(1500)))
  await writeFile(join(root, 'files/a.md'), 'b')
  await rm(join(root, 'cook'), { recursive: true })
  await writeFile(join(root, 'same/SKILL.md'), skillText('same'))

  const changed = { ok: false, code: 'E_SKILL_CHANGED', visibility: 'hidden' }
  t.match(await load(skills, 'plan'), changed)
  t.match(await load(skills, 'read', 2), changed, 'half of one version and half of another')
  t.match(await load(skills, 'files'), changed)
  t.match(await skills.tools.readSkillReference.execute({ name: 'plan', path: 'a.md' }), changed)
  t.match(await skills.tools.readSkillReference.execute({ name: 'files', path: 'a.md' }), changed)
  t.match(await load(skills, 'cook'), { ok: false, code: 'E_SKILL_GONE' })
  t.match(await load(skills, 'same'), { ok: true, replaces: null })

  const told = await skills.refresh()
  t.same(
    told.changed.map(({ from, to }) => [
      from.name,
      from.version === before.get(from.name),
      from.version !== to.version
    ]),
    ['files', 'plan', 'read'].map((name) => [name, true, true])
  )
  t.same(
    told.deleted.map(({ name }) => name),
    ['cook']
  )
  t.same(told.added, [])
  t.match(await load(skills, 'plan'), { ok: true, text: 'second', replaces: null })
  t.match(await load(skills, 'read', 2), changed, 'its first page was of the version before')
  t.match(await load(skills, 'read'), { ok: true, replaces: before.get('read') })
  t.match(await load(skills, 'read', 2), { ok: true, page: 2 })
  t.match(await load(skills, 'cook'), { ok: false, code: 'E_SKILL_UNKNOWN' })
  t.match(await skills.refresh(), { changed: [], deleted: [], added: [] })
})

t.test('what is added is open after a refresh, and in the catalog', async (t) => {
  const root = await tree(t, { 'plan/SKILL.md': skillText('plan') })
  const skills = createFolderSkills({ roots: [root] })
  t.notMatch((await skills.renderInstructions()).text, 'cook')
  await mkdir(join(root, 'cook'))
  await writeFile(join(root, 'cook/SKILL.md'), skillText('cook'))
  t.match(await load(skills, 'cook'), { code: 'E_SKILL_UNKNOWN' })
  t.match(await skills.refresh(), { changed: [], deleted: [], added: [{ name: 'cook' }] })
  t.match(await load(skills, 'cook'), { ok: true })
  t.match((await skills.renderInstructions()).text, 'cook')
})

t.test('one that was shown and is now hidden is closed, and told', async (t) => {
  const root = await tree(t, { 'plan/SKILL.md': skillText('plan') })
  const skills = createFolderSkills({ roots: [root] })
  await skills.renderInstructions()
  await writeFile(
    join(root, 'plan/SKILL.md'),
    skillText('plan', '# Steps\n', 'disable-model-invocation: true\n')
  )
  t.match(await load(skills, 'plan'), { code: 'E_SKILL_CHANGED' })
  t.match(await skills.refresh(), { changed: [{ to: { name: 'plan' } }] })
  t.match(await load(skills, 'plan'), { code: 'E_SKILL_UNKNOWN' })
})

t.test('after a compaction the same version is loaded again, never a newer one in silence', async (t) => {
  const source = new KeptSource()
  const first = await source.save({ name: 'plan', description: 'd', body: 'first' })
  await source.save({ name: 'cook', description: 'd', body: 'cook' })
  const skills = createSkills(source)
  await skills.renderInstructions()
  t.match(await load(skills, 'plan'), { text: 'first' })

  const second = await source.save({ name: 'plan', description: 'd', body: 'second' })
  t.match(await load(skills, 'plan'), { text: 'first', replaces: null }, 'again, in the same conversation')

  // What a transcript keeps is JSON, and another process reads it.
  const records = JSON.parse(JSON.stringify(skills.loaded())) as ReturnType<Skills['loaded']>
  t.match(records, [{ name: 'plan', source: 'memory:kept', version: first, hash: first }])
  for (const asked of ['at once', 'after its catalog']) {
    const later = createSkills(source)
    if (asked !== 'at once') await later.renderInstructions()
    t.match(
      await later.restore(records),
      [{ record: records[0], result: { ok: true, text: 'first' } }],
      asked
    )
    t.match(await load(later, 'plan'), { text: 'first', replaces: null })
    t.same(later.loaded(), records)
    t.match(await later.refresh(), { changed: [{ from: { version: first }, to: { version: second } }] })
    t.match(await load(later, 'plan'), { text: 'second', replaces: first })
  }
})

t.test('a version that is gone after a compaction is not replaced', async (t) => {
  const root = await tree(t, {
    'plan/SKILL.md': skillText('plan', 'first'),
    'cook/SKILL.md': skillText('cook')
  })
  const skills = createFolderSkills({ roots: [root] })
  await load(skills, 'plan')
  await load(skills, 'cook')
  await writeFile(join(root, 'plan/SKILL.md'), skillText('plan', 'second'))
  await rm(join(root, 'cook'), { recursive: true })

  const later = createFolderSkills({ roots: [root] })
  t.match(await later.restore(skills.loaded()), [
    { result: { ok: false, code: 'E_SKILL_CHANGED' } },
    { result: { ok: false, code: 'E_SKILL_GONE' } }
  ])
  t.match(await load(later, 'plan'), { ok: false, code: 'E_SKILL_CHANGED' })
  t.match(await later.refresh(), { changed: [{ to: { name: 'plan' } }], deleted: [{ name: 'cook' }] })
  t.match(await load(later, 'plan'), { text: 'second' })
})

t.test('a source that gives another content under the same version is not believed', async (t) => {
  const source = new KeptSource()
  const version = await source.save({ name: 'plan', description: 'd', body: 'first' })
  const skills = createSkills(source)
  await skills.list()
  const honest = (await source.load('plan'))!
  source.load = async () => ({ ...honest, body: 'other', hash: '0'.repeat(64), version })
  t.match(await load(skills, 'plan'), { ok: false, code: 'E_SKILL_CHANGED' })
})

t.test('the source is asked once which skills there are', async (t) => {
  const source = new KeptSource()
  await source.save({ name: 'plan', description: 'd', body: 'first' })
  let asked = 0
  const counted: SkillSource = {
    id: source.id,
    list: () => {
      asked++
      return source.list()
    },
    load: (name, version) => source.load(name, version),
    read: () => source.read()
  }
  const skills = createSkills(counted)
  await skills.renderInstructions()
  await skills.renderInstructions()
  await load(skills, 'plan')
  t.equal(asked, 1)
})

t.test('a name as a text mentions it, and one that is nearly right', async (t) => {
  const skills = createInMemorySkills({
    skills: [
      { name: 'plan-trip', description: 'd', body: 'b' },
      { name: 'plan-trap', description: 'd', body: 'b', hidden: true }
    ]
  })
  t.match(await load(skills, '@plan-trip'), { ok: true })
  const refused = await load(skills, 'plan-trop')
  t.match(refused, { ok: false, message: /“plan-trip”/ })
  t.notMatch(refused, { message: /plan-trap/ })
})
