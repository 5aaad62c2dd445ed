import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { home } from '../editing/home.js'
import { calling, callsOf, scripted } from './scripted.js'

t.test('a run comes out alike, whatever its skills are called and say by now', async (t) => {
  const { node } = await home(t, 'Ada')
  await scripted(t, node, [
    { text: '@check-schedule' },
    { calls: [calling('current_date', {}, 'check-schedule'), { id: 'b', name: 'odd', args: 'not JSON' }] },
    { text: 'Nothing is planned.' }
  ])
  const run = await node.ask('What is planned?', {})
  await node.rename('check-schedule', 'what-is-on')
  await node.edit('what-is-on', { body: 'Nothing to do.' })
  await node.setAdvertised('what-is-on', false)
  const again = await node.replay(run.id)
  t.same(again, {
    id: run.id,
    same: true,
    differences: [],
    calls: callsOf(run).map(({ tool, args, outcome }) => ({ tool, args, outcome }))
  })
  t.equal((await node.runs({})).length, 1, 'a replay is no run')

  const full = await node.run(run.id, { full: true })
  t.match(full.skills, [{ slug: 'check-schedule', body: /Run @current-date first/ }])
  t.equal((await node.run(run.id, {})).skills[0]!.body, undefined)
})

t.test('what would come out otherwise now is said', async (t) => {
  const { node } = await home(t, 'Ada')
  const granted = await realpath(await mkdtemp(join(tmpdir(), 'selkie-granted-')))
  t.teardown(() => rm(granted, { recursive: true }))
  await writeFile(join(granted, 'invoice.txt'), 'x')
  await node.grant('files', granted)
  await scripted(t, node, [
    { text: '@search-info' },
    { calls: [calling('find_file', { query: 'invoice' })] },
    { text: 'There.' }
  ])
  const run = await node.ask('The invoice?', {})
  t.equal((await node.replay(run.id)).same, true)
  await node.revoke('files', granted)
  t.match(await node.replay(run.id), { same: false, differences: [/^Call 1: .*ran then, .*denied now/] })
  await node.setEnabled('search-info', false)
  const { differences } = await node.replay(run.id)
  t.match(differences.join('\n'), /^Bound tools: /)
  t.match(differences.join('\n'), /@search-info, version [0-9a-f]{12}, can’t be used now/)
})
