import t from 'tap'
import type { Delivery, NodeApi, Status } from '../../src/api.js'
import { serve } from '../../src/attach/server.js'
import { renderDeviceInvite } from '../../src/cli/verbs/device-invite.js'
import { renderAgain } from '../../src/cli/verbs/send.js'
import { renderStatus } from '../../src/cli/verbs/status.js'
import { fakeNode, shortHome } from '../attach/fake-node.js'
import { homeWith, selkie } from './command.js'

t.test('`verify` without a terminal never showed the words that it wants compared', async (t) => {
  const anna = { name: 'Anna Bo', identity: 'ab', verified: false, devices: [], online: false }
  const home = await homeWith(t, { contact: async () => ({ ...anna, safetyWords: 'one two' }) })
  const { status, stdout, stderr } = await selkie(home, ['verify', 'Anna Bo'])
  t.same({ status, stdout }, { status: 1, stdout: '' })
  t.match(stderr, /Yours: one two\.\n[^]*`selkie verify 'Anna Bo' --yes`\. \(E_ASK_ALIKE\)/)
  const json = await selkie(home, ['verify', 'Anna Bo', '--json'])
  t.match(JSON.parse(json.stdout), { error: { code: 'E_ASK_ALIKE', message: /one two/ } })
})

t.test('`init --passphrase` without a terminal spoke of a home that isn’t there', async (t) => {
  const home = await shortHome(t)
  for (const argv of [
    ['init', '--passphrase'],
    ['device', 'join', 'come-in', '--passphrase']
  ]) {
    const { status, stderr } = await selkie(home, argv)
    t.equal(status, 1)
    t.match(stderr, /`--passphrase-file FILE`[^]*E_ASK\)/)
    t.notMatch(stderr, 'This home')
  }
})

t.test('a sealed file that was declined before was said to wait in the inbox', async (t) => {
  let state: Delivery['state'] = 'declined'
  const came = { id: 'ab12', contact: 'Anna', root: 'a', bytes: 1, time: '2026-03-01T12:00:00Z' }
  const home = await homeWith(t, { receive: async () => ({ ...came, state }) })
  const declined = await selkie(home, ['receive', 'F'])
  t.match(declined, { status: 0, stdout: /declined[^]*ask Anna/ })
  t.notMatch(declined.stdout, /inbox|selkie review/)
  state = 'imported'
  t.notMatch((await selkie(home, ['receive', 'F'])).stdout, /inbox|selkie review/)
  state = 'waiting'
  t.match((await selkie(home, ['receive', 'F'])).stdout, 'selkie review ab12')
})

t.test('who waits for an invite was not told that the node took it along', async (t) => {
  const home = await shortHome(t)
  let stop = (): void => {}
  const asked = new Promise<void>((resolve) => (stop = resolve))
  const node = fakeNode({
    status: async () => ({ online: true }) as Awaited<ReturnType<NodeApi['status']>>,
    invite: async () => ({ invite: 'come-in', expires: '2026-03-01T12:00:00Z' }),
    invited: () => {
      stop()
      return new Promise(() => {})
    }
  })
  const server = await serve(node, home)
  const waiting = selkie(home, ['invite'])
  await asked
  await server.close(true)
  const { status, stdout, stderr } = await waiting
  t.equal(status, 1)
  t.match(stdout, 'ends earlier if this node stops')
  t.match(stderr, 'E_INVITE_ENDED')
})

t.test('an invite didn’t say that it ends with its node', (t) => {
  const text = renderDeviceInvite({ invite: 'come-in', expires: '2026-03-01T12:00:00Z' })
  t.match(text, 'ends earlier if this node stops or starts anew')
  t.end()
})

t.test('what was sent before was to be sealed by a command that lacked who and what', (t) => {
  const sent = {
    id: 'ab',
    state: 'imported',
    contact: 'Anna Bo',
    root: 'a',
    bytes: 1,
    skills: ['a'],
    tools: []
  } as const
  t.match(renderAgain({ ...sent, skills: ['a'], tools: [] }), "`selkie seal @a --to 'Anna Bo' --out FILE`")
  t.end()
})

t.test('`status` said “connected” where nothing answered', (t) => {
  const status: Status = {
    name: 'Ada',
    identity: 'ab',
    device: 'cd',
    home: '/home',
    online: true,
    skills: 1,
    contacts: 2,
    connected: [],
    outbox: { waiting: 0 },
    inbox: { waiting: 0, bytes: 0 }
  }
  t.match(renderStatus(status), /^network +up; no contact is reached at the moment$/m)
  t.match(renderStatus({ ...status, connected: ['Bo'] }), /^network +up, and 1 contact reached$/m)
  t.match(renderStatus({ ...status, online: false }), /^network +down; `selkie up`/m)
  t.end()
})
