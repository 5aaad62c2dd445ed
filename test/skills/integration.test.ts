import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { jsonSchema, tool, type ToolSet } from 'ai'
import t from 'tap'
import {
  createFolderSkills,
  createInMemorySkills,
  createInMemorySource,
  createProfile,
  createSkills,
  checkCall,
  isSkillToolName,
  toolNames,
  type SkillSource
} from '../../src/skills/index.js'

const plan = { name: 'plan', description: 'How to plan.', body: '# Steps\n' }

t.test('the tools fit an agent loop', async (t) => {
  const skills = createInMemorySkills({ skills: [plan] })
  t.same(skills.toolNames, ['loadSkill', 'readSkillReference'])
  t.same(Object.keys(skills.tools), skills.toolNames)
  for (const name of toolNames) {
    t.equal(skills.tools[name].name, name)
    t.ok(isSkillToolName(name))
    t.match(skills.tools[name].inputSchema, { type: 'object', additionalProperties: false })
  }
  for (const name of ['', 'loadskill', 'toString', '__proto__', 'listSkills'])
    t.notOk(skills.isSkillToolName(name), name)

  const set: ToolSet = Object.fromEntries(
    Object.values(skills.tools).map(({ name, description, inputSchema, execute }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(inputSchema),
        execute: async (args, { abortSignal }) => execute(args, { signal: abortSignal })
      })
    ])
  )
  const called: unknown = await set['loadSkill']!.execute!(
    { name: 'plan' },
    { toolCallId: '1', messages: [] }
  )
  t.match(called, { ok: true, visibility: 'hidden', text: '# Steps\n' })
  t.same(JSON.parse(JSON.stringify(called)), called, 'plain JSON')
})

t.test('an aborted signal rejects every method that asks the source', async (t) => {
  const skills = createInMemorySkills({ skills: [plan] })
  const options = { signal: AbortSignal.abort(new Error('enough')) }
  const methods: (() => Promise<unknown>)[] = [
    () => skills.renderInstructions(options),
    () => skills.list(options),
    () => skills.refresh(options),
    () => skills.invoke({ name: 'plan', arguments: '' }, options),
    () => skills.tools.loadSkill.execute({ name: 'plan' }, options),
    () => skills.tools.readSkillReference.execute({ name: 'plan', path: 'a.md' }, options)
  ]
  for (const asked of methods) await t.rejects(asked(), { message: 'enough' })
})

t.test('a source that fails rejects, and is asked again', async (t) => {
  let up = false
  const source: SkillSource = {
    ...createInMemorySource({ skills: [plan] }),
    list: async () => {
      if (!up) throw new Error('away')
      return createInMemorySource({ skills: [plan] }).list()
    }
  }
  const skills = createSkills(source)
  await t.rejects(skills.renderInstructions(), { message: 'away' })
  up = true
  t.match(await skills.renderInstructions(), { report: { listed: ['plan'] } })
})

t.test('an option that is no size is refused', (t) => {
  for (const options of [
    { pageSize: 999 },
    { pageSize: Number.NaN },
    { catalogBudget: -1 },
    { catalogBudget: 1.5 }
  ])
    t.throws(
      () => createInMemorySkills({ skills: [], ...options }),
      { code: 'E_SKILLS_OPTION' },
      JSON.stringify(options)
    )
  t.end()
})

t.test('a wrong use doesn’t compile', async (t) => {
  const source = createInMemorySource({ skills: [plan] })
  const skills = createSkills(source)
  const profile = createProfile({ bindings: { plan: 'published' } })
  const call = { skill: { name: 'plan', version: '1', tools: [] }, tool: 'find_file', args: {} }

  /** Never run: it is there for the compiler, which refuses an expectation that isn’t met. */
  const wrong = async (name: string) => {
    // @ts-expect-error A skill needs a description.
    createInMemorySkills({ skills: [{ name: 'plan', body: '' }] })
    // @ts-expect-error A skill needs a body.
    createInMemorySkills({ skills: [{ name: 'plan', description: 'd' }] })
    // @ts-expect-error A misspelt key isn’t left unseen.
    createInMemorySkills({ skills: [{ ...plan, refs: {} }] })
    // @ts-expect-error A file’s content is a text or bytes.
    createInMemorySkills({ skills: [{ ...plan, references: { 'a.md': 7 } }] })
    // @ts-expect-error Roots are a list.
    createFolderSkills({ roots: '/skills' })
    // @ts-expect-error There is no such option.
    createSkills(source, { budget: 100 })
    // @ts-expect-error There is no tool that lists.
    void skills.tools.listSkills
    // @ts-expect-error Only a name that was checked is a tool’s.
    void skills.tools[name]
    if (skills.isSkillToolName(name)) void skills.tools[name]
    const result = await skills.tools.loadSkill.execute({ name })
    // @ts-expect-error A refusal has no text: `ok` has to be looked at.
    void result.text
    // @ts-expect-error Results are only read.
    if (result.ok) result.text = ''
    // @ts-expect-error Nothing says that a result may be shown.
    void (result.visibility === 'shown')
    // @ts-expect-error There is no such version.
    createProfile({ bindings: { plan: 'newest' } })
    // @ts-expect-error No check without a policy.
    checkCall(call, profile)
    // @ts-expect-error A policy answers at once.
    checkCall(call, profile, async () => ({ allowed: true }))
    // @ts-expect-error A policy that forbids says why.
    checkCall(call, profile, () => ({ allowed: false }))
    // @ts-expect-error A verdict without a yes has no reason yet.
    void checkCall(call, profile, () => ({ allowed: true })).reason
    // @ts-expect-error A record names its source, version and hash.
    void skills.restore([{ name }])
  }
  t.type(wrong, 'function')
})

t.test('importing it loads neither the network nor the store', async (t) => {
  const index = fileURLToPath(new URL('../../src/skills/index.js', import.meta.url))
  const script = `
    import { createRequire } from 'node:module'
    import { pathToFileURL } from 'node:url'
    await import(pathToFileURL(${JSON.stringify(index)}).href)
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    const native = process.report.getReport().sharedObjects.filter((path) => path.endsWith('.node'))
    console.log(JSON.stringify([...loaded, ...native]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  const loaded = JSON.parse(stdout) as string[]
  t.ok(
    loaded.some((path) => path.includes('ajv')),
    'what is loaded is seen'
  )
  t.same(
    loaded.filter((path) => /hyper|corestore|autobase|rocksdb|udx|sodium-native|protomux|pairing/.test(path)),
    []
  )
})
