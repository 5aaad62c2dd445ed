import t, { type Test } from 'tap'
import { Agent, another, ERAS, newHome } from './agent.js'

const md = (body: string) => `---\nname: tables\ndescription: About tables.\n---\n${body}`

/** A home that has a skill with files, and a long one. */
async function furnished(t: Test, agent: Agent, home: string) {
  const node = await another(t, home)
  const folder = t.testdir({
    tables: {
      'SKILL.md': md('# Tables\n\nSee references/legs.md.\n'),
      references: { 'legs.md': 'Four.\n', 'long.md': 'A leg.\n'.repeat(5000), 'leg.png': '\u0000\u0001' }
    }
  })
  await node.importFolders([folder])
  await node.setAdvertised('tables', true)
  t.match(await agent.change(), /\btables\b/)
  return node
}

for (const era of ERAS) {
  t.test(`an agent of the ${era} generation has the skills`, async (t) => {
    const home = await newHome(t)
    const agent = await Agent.starting(t, era, home)
    const { client } = agent
    t.equal(client.getServerVersion()?.name, 'selkie')
    t.match(client.getInstructions(), /^- check-schedule: Answer what is planned/m)
    t.notMatch(client.getInstructions(), /^- fetch-file/m, 'what isn’t advertised isn’t on offer')

    const { tools } = await client.listTools()
    t.same(
      tools.map(({ name }) => name),
      ['loadSkill', 'readSkillReference']
    )
    t.match(tools[0], {
      description: /^Skills: check-schedule, search-info\. Gives/,
      annotations: { readOnlyHint: true }
    })

    const [body, about] = await agent.call('loadSkill', { name: 'search-info' })
    const node = await another(t, home)
    const shown = await node.show('search-info')
    t.equal(body, shown.body)
    t.match(about, `That is the skill @search-info, version ${shown.version.slice(0, 12)}`)
    t.match(about, 'check_notebook, list_devices, find_file, grep_memory')
    t.match(
      await agent.call('loadSkill', { name: '@fetch-file' }),
      [/list-devices/],
      'a mention can be followed'
    )
    t.match(await agent.call('loadSkill', { name: 'fetch-fil' }), [
      /^! There is no skill .* \(E_SKILL_UNKNOWN\)$/
    ])
    t.match(await agent.call('loadSkill', { title: 'x' }), [/^! .* \(E_SKILL_ARGUMENTS\)$/])
    await t.rejects(agent.call('find_file', { query: 'x' }), /There is no tool find_file/)

    t.same(await agent.promptNames(), ['check-schedule', 'search-info'])
    const bare = await client.getPrompt({ name: 'search-info' })
    t.equal(bare.messages.length, 1)
    t.ok((bare.messages[0]!.content as { text: string }).text.includes(shown.body.trim()))
    const asked = await client.getPrompt({
      name: 'fetch-file',
      arguments: { arguments: 'the “lease”\nof 2024' }
    })
    t.match(asked.messages, [{ role: 'user', content: { text: /list-devices[^]*: the “lease”\nof 2024$/ } }])
    await t.rejects(client.getPrompt({ name: 'nothing' }), /E_SKILL_UNKNOWN/)
  })

  t.test(`an agent of the ${era} generation is told what changes in another process`, async (t) => {
    const home = await newHome(t)
    const agent = await Agent.starting(t, era, home)
    const node = await another(t, home)
    await agent.call('loadSkill', { name: 'search-info' })
    await node.create({ title: 'Bake bread', summary: 'How to bake.', body: 'Knead, as in @check-schedule.' })
    t.match(
      await agent.call('loadSkill', { name: 'bake-bread' }),
      [/E_SKILL_UNKNOWN/],
      'not advertised, not mentioned'
    )
    await node.setAdvertised('bake-bread', true)
    t.equal(await agent.change(), 'bake-bread check-schedule search-info')
    await node.rename('check-schedule', 'my-week')
    t.equal(await agent.change(), 'bake-bread my-week search-info')
    t.match(await agent.call('loadSkill', { name: 'bake-bread' }), ['Knead, as in @my-week.'])
    t.match((await agent.client.listTools()).tools, [
      { description: /^Skills: bake-bread, my-week, search-info\. / }
    ])

    await node.edit('search-info', { body: 'Ask.' })
    // The edit changes no offer; the summary after it does, and comes later than the edit.
    await node.edit('bake-bread', { summary: 'How to bake bread.' })
    t.equal(await agent.change(), 'bake-bread my-week search-info')
    t.match(await agent.call('loadSkill', { name: 'search-info' }), ['Ask.', /has changed since/])
    await node.setEnabled('my-week', false)
    t.equal(await agent.change(), 'bake-bread search-info')
    t.match(await agent.call('loadSkill', { name: 'my-week' }), [/E_SKILL_UNKNOWN/])
    await node.setAdvertised('bake-bread', false)
    t.equal(await agent.change(), 'search-info')
    await node.setAdvertised('search-info', false)
    t.equal(await agent.change(), '')
    t.same(await agent.promptNames(), [])
  })
}

t.test('an agent reads long texts in pages, and files of a skill only', async (t) => {
  const home = await newHome(t)
  const agent = await Agent.starting(t, 'legacy', home)
  const node = await furnished(t, agent, home)
  const body = `${'One line of a long text.\n'.repeat(2000)}The end.\n`
  await node.create({ title: 'A long one', summary: 'Long.', body })
  await node.setAdvertised('a-long-one', true)
  t.match(await agent.change(), /^a-long-one /)

  const pages = [1, 2, 3].map(
    async (page) => (await agent.call('loadSkill', { name: 'a-long-one', page }))[0]
  )
  t.ok((await Promise.all(pages)).join('') === body, 'the pages in a row are the body')
  t.match(await agent.call('loadSkill', { name: 'a-long-one' }), [/./, /page 1 of 3/])
  t.match(await agent.call('loadSkill', { name: 'a-long-one', page: 4 }), [/E_SKILL_PAGE/])

  const read = (path: string, page?: number) =>
    agent.call('readSkillReference', { name: 'tables', path, ...(page && { page }) })
  t.match(await agent.call('loadSkill', { name: 'tables' }), [/legs/, /- references\/legs\.md \(6 bytes\)/])
  t.match(await read('references/legs.md'), ['Four.\n', /6 bytes\.$/])
  t.match(await read('references/long.md', 2), [/^A leg/, /page 2 of 2/])
  t.match(await read('references/leg.png'), [/E_REFERENCE_BINARY/])
  const escapes = [
    '../../../keys/device.key',
    '/etc/passwd',
    'references/../../x',
    'C:\\x',
    '..\\x',
    'file:///x',
    ''
  ]
  for (const path of escapes) t.match(await read(path), [/^! .*\(E_REFERENCE_(PATH|UNKNOWN)\)$/], path)
  t.match(await read('SKILL.md'), [/E_REFERENCE_PATH/])
})
