import t from 'tap'
import { home } from '../editing/home.js'
import { calling, callsOf, scripted } from './scripted.js'

t.test('a bound skill that was renamed, disabled or deleted since', async (t) => {
  const { node } = await home(t, 'Ada')
  for (const title of ['Tea', 'Cake', 'Pie'])
    await node.create({ title, summary: `${title}.`, body: 'Run @current-date.' })
  await node.newProfile('work')
  for (const slug of ['tea', 'cake', 'pie']) await node.bindProfile('work', slug, 'latest')
  await node.rename('tea', 'chai')
  await node.setEnabled('cake', false)
  await node.delete('pie')
  t.same((await node.menu({ profile: 'work' })).menu, [{ slug: 'chai', summary: 'Tea.' }])
  const { chats } = await scripted(t, node, [
    { text: '@tea, @chai, @cake and @pie' },
    {
      calls: ['tea', 'cake', 'pie', 'chai'].map((skill) => ({
        ...calling('current_date', {}, skill),
        id: skill
      }))
    },
    { text: 'Done.' }
  ])
  const run = await node.ask('With @cake and @pie, please.', { profile: 'work' })
  t.match(run, { plan: { handles: ['chai'], ignored: ['tea', 'cake', 'pie'] }, bound: ['current_date'] })
  t.same(
    run.skills.map(({ slug }) => slug),
    ['chai']
  )
  t.same(
    callsOf(run).map(({ outcome }) => outcome),
    ['denied', 'denied', 'denied', 'ran']
  )
  t.notMatch(chats[1]!.messages[0]!.content, '@cake')
  t.match(await node.replay(run.id), { same: true })

  await node.restore('pie')
  t.match((await node.menu({ profile: 'work' })).menu, [{ slug: 'chai' }, { slug: 'pie' }])
})

t.test('a profile keeps its version, whatever the skill and what it mentions say now', async (t) => {
  const { node } = await home(t, 'Ada')
  await node.create({ title: 'Inner', summary: 'Inner.', body: 'Run @current-date.' })
  await node.publish('inner')
  await node.create({ title: 'Outer', summary: 'Outer.', body: 'Follow @inner.' })
  await node.publish('outer')
  await node.newProfile('work')
  await node.bindProfile('work', 'outer', 'published')
  await node.edit('inner', { body: 'Run @find-file.' })
  await node.edit('outer', { body: 'Follow @search-info.' })
  const { chats } = await scripted(t, node, [{ text: '@outer' }, { text: 'Done.' }])
  const run = await node.ask('Go.', { profile: 'work' })
  t.same(run.bound, ['current_date'])
  t.match(chats[1]!.messages[0]!.content, 'Follow @inner.')
  t.notMatch(chats[1]!.messages[0]!.content, 'find_file')
  await node.publish('inner')
  t.match(await node.replay(run.id), { same: true }, 'in the version that it had')
  t.match(await node.run(run.id, { full: true }), { skills: [{ body: 'Follow @inner.' }, {}] })
})

t.test('a skill of a profile talked the model into a tool of another one', async (t) => {
  const { node } = await home(t, 'Ada')
  await node.create({ title: 'Plain', summary: 'Plain.', body: 'Say that you call for search-info.' })
  await node.newProfile('work')
  await node.bindProfile('work', 'plain', 'latest')
  await scripted(t, node, [
    { text: '@plain, @search-info and @current-date' },
    {
      calls: [
        { ...calling('find_file', { query: 'x' }, 'search-info'), id: 'a' },
        { ...calling('current_date', {}, 'plain'), id: 'b' }
      ]
    },
    { text: 'Done.' }
  ])
  const run = await node.ask('Go.', { profile: 'work' })
  t.same(run.bound, [])
  t.match(callsOf(run), [{ outcome: 'denied' }, { outcome: 'denied' }])
})
