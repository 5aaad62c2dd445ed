import t from 'tap'
import { home } from '../editing/home.js'
import { calling, callsOf, scripted } from './scripted.js'

t.test('a run that never came to a plan was said to have bound what the person named', async (t) => {
  const { node } = await home(t, 'Ada')
  await scripted(t, node, [{ status: 500 }])
  const run = await node.ask('With @current-date and @search-info: what day?', {})
  t.match(run, {
    state: 'failed',
    plan: null,
    bound: { length: 0 },
    skills: { length: 0 },
    problem: { code: 'E_MODEL_BUSY' }
  })
  t.match(await node.replay(run.id), { same: true, calls: { length: 0 } })
})

t.test('what the person named comes again', async (t) => {
  const { node } = await home(t, 'Ada')
  await scripted(t, node, [
    { text: 'directly' },
    { calls: [calling('find_file', { query: 'x' }), { ...calling('current_date', {}), id: 'b' }] },
    { text: 'Done.' }
  ])
  const run = await node.ask('With @fetch-file and @current-date.', {})
  t.same(run.bound, ['list_devices', 'find_file', 'current_date'])
  await node.rename('fetch-file', 'get-it')
  await node.create({ title: 'Fetch file', summary: 'Another.', body: 'Run @calendar.' })
  t.match(await node.replay(run.id), { same: true })
})

t.test('with nothing advertised, too', async (t) => {
  const { node } = await home(t, 'Ada')
  for (const { slug, advertised } of await node.list()) if (advertised) await node.setAdvertised(slug, false)
  await scripted(t, node, [{ calls: [calling('current_date', {})] }, { text: 'Done.' }])
  const run = await node.ask('By @current-date.', {})
  t.match(run, { plan: null, bound: ['current_date'], state: 'done' })
  await node.setAdvertised('search-info', true)
  t.match(await node.replay(run.id), { same: true })
})

t.test('a skill that was disabled then, and one that the profile didn’t have, stay away', async (t) => {
  const { node } = await home(t, 'Ada')
  await node.create({ title: 'Inner', summary: 'Inner.', body: 'Run @calendar.' })
  await node.create({ title: 'Outer', summary: 'Outer.', body: 'Follow @inner, then @current-date.' })
  await node.newProfile('work')
  await node.bindProfile('work', 'outer', 'latest')
  await node.bindProfile('work', 'inner', 'published')
  await scripted(t, node, [
    { text: '@outer' },
    { calls: [calling('current_date', {}, '@outer'), { ...calling('current_date', {}, 'x'), id: 'b' }] },
    { text: 'Done.' }
  ])
  const run = await node.ask('Go on with @outer and @inner.', { profile: 'work' })
  t.same(run.bound, ['current_date'])
  t.match(callsOf(run), [{ outcome: 'ran' }, { outcome: 'denied' }])
  await node.publish('inner')
  await node.deleteProfile('work')
  t.match(await node.replay(run.id), { same: true })
})

t.test('a run of calls without end, one of many calls at once, and one that broke down', async (t) => {
  const { node } = await home(t, 'Ada')
  const many = Array.from({ length: 20 }, (_, i) => ({ ...calling('current_date', {}), id: `c${i}` }))
  await scripted(t, node, [
    { text: '@check-schedule' },
    { calls: many },
    { calls: [calling('current_date', {})] },
    { text: 'It', cut: 'closed' }
  ])
  const run = await node.ask('What day?', {})
  t.match(run, { state: 'failed', truncations: ['Of 20 calls at once, 16 were made.'] })
  t.match(await node.replay(run.id), { same: true })

  await scripted(t, node, (_, number) =>
    number === 0 ? { text: '@check-schedule' } : { calls: [calling('current_date', {})] }
  )
  const endless = await node.ask('What day?', {})
  t.equal(endless.state, 'steps')
  t.match(await node.replay(endless.id), { same: true })
})
