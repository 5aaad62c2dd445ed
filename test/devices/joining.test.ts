import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { MAX_DEVICES } from '../../src/base/limits.js'
import { callToJoin } from '../../src/devices/call.js'
import { decodeInvite } from '../../src/devices/invite.js'
import { attest } from '../../src/keys/identity.js'
import { joiningKeyFrom } from '../../src/keys/joining.js'
import { toHex } from '../../src/keys/sodium.js'
import { readCard } from '../../src/keys/card.js'
import { cardBytes } from '../../src/people/contacts.js'
import { hasHome } from '../../src/store/home.js'
import { openNode } from '../../src/node.js'
import { testDevice } from '../keys/people.js'
import { dhtFor, until } from '../scripts/person.js'
import { Device, devices, firstDevice, folder, joinAt, joined, make, met, settled } from './devices.js'

const dht = await dhtFor(t)

t.test('a device joins, has everything, and is seen by all under its name', async (t) => {
  const { device: laptop } = await firstDevice(t, dht, 'Ana')
  await laptop.node.create({ title: 'Plan', summary: 'How to plan.', body: 'Ask @fetch-file.' })
  const invite = await laptop.node.deviceInvite({ expiresInSeconds: 600 })
  const used = laptop.node.deviceInvited(invite.invite)
  const home = await folder(t)
  const desktop = new Device(t, dht, 'desktop', home)
  const { identity } = await laptop.node.status()
  t.match(await joinAt(dht, home, invite.invite, '  my\n desktop '), {
    name: 'Ana',
    identity,
    deviceName: 'my desktop',
    skills: 4
  })
  t.match(await used, { name: 'my desktop', current: false, refused: 0 })

  await desktop.online()
  await settled(laptop, desktop)
  t.match(await desktop.node.show('plan'), { body: 'Ask @fetch-file.' })
  t.match(await desktop.node.devices(), [
    { name: 'my desktop', current: true, online: true, seen: null },
    { name: 'laptop', current: false, online: true, seen: /^20/ }
  ])
  const { device } = await laptop.node.renameDevice('MY DESKTOP', 'desktop')
  await until(async () => (await desktop.node.devices())[0]?.name === 'desktop')
  t.match(await laptop.node.renameDevice(device.slice(0, 8), 'Tower'), { name: 'Tower' })
  await settled(laptop, desktop)

  await desktop.close()
  await until(async () => !(await laptop.node.devices())[1]!.online)
  t.match(await laptop.node.devices(), [{ name: 'laptop' }, { name: 'Tower', seen: /^20/ }])
  await t.rejects(laptop.node.renameDevice('Tower', ' '), { code: 'E_NAME' })
  await t.rejects(laptop.node.renameDevice('nobody', 'x'), { code: 'E_DEVICE_UNKNOWN' })
})

t.test('an invite is good for one device, and not for long', async (t) => {
  const { device: laptop } = await firstDevice(t, dht, 'Ana')
  const { invite } = await laptop.node.deviceInvite({ expiresInSeconds: 600 })
  const desktop = new Device(t, dht, 'desktop', await folder(t))
  await joinAt(dht, desktop.home, invite, 'desktop')
  const late = await folder(t)
  await t.rejects(joinAt(dht, late, invite, 'phone'), { code: 'E_INVITE_USED' })
  t.equal(await hasHome(late), false)
  await t.rejects(joinAt(dht, desktop.home, invite, 'phone'), { code: 'E_HOME_EXISTS' })

  const short = await laptop.node.deviceInvite({ expiresInSeconds: 1 })
  await t.rejects(laptop.node.deviceInvited(short.invite), { code: 'E_INVITE_EXPIRED' })
  await t.rejects(laptop.node.deviceInvited(short.invite), { code: 'E_INVITE_UNKNOWN' })
  // The invite says itself when it ends, in whole seconds.
  await until(async () => Date.now() > Date.parse(short.expires))
  await t.rejects(joinAt(dht, late, short.invite, 'phone'), { code: 'E_INVITE_EXPIRED' })
  t.equal((await laptop.node.devices()).length, 2)
})

t.test('an invite of another kind, one that was mistyped, a home that is someone’s', async (t) => {
  const { device: laptop } = await firstDevice(t, dht, 'Ana')
  const { device: bens } = await firstDevice(t, dht, 'Ben')
  const contact = await laptop.node.invite({ expiresInSeconds: 60 })
  const device = await laptop.node.deviceInvite({ expiresInSeconds: 60 })
  const home = await folder(t)
  await t.rejects(joinAt(dht, home, contact.invite, 'phone'), { code: 'E_INVITE_CONTACT' })
  await t.rejects(bens.node.pair(device.invite), { code: 'E_INVITE_DEVICE' })
  const mistyped = device.invite.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
  await t.rejects(joinAt(dht, home, mistyped, 'phone'), { code: 'E_INVITE_FORM' })
  await t.rejects(joinAt(dht, home, device.invite, ' '), { code: 'E_NAME' })
  await t.rejects(joinAt(dht, bens.home, device.invite, 'phone'), { code: 'E_HOME_EXISTS' })
  await writeFile(join(home, 'letter.txt'), 'Dear')
  await t.rejects(joinAt(dht, home, device.invite, 'phone'), { code: 'E_HOME_FOREIGN' })
  t.same(await readdir(home), ['letter.txt'])

  await laptop.offline()
  await t.rejects(laptop.node.deviceInvite({ expiresInSeconds: 60 }), { code: 'E_OFFLINE' })
})

t.test('nobody is where the invite leads', async (t) => {
  const { device: laptop } = await firstDevice(t, dht, 'Ana')
  const invite = decodeInvite((await laptop.node.deviceInvite({ expiresInSeconds: 600 })).invite)
  await laptop.close()
  const calling = callToJoin({
    bootstrap: [dht],
    key: joiningKeyFrom(invite.seed),
    to: { device: invite.device },
    device: testDevice(1),
    name: 'phone',
    patience: 300
  })
  await t.rejects(calling, { code: 'E_JOIN_UNREACHED' })
})

t.test('through a device that isn’t the first, and one that nobody else has heard of yet', async (t) => {
  const { device: laptop } = await firstDevice(t, dht, 'Ana')
  const desktop = await joined(t, dht, laptop, 'desktop')
  await laptop.close()
  await desktop.online()
  const server = await joined(t, dht, desktop, 'Desktop')
  await desktop.close()
  await server.online()
  const phone = await joined(t, dht, server, 'phone')
  const names = (await server.node.devices()).map(({ name }) => name)
  t.same(names.toSorted(), ['Desktop 2', 'desktop', 'laptop', 'phone'])
  t.match(await server.node.devices(), [{ name: 'Desktop 2', current: true }])
  // The first one knows neither, and meets the last one by way of the second.
  for (const device of [phone, desktop, laptop]) await device.online()
  await settled(laptop, desktop, server, phone)
})

t.test('a device joins on one side, and is renamed again and again on the other', async (t) => {
  const { all } = await devices(t, dht, 'Ana', 'laptop', 'desktop')
  const [laptop, desktop] = all
  await desktop.offline()
  const tablet = await joined(t, dht, laptop, 'tablet')
  await tablet.online()
  await met(laptop, tablet)
  for (const name of ['one', 'two', 'three', 'desktop'])
    await desktop.node.renameDevice(await desktop.key(), name)
  await desktop.online()
  await t.resolves(settled(laptop, desktop, tablet))
  const { card } = readCard(cardBytes((await tablet.node.card()).card))
  t.same(card.devices.map(({ name }) => name).toSorted(), ['desktop', 'laptop', 'tablet'])
})

t.test('sixteen devices are the most', async (t) => {
  const { device: laptop } = await firstDevice(t, dht, 'Ana')
  await laptop.under(async ({ attestor, store }) => {
    for (let n = 1; n < MAX_DEVICES; n++) {
      const device = testDevice(n)
      const sealing = toHex(device.sealing.publicKey)
      const attestation = attest(attestor, device)
      await store.append({ type: 'device', name: `device ${n}`, sealing, attestation, time: 1 })
    }
  })
  await laptop.online()
  t.equal((await laptop.node.devices()).length, 16)
  const { invite } = await laptop.node.deviceInvite({ expiresInSeconds: 600 })
  const home = await folder(t)
  await t.rejects(joinAt(dht, home, invite, 'phone'), { code: 'E_LIMIT_DEVICES' })
  t.equal(await hasHome(home), false)
  t.equal((await laptop.node.devices()).length, 16)
})

t.test('a joined home under a passphrase', async (t) => {
  const { device: laptop } = await firstDevice(t, dht, 'Ana')
  const desktop = await joined(t, dht, laptop, 'desktop', 'correct horse')
  const open = openNode({ home: desktop.home, passphrase: async () => 'wrong horse' })
  await t.rejects(open, { code: 'E_PASSPHRASE' })
  await desktop.online()
  await settled(laptop, desktop)
})

t.test('contacts see the new device, those who are there at once and the others later', async (t) => {
  const { device: laptop } = await firstDevice(t, dht, 'Ana')
  const { device: bens } = await firstDevice(t, dht, 'Ben')
  const { device: claras } = await firstDevice(t, dht, 'Clara')
  for (const theirs of [bens, claras]) {
    await theirs.offline()
    await theirs.node.addCard((await laptop.node.card()).card)
    await laptop.node.addCard((await theirs.node.card()).card)
  }
  await bens.online()
  await until(async () => (await laptop.node.contact('Ben')).online)
  const desktop = await joined(t, dht, laptop, 'desktop')
  const known = async (of: Device): Promise<string[]> =>
    (await of.node.contact('Ana')).devices.map(({ name }) => name).toSorted()
  await until(async () => (await known(bens)).length === 2)
  t.same(await known(bens), ['desktop', 'laptop'])
  await desktop.online()
  await settled(laptop, desktop)
  t.same(
    (await desktop.node.contacts()).map(({ name }) => name),
    ['Ben', 'Clara']
  )

  // Clara was away when it joined; what she seals from now on opens on both.
  t.same(await known(claras), ['laptop'])
  await claras.node.addCard((await desktop.node.card()).card)
  t.same(await known(claras), ['desktop', 'laptop'])
  await make(claras, 'Tie knot', 'Over, under, through.')
  const file = join(t.testdir(), 'knot')
  const { id } = await claras.node.seal('tie-knot', 'Ana', file, {})
  for (const device of [laptop, desktop]) {
    await device.offline()
    await device.node.receive(file)
    t.match(await device.node.review(id), { root: 'tie-knot' }, `it opens on the ${device.name}`)
  }

  // She meets nobody but the new device, and it lets her in.
  await laptop.close()
  await desktop.online()
  await claras.online()
  await until(async () => (await desktop.node.contact('Clara')).online)
})
