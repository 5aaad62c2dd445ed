import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import t from 'tap'
import { isHidden } from '../../src/editing/hidden.js'
import { Offer } from '../../src/mcp/offer.js'
import type { Store } from '../../src/store/store.js'
import { createSkills, createFolderSource, createNamespaceSource } from '../../src/skills/index.js'
import { home } from '../editing/home.js'
import { scripted } from './scripted.js'

function text(name: string, more = '', body = 'Nothing.'): string {
  return `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n\n${body}\n`
}

const KEY = 'disable-model-invocation'
const policy = (said: string) => ({ 'openai.yaml': `policy:\n  allow_implicit_invocation: ${said}\n` })

/** Skills that say in all ways whether they are for models. */
const SAYING = {
  plain: { 'SKILL.md': text('plain') },
  yes: { 'SKILL.md': text('yes', `${KEY}: true\n`) },
  quoted: { 'SKILL.md': text('quoted', `${KEY}: "True"\n`) },
  no: { 'SKILL.md': text('no', `${KEY}: false\n`) },
  odd: { 'SKILL.md': text('odd', `${KEY}: on\n`) },
  nested: { 'SKILL.md': text('nested', `metadata:\n  ${KEY}: "true"\n`) },
  commented: { 'SKILL.md': text('commented', `# ${KEY}: true\n`) },
  said: { 'SKILL.md': text('said', '', `Say ${KEY}: true, and agents/openai.yaml.`) },
  policy: { 'SKILL.md': text('policy'), agents: policy('false') },
  permits: { 'SKILL.md': text('permits'), agents: policy('true') },
  both: { 'SKILL.md': text('both', `${KEY}: true\n`), agents: policy('true') },
  elsewhere: { 'SKILL.md': text('elsewhere'), other: { agents: policy('false') } }
}
const HIDDEN = ['both', 'nested', 'policy', 'quoted', 'yes']

t.test('what isn’t for models in a folder was for them once it was imported', async (t) => {
  const folder = t.testdir(SAYING)
  const { node } = await home(t, 'Ada')
  const { diagnostics } = await node.importFolders([folder])
  t.same(
    diagnostics.flatMap(({ code, path }) => (code === 'D_HIDDEN' ? [path!] : [])).toSorted(),
    HIDDEN.map((name) => `${name}/SKILL.md`)
  )
  const hiddenIn = (skills: readonly { name: string; hidden: boolean }[]): string[] =>
    skills.flatMap(({ name, hidden }) => (hidden ? [name] : [])).toSorted()
  const { skills, problems } = await createFolderSource({ roots: [folder] }).list()
  t.same(hiddenIn(skills), HIDDEN)
  t.same(
    problems.filter(({ code }) => code === 'D_HIDDEN'),
    []
  )

  for (const name of Object.keys(SAYING)) {
    const advertising = node.setAdvertised(name, true)
    if (HIDDEN.includes(name)) await t.rejects(advertising, { code: 'E_SKILL_HIDDEN', message: `@${name}` })
    else t.match(await advertising, { advertised: true, hidden: undefined })
  }
  for (const name of Object.keys(SAYING))
    t.equal((await node.show(name)).hidden === true, HIDDEN.includes(name), name)
  const source = await createNamespaceSource(node)
  const own = (await source.list()).skills.filter(({ name }) => name in SAYING)
  t.same(hiddenIn(own), HIDDEN)
  const { menu } = await node.menu({})
  t.same(
    menu.flatMap(({ slug }) => (slug in SAYING ? [slug] : [])),
    own.flatMap(({ name, hidden }) => (hidden ? [] : [name]))
  )
  t.match(await node.show('yes'), { hidden: true, advertised: false })
  t.match(await node.setAdvertised('yes', false), { hidden: true }, 'it is no refusal to take it out')

  const out = t.testdir()
  await node.exportFolders(HIDDEN, out, { closure: false })
  const again = await createFolderSource({ roots: [out] }).list()
  t.same(hiddenIn(again.skills), HIDDEN, 'an export keeps it')
})

t.test('it came to be hidden while it was advertised, and stayed on the menu', async (t) => {
  const ada = await home(t, 'Ada')
  await ada.node.importFolders([t.testdir({ yes: SAYING.yes, plain: SAYING.plain })])
  // As another device or an older Selkie may say it.
  await ada.under(async ({ store }) => {
    for (const { uid } of store.namespace.live())
      await store.append({ type: 'advertise', uid, advertised: true })
  })
  const { node } = ada
  t.match(await node.show('yes'), { advertised: true, hidden: true })
  const listed = await node.list()
  t.same(
    listed.flatMap(({ slug, hidden }) => (hidden ? [slug] : [])),
    ['yes']
  )
  const menu = (await node.menu({})).menu.map(({ slug }) => slug)
  t.ok(menu.includes('plain'))
  t.notOk(menu.includes('yes'))
  const skills = createSkills(await createNamespaceSource(node))
  const { text, report } = await skills.renderInstructions()
  t.match(text, /^- plain: /m)
  t.notMatch(text, /^- yes: /m)
  t.match(report.hidden, ['yes'])
  t.match(await skills.tools.loadSkill.execute({ name: 'yes' }), { ok: false, code: 'E_SKILL_UNKNOWN' })
  t.match(await node.plan('yes', { byWords: true }), { handles: { length: 0 } })
})

t.test('the person invokes it, and names it in what they ask', async (t) => {
  const { node } = await home(t, 'Ada')
  const yes = { 'SKILL.md': text('yes', `${KEY}: true\n`, 'Run @current-date, then @deeper.') }
  const deeper = { 'SKILL.md': text('deeper', `${KEY}: true\n`, 'Run @find-file.') }
  await node.importFolders([t.testdir({ yes, deeper })])
  await node.create({ title: 'Leads', summary: 'Leads to it.', body: 'Follow @yes, then @calendar.' })
  await node.setAdvertised('leads', true)

  const skills = createSkills(await createNamespaceSource(node))
  const closed = { ok: false, code: 'E_SKILL_UNKNOWN' }
  t.match(await skills.tools.loadSkill.execute({ name: 'yes' }), closed, 'a mention doesn’t open it')
  t.match(await skills.invoke({ name: 'yes', arguments: 'now' }), { ok: true, prompt: /@current-date/ })
  t.match(await skills.tools.loadSkill.execute({ name: 'deeper' }), closed)

  const offer = new Offer({
    source: await createNamespaceSource(node),
    version: '1',
    onProblem: (e) => void t.error(e)
  })
  const client = new Client({ name: 'agent', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await (await offer.converse()).connect(theirs)
  await client.connect(ours)
  t.match(client.getInstructions(), /^- leads: /m)
  t.notMatch(client.getInstructions(), /^- yes: /m)
  const offered = (await client.listPrompts()).prompts.map((prompt) => prompt.name)
  t.same(offered, ['check-schedule', 'leads', 'search-info'])
  const asModel = await client.callTool({ name: 'loadSkill', arguments: { name: 'yes' } })
  t.match(asModel, { isError: true, content: [{ text: /E_SKILL_UNKNOWN/ }] })
  const asPerson = await client.getPrompt({ name: 'yes' })
  t.match(asPerson, { messages: [{ content: { text: /@current-date/ } }] })
  await offer.close()

  const { chats } = await scripted(t, node, ({ messages }) => ({
    text: messages[0]!.content!.includes('# Menu') ? '@leads and @yes' : 'Done.'
  }))
  const mentioned = await node.ask('Go.', {})
  t.match(mentioned, { plan: { handles: ['leads'], ignored: ['yes'] }, bound: ['query_calendar'] })
  t.match(mentioned.skills, [{ slug: 'leads' }])
  t.match(mentioned.truncations, [/^@yes was left out: .*Name it/])
  t.notMatch(chats[1]!.messages[0]!.content, '## @yes')
  t.match(await node.replay(mentioned.id), { same: true })
  t.same((await node.plan('Go.', {})).bound, mentioned.bound)

  const named = await node.ask('Go, by @yes.', {})
  t.same(
    named.skills.map(({ slug }) => slug),
    ['yes', 'leads']
  )
  t.same(named.bound, ['current_date', 'query_calendar'])
  t.match(named.truncations, [/^@deeper was left out/])
  t.match(chats.at(-1)!.messages[0]!.content, '## @yes')
  t.match(await node.replay(named.id), { same: true })
  t.same((await node.plan('Go, by @yes.', {})).bound, named.bound)
})

t.test('in a profile it is for the person to name, and isn’t on the menu', async (t) => {
  const { node } = await home(t, 'Ada')
  await node.importFolders([t.testdir({ yes: SAYING.yes, plain: SAYING.plain })])
  await node.newProfile('work')
  for (const slug of ['yes', 'plain']) await node.bindProfile('work', slug, 'latest')
  t.match((await node.menu({ profile: 'work' })).menu, [{ slug: 'plain' }])
  await scripted(t, node, [{ text: '@yes' }, { text: 'Done.' }, { text: '@plain' }, { text: 'Done.' }])
  t.match(await node.ask('Go.', { profile: 'work' }), { plan: { ignored: ['yes'] }, skills: { length: 0 } })
  const { skills } = await node.ask('Go, by @yes.', { profile: 'work' })
  t.match(skills, [{ slug: 'yes' }, { slug: 'plain' }])
})

t.test('a skill counts as hidden while the file that may say so isn’t here', async (t) => {
  const ada = await home(t, 'Ada')
  await ada.node.importFolders([t.testdir({ permits: SAYING.permits, plain: SAYING.plain })])
  const versions = Object.fromEntries((await ada.node.list()).map(({ slug, version }) => [slug, version]))
  await ada.under(async ({ store }) => {
    let isHere = false
    const file = async (hash: Parameters<Store['file']>[0]) => (isHere ? store.file(hash) : undefined)
    const away = { view: store.view, file } as unknown as Store
    const isAway = (slug: string) => isHidden(away, versions[slug] as Parameters<typeof isHidden>[1])
    t.equal(await isAway('permits'), true)
    t.equal(await isAway('plain'), false)
    isHere = true
    t.equal(await isAway('permits'), false, 'and no longer once it came')
  })
})
