import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Listed } from '../../src/api.js'
import { serve } from '../../src/attach/server.js'
import { renderDeleted, renderList } from '../../src/cli/verbs/list.js'
import { PLAN_TRIP } from '../attach/fake-node.js'
import { home } from '../editing/home.js'

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))

t.test('what was deleted could be brought back, and no verb said what there was', async (t) => {
  const { folder, node } = await home(t, 'Ana')
  const server = await serve(node, folder)
  t.teardown(() => server.close())
  const selkie = async (...argv: string[]): Promise<string> => {
    const child = spawn(process.execPath, [MAIN, ...argv], { env: { ...process.env, SELKIE_HOME: folder } })
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')])
    return said
  }
  t.equal(await selkie('list', '--deleted'), 'No skill is deleted.\n')
  t.equal(await selkie('list', '--deleted', '--json'), '[]\n')
  await node.create({ title: 'Plan a trip', summary: 'How to.', body: 'By @current-date.' })
  await node.setAdvertised('plan-a-trip', true)
  const [before] = (await node.list()).filter(({ slug }) => slug === 'plan-a-trip')
  await node.delete('plan-a-trip')
  t.match(
    await selkie('list', '--deleted'),
    /^@plan-a-trip {2}[0-9a-f]{8} {2}1 version {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}Plan a trip\n\n`selkie restore @slug` brings one back, with all its versions\.\n$/
  )
  const [deleted] = await node.list({ deleted: true })
  t.same({ ...deleted, time: undefined }, { ...before, time: undefined }, 'as it was')
  t.same(JSON.parse(await selkie('list', '--deleted', '--json')), [deleted])
  t.notMatch(await selkie('list'), 'plan-a-trip')
  await selkie('restore', '@plan-a-trip')
  t.equal(await selkie('list', '--deleted'), 'No skill is deleted.\n')
  const listed = JSON.parse(await selkie('list', '--json')) as Listed[]
  t.same(
    listed.find(({ slug }) => slug === 'plan-a-trip'),
    before
  )
})

t.test('a title passed for another row of the list', (t) => {
  const forged = { ...PLAN_TRIP, title: 'x\n@forged  y' }
  for (const rendered of [renderList([forged]), renderDeleted([forged])]) t.notMatch(rendered, /^@forged/m)
  t.match(renderList([]), 'selkie new')
  t.end()
})
