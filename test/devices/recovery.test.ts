import { join } from 'node:path'
import t from 'tap'
import { dhtFor, until } from '../scripts/person.js'
import { devices, firstDevice, folder, make, met, recoverAt, recovered, settled, slugs } from './devices.js'

const dht = await dhtFor(t)
/** Milliseconds until nobody counts as there. */
const IMPATIENT = 300

t.test('with one device there, everything comes back', async (t) => {
  const { device: laptop, words } = await firstDevice(t, dht, 'Ana')
  const { device: bens } = await firstDevice(t, dht, 'Ben')
  await bens.offline()
  await laptop.node.addCard((await bens.node.card()).card)
  await bens.node.addCard((await laptop.node.card()).card)
  await make(laptop, 'Plan', 'Well.')
  const { identity } = await laptop.node.status()
  const desktop = await recovered(t, dht, `  ${words.toUpperCase()}\n`, { deviceName: 'desktop' })
  t.match(desktop.recovered, { reached: true, name: 'Ana', identity, deviceName: 'desktop', skills: 4 })
  await desktop.online()
  await settled(laptop, desktop)
  t.ok((await slugs(desktop)).includes('plan'))
  t.match(await desktop.node.contacts(), [{ name: 'Ben' }])
  // The other is lost for good now; with the words it is removed.
  await laptop.close()
  await desktop.node.removeDevice('laptop', words)
  await bens.node.addCard((await desktop.node.card()).card)
  t.match(await bens.node.contact('Ana'), { devices: [{ name: 'desktop' }] })
})

t.test('with no device there, the identity comes back in a new life', async (t) => {
  const { device: laptop, words } = await firstDevice(t, dht, 'Ana')
  const { device: bens } = await firstDevice(t, dht, 'Ben')
  await bens.offline()
  await bens.node.addCard((await laptop.node.card()).card)
  await bens.node.verify('Ana', true)
  const before = (await laptop.node.card()).card
  await make(laptop, 'Plan', 'Well.')
  const { identity, device: lost } = await laptop.node.status()
  await laptop.close()

  const home = await folder(t)
  await t.rejects(recoverAt(dht, home, `${words} x`, { deviceName: 'x' }), { code: 'E_WORDS' })
  await t.rejects(recoverAt(dht, laptop.home, words, { deviceName: 'x' }), { code: 'E_HOME_EXISTS' })
  await t.rejects(recoverAt(dht, home, words, { deviceName: 'x', patience: IMPATIENT }), {
    code: 'E_RECOVER_UNREACHED'
  })
  const desktop = await recovered(t, dht, words, { name: 'Anna', deviceName: 'desktop', patience: IMPATIENT })
  t.match(desktop.recovered, { reached: false, name: 'Anna', identity, deviceName: 'desktop', skills: 3 })
  await desktop.online()
  t.notOk((await slugs(desktop)).includes('plan'))

  await bens.node.addCard((await desktop.node.card()).card)
  t.match(await bens.node.contacts(), [
    { name: 'Ana', identity, verified: true, devices: [{ name: 'desktop' }] }
  ])
  await t.rejects(bens.node.addCard(before), { code: 'E_CARD_OLD' }, 'the life before is over')
  await make(bens, 'Tie knot', 'Well.')
  await desktop.node.addCard((await bens.node.card()).card)
  const file = join(t.testdir(), 'knot')
  const { id } = await bens.node.seal('tie-knot', 'Ana', file, {})
  await desktop.node.receive(file)
  t.match(await desktop.node.review(id), { root: 'tie-knot' })

  // The one that was lost turns up. It is nobody’s any more, and the next machine doesn’t join it.
  await laptop.online()
  await make(laptop, 'Late', 'Well.')
  await t.rejects(laptop.node.receive(file), { code: /^E_/ })
  const phone = await recovered(t, dht, words, { deviceName: 'phone' })
  t.match(phone.recovered, { reached: true, name: 'Anna' })
  await phone.online()
  await settled(desktop, phone)
  t.notOk((await slugs(phone)).includes('late'))
  t.notOk((await phone.node.devices()).some(({ device }) => device === lost))
})

t.test('a removed device that still runs doesn’t win over one that remains', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'phone')
  const [laptop, phone] = all
  await laptop.node.removeDevice('phone', words)
  await make(laptop, 'Secret', 'Well.')
  await make(phone, 'Late', 'Well.')
  const desktop = await recovered(t, dht, words, { deviceName: 'desktop' })
  await desktop.online()
  await settled(laptop, desktop)
  t.ok((await slugs(desktop)).includes('secret'))
  t.notOk((await slugs(desktop)).includes('late'))
  t.same((await desktop.node.devices()).map(({ name }) => name).toSorted(), ['desktop', 'laptop'])
})

t.test('recovered through a device that isn’t the first, while that one is away', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop')
  const [laptop, desktop] = all
  await laptop.offline()
  await make(laptop, 'Made meanwhile', 'Well.')
  const phone = await recovered(t, dht, words, { deviceName: 'phone' })
  await phone.online()
  await met(desktop, phone)
  await laptop.online()
  await settled(laptop, desktop, phone)
  t.ok((await slugs(phone)).includes('made-meanwhile'))
  await until(async () => (await laptop.node.devices()).length === 3)
})
