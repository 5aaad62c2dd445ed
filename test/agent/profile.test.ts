import t from 'tap'
import { home } from '../editing/home.js'
import { calling, callsOf, scripted } from './scripted.js'

t.test('a profile offers what it binds, in the version that it binds', async (t) => {
  const { node } = await home(t, 'Ada')
  const { version: first } = await node.create({
    title: 'Tea',
    summary: 'First.',
    body: 'One, @current-date.'
  })
  await node.publish('tea')
  await node.edit('tea', { summary: 'Second.', body: 'Two, @calendar.' })
  await node.newProfile('work')
  const { chats } = await scripted(t, node, (_, number) =>
    number % 2 === 0 ? { text: '@tea and @search-info' } : { text: 'Done.' }
  )
  const ask = () => node.ask('Tea?', { profile: 'Work' })

  await node.bindProfile('work', 'tea', 'latest')
  t.match(await ask(), { profile: 'work', plan: { ignored: ['search-info'] }, bound: ['query_calendar'] })
  t.match(chats[0]!.messages[0]!.content, /- @tea: Second\./)
  t.notMatch(chats[0]!.messages[0]!.content, /search-info|current-date/)

  await node.bindProfile('work', 'tea', 'published')
  t.match(await ask(), { bound: ['current_date'], skills: [{ version: first }] }, 'no draft')
  t.match(chats[2]!.messages[0]!.content, /- @tea: First\./)
  t.match(chats[3]!.messages[0]!.content, /One, @current-date\./)

  await node.bindProfile('work', 'tea', { version: first.slice(0, 8) })
  await node.publish('tea', (await node.show('tea')).version)
  t.match(await ask(), { bound: ['current_date'], skills: [{ version: first }] })

  await node.unbindProfile('work', 'tea')
  t.match(await ask(), { plan: null, bound: { length: 0 } }, 'nothing is bound: it answers directly')
})

t.test('what isn’t published isn’t offered to who follows it', async (t) => {
  const { node } = await home(t, 'Ada')
  await node.create({ title: 'Tea', summary: 'A draft.', body: 'Nothing yet.' })
  await node.newProfile('work')
  t.match(await node.bindProfile('work', 'tea', 'published'), { bindings: [{ slug: 'tea', version: null }] })
  t.same((await node.menu({ profile: 'work' })).menu, [])
  await scripted(t, node, [{ text: 'Done.' }])
  t.match(
    await node.ask('By @tea, please.', { profile: 'work' }),
    { skills: { length: 0 } },
    'also not by name'
  )
})

t.test('a skill that is bound as published got the draft of what it mentions', async (t) => {
  const { node } = await home(t, 'Ada')
  await node.create({ title: 'Water', summary: 'Boil water.', body: 'Look at @current-date.' })
  await node.create({ title: 'Tea', summary: 'Make tea.', body: 'First @water.' })
  await node.publish('tea')
  await node.newProfile('work')
  await node.bindProfile('work', 'tea', 'published')
  await scripted(t, node, (_, number) => (number % 2 === 0 ? { text: '@tea' } : { text: 'Done.' }))
  const ask = () => node.ask('Tea, with @water and @current-date?', { profile: 'work' })
  const before = await ask()
  t.match(before, {
    bound: { length: 0 },
    skills: [{ slug: 'tea' }],
    truncations: [/@water was left out.*selkie publish @water/]
  })
  t.equal(before.skills.length, 1)

  const { version } = await node.publish('water')
  await node.edit('water', { body: 'Another draft, @calendar.' })
  const after = await ask()
  t.match(after, {
    bound: ['current_date'],
    truncations: { length: 0 },
    skills: [{ slug: 'tea' }, { slug: 'water', version }]
  })

  await node.bindProfile('work', 'tea', 'latest')
  t.match(await ask(), { skills: [{ slug: 'tea' }, { slug: 'water', version }] }, 'published where it is')
})

t.test('in a profile a call is made for an attached skill that declares the tool', async (t) => {
  const { node } = await home(t, 'Ada')
  await node.create({ title: 'Tea', summary: 'Tea.', body: 'Run @current-date.' })
  await node.create({ title: 'Cake', summary: 'Cake.', body: 'Run @calendar.' })
  await node.newProfile('work')
  await node.bindProfile('work', 'tea', 'latest')
  await node.bindProfile('work', 'cake', 'latest')
  await scripted(t, node, [
    { text: '@tea and @cake' },
    {
      calls: [
        calling('current_date', {}),
        calling('current_date', {}, '@cake'),
        calling('current_date', {}, '@search-info'),
        calling('current_date', {}, '@tea'),
        calling('query_calendar', { range: 'today' }, 'cake')
      ].map((call, i) => ({ ...call, id: `c${i}` }))
    },
    { text: 'Done.' }
  ])
  const run = await node.ask('Tea and cake?', { profile: 'work' })
  t.match(callsOf(run), [
    { outcome: 'denied', result: /has to name the skill/ },
    { outcome: 'denied', skill: 'cake' },
    { outcome: 'denied', skill: 'search-info' },
    { outcome: 'ran' },
    { outcome: 'denied', result: /selkie grant calendar/ }
  ])
})
