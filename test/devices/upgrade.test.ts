import { join } from 'node:path'
import Autobase from 'autobase'
import t from 'tap'
import { encode } from '../../src/base/msgpack.js'
import { fromHex } from '../../src/keys/sodium.js'
import { openLogs, pathsOf, readSecrets } from '../../src/store/home.js'
import { OPS_VERSION } from '../../src/store/ops.js'
import { dhtFor, until } from '../scripts/person.js'
import { devices, firstDevice, folder, joinAt, met, type Device } from './devices.js'

const dht = await dhtFor(t)

/** What a Selkie of the future appends: this one must neither skip it nor take it for damage. */
const OF_THE_FUTURE = encode({ v: OPS_VERSION + 1, type: 'hologram', uid: 'ab'.repeat(16) })

/** Appends it on a device, which is closed by it and isn’t to be used any more. */
async function appendFuture(device: Device): Promise<void> {
  await device.close()
  const paths = pathsOf(device.home)
  const { place, base: key, encryption } = (await readSecrets(paths, async () => '')).epoch
  const logs = await openLogs(paths)
  const base = new Autobase(logs.namespace(`epoch/${place}`), fromHex(key), {
    encrypt: true,
    encryptionKey: fromHex(encryption),
    blindEncryption: {
      encrypt: async (value) => ({ type: 0, value }),
      decrypt: async () => ({ value: fromHex(encryption) })
    },
    fastForward: false,
    valueEncoding: 'binary',
    open: (views) => views.get('view'),
    apply: async () => {}
  })
  await base.ready()
  await base.append(OF_THE_FUTURE)
  await base.close()
  await logs.close()
}

t.test('a newer Selkie writes: the older stops there, says so, and goes on with what it has', async (t) => {
  const { all } = await devices(t, dht, 'Ana', 'laptop', 'desktop')
  const [laptop, desktop] = all
  const { device: bens } = await firstDevice(t, dht, 'Ben')
  await bens.offline()
  await laptop.node.addCard((await bens.node.card()).card)
  await bens.node.addCard((await laptop.node.card()).card)
  await laptop.node.create({ title: 'Plan', summary: 'x', body: 'Ask @fetch-file.' })
  await laptop.node.create({ title: 'Pack', summary: 'x', body: 'Lightly.' })
  const sent = await laptop.node.send('plan', 'Ben', {})
  await met(...all)
  await laptop.offline()
  await appendFuture(desktop)
  await desktop.online()
  await laptop.online()
  await until(async () =>
    laptop.node.setAdvertised('plan', true).then(
      () => false,
      () => true
    )
  )

  for (const restarted of [false, true]) {
    const said = restarted ? 'after a restart' : 'at once'
    if (restarted) await laptop.online()
    const { node } = laptop
    const steps: (() => Promise<unknown>)[] = [
      () => node.create({ title: 'New', summary: 'x', body: 'x' }),
      () => node.edit('plan', { body: 'x' }),
      () => node.rename('plan', 'new'),
      () => node.delete('pack'),
      () => node.verify('Ben', true),
      () => node.renameDevice('desktop', 'x')
    ]
    for (const step of steps)
      await t.rejects(step(), { code: 'E_UPGRADE', hint: /upgrade/i }, `${said}: it says to upgrade`)
    t.match(await node.show('plan'), { body: 'Ask @fetch-file.' }, `${said}: it reads on`)
    t.equal((await node.list()).filter(({ slug }) => slug === 'plan' || slug === 'pack').length, 2)
    t.match(await node.contacts(), [{ name: 'Ben' }])
    t.match(await node.outbox(), [{ id: sent.id }])
    t.match(await node.check(), { ok: true })
  }
  await desktop.close()

  // What was queued is delivered, and more may go the same way.
  await bens.online()
  await until(async () => (await bens.node.inbox()).some(({ id }) => id === sent.id))
  const more = await laptop.node.send('pack', 'Ben', {})
  await until(async () => (await bens.node.inbox()).some(({ id }) => id === more.id))
  const file = join(t.testdir(), 'plan')
  const sealed = await laptop.node.seal('plan', 'Ben', file, { note: 'By hand.' })
  await bens.node.receive(file)
  t.match(await bens.node.review(sealed.id), { root: 'plan' })

  // What comes from a contact stays with them.
  await bens.node.create({ title: 'Tie knot', summary: 'x', body: 'x' })
  const theirs = await bens.node.send('tie-knot', 'Ana', {})
  await until(async () => (await bens.node.outbox()).some(({ id, problem }) => id === theirs.id && problem))
  t.match(
    (await bens.node.outbox()).find(({ id }) => id === theirs.id),
    { problem: { code: /^E_/ } }
  )
  t.same(await laptop.node.inbox(), [])
})

t.test('a device that is behind removes nobody and takes nobody in', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'phone')
  const [laptop, desktop, phone] = all
  await phone.close()
  await appendFuture(desktop)
  await desktop.online()
  await until(async () =>
    laptop.node.setAdvertised('check-schedule', true).then(
      () => false,
      () => true
    )
  )
  await t.rejects(laptop.node.removeDevice('phone', words), { code: 'E_UPGRADE' })
  t.equal((await laptop.node.devices()).length, 3)
  const { invite } = await laptop.node.deviceInvite({ expiresInSeconds: 60 })
  await t.rejects(joinAt(dht, await folder(t), invite, 'tablet'), { code: 'E_UPGRADE' })
})

t.test('a device that stops the others by an entry of the future is removed, and they go on', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'phone')
  const [laptop, desktop, phone] = all
  await laptop.node.create({ title: 'Plan', summary: 'x', body: 'As it was.' })
  await met(...all)
  await phone.close()
  await appendFuture(phone)
  await phone.online()
  const isBehind = async ({ node }: Device): Promise<boolean> =>
    node.setAdvertised('check-schedule', true).then(
      () => false,
      () => true
    )
  await until(() => isBehind(laptop))
  await until(() => isBehind(desktop))

  await laptop.node.removeDevice('phone', words)
  await laptop.node.edit('plan', { body: 'It goes on.' })
  await until(async () => (await desktop.node.show('plan')).body === 'It goes on.')
  t.match(await desktop.node.check(), { ok: true })
  t.same((await desktop.node.devices()).map(({ name }) => name).toSorted(), ['desktop', 'laptop'])
})
