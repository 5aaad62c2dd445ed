import t from 'tap'
import { dhtFor, until } from '../scripts/person.js'
import { writeSkills } from '../scripts/skills.js'
import { devices, firstDevice, laterEpoch, make, met, names, only, slugs, type Device } from './devices.js'

const dht = await dhtFor(t)

async function goOffline(...those: readonly Device[]): Promise<void> {
  for (const device of those) await device.offline()
}

async function goOnline(...those: readonly Device[]): Promise<void> {
  for (const device of those) await device.online()
}

t.test('offline for two removals', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'tablet', 'phone')
  const [laptop, desktop, tablet] = all
  await goOffline(...all)
  await make(desktop, 'From desktop', 'Kept.')
  await laptop.node.removeDevice('phone', words)
  await make(laptop, 'Between', 'Kept too.')
  await goOnline(laptop, tablet)
  await until(async () => (await names(tablet)).length === 3)
  await make(tablet, 'From tablet', 'Written before it was removed.')
  await met(laptop, tablet)
  await laptop.node.removeDevice('tablet', words)
  await desktop.online()
  await only(laptop, desktop)
  for (const slug of ['from-desktop', 'between', 'from-tablet'])
    t.ok((await slugs(desktop)).includes(slug), slug)
})

t.test('two removals made apart end in one epoch, with both out', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'tablet', 'phone')
  const [laptop, desktop, tablet, phone] = all
  await make(laptop, 'Plan', 'As it was.')
  await met(...all)
  await goOffline(...all)
  await laptop.node.removeDevice('phone', words)
  await make(laptop, 'Same name', 'By the laptop.')
  await laptop.node.edit('plan', { body: 'By the laptop.' })
  await desktop.node.removeDevice('tablet', words)
  await make(desktop, 'Same name', 'By the desktop.')
  await desktop.node.edit('plan', { body: 'By the desktop.' })
  await make(tablet, 'Late', 'Too late.')
  await make(phone, 'Late', 'Too late.')
  await goOnline(laptop, desktop)
  await only(laptop, desktop)
  t.match(await laptop.node.conflicts(), [{ slug: 'plan' }])
  const here = await slugs(laptop)
  t.ok(here.includes('same-name') && here.includes('same-name-2') && !here.includes('late'))
  await goOnline(tablet, phone)
  await make(laptop, 'After', 'All of it.')
  await only(laptop, desktop)
  t.notOk((await slugs(tablet)).includes('after') || (await slugs(phone)).includes('after'))

  const [one, other] = [await laterEpoch(laptop), await laterEpoch(desktop)]
  t.equal(one!.base, other!.base)
  t.same(one!.record.succession.removed.length, 2)
})

t.test('two removals made apart: what each did before its own counts, too', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'tablet', 'phone')
  const [laptop, desktop, tablet, phone] = all
  const folder = await writeSkills(t.testdir(), [{ name: 'show-film', body: 'Look.', files: { a: 1000 } }])
  const { device: bens } = await firstDevice(t, dht, 'Ben')
  await bens.node.addCard((await laptop.node.card()).card)
  await laptop.node.addCard((await bens.node.card()).card)
  for (const { name } of [laptop, desktop])
    for (const what of ['Edit', 'Rename', 'Delete', 'Switch', 'Publish'])
      await make(laptop, `${what} by ${name}`, 'First.')
  await met(...all)
  await tablet.close()
  await phone.close()
  await goOffline(laptop, desktop)
  for (const [device, gone] of [
    [laptop, 'phone'],
    [desktop, 'tablet']
  ] as const) {
    const { node, name } = device
    const { version } = await node.edit(`edit-by-${name}`, { body: 'Second.' })
    await node.publish(`publish-by-${name}`)
    await node.edit(`publish-by-${name}`, { body: `Second, after ${version.slice(0, 4)}.` })
    await node.rename(`rename-by-${name}`, `renamed-by-${name}`)
    await node.delete(`delete-by-${name}`)
    await node.setEnabled(`switch-by-${name}`, false)
    await make(device, `Made by ${name}`, `With @renamed-by-${name}.`)
    if (device === laptop) {
      await node.importFolders([folder])
      await node.verify('Ben', true)
    }
    await node.removeDevice(gone, words)
  }
  await goOnline(laptop, desktop)
  await only(laptop, desktop)
  t.same(await laptop.node.conflicts(), [], 'nothing was edited twice')
  const here = await slugs(laptop)
  for (const name of ['laptop', 'desktop']) {
    t.match(await laptop.node.show(`edit-by-${name}`), { body: 'Second.', diverged: [], versions: 2 })
    t.ok(here.includes(`renamed-by-${name}`), `renamed on the ${name}`)
    t.notOk(here.includes(`delete-by-${name}`), `deleted on the ${name}`)
    t.match(await laptop.node.show(`switch-by-${name}`), { enabled: false })
    t.match(await laptop.node.show(`made-by-${name}`), { body: `With @renamed-by-${name}.` })
    const log = await laptop.node.log(`publish-by-${name}`)
    t.match(
      log.map(({ published }) => published),
      [false, true]
    )
  }
  t.match(await laptop.node.show('show-film'), { files: [{ path: 'a' }] })
  t.match(await laptop.node.contact('Ben'), { verified: true })
})

t.test('the same device removed on two apart', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'phone')
  const [laptop, desktop] = all
  await goOffline(...all)
  for (const device of [laptop, desktop]) {
    await device.node.removeDevice('phone', words)
    await make(device, `After, by ${device.name}`, 'Kept.')
  }
  await goOnline(laptop, desktop)
  await only(laptop, desktop)
  for (const slug of ['after-by-laptop', 'after-by-desktop']) t.ok((await slugs(laptop)).includes(slug), slug)
})

t.test(
  'two removals on one side, one on the other: whoever knows either card takes the one of both',
  async (t) => {
    const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'tablet', 'phone', 'watch')
    const [laptop, desktop, tablet, phone, watch] = all
    const { device: bens } = await firstDevice(t, dht, 'Ben')
    const { device: claras } = await firstDevice(t, dht, 'Clara')
    for (const { node } of [bens, claras]) {
      await node.addCard((await laptop.node.card()).card)
      await laptop.node.addCard((await node.card()).card)
    }
    await met(...all)
    await goOffline(...all)
    await laptop.node.removeDevice('phone', words)
    await laptop.node.removeDevice('watch', words)
    await desktop.node.removeDevice('tablet', words)
    await bens.node.addCard((await laptop.node.card()).card)
    await claras.node.addCard((await desktop.node.card()).card)
    for (const device of [tablet, phone, watch]) await device.close()
    await goOnline(laptop, desktop)
    await only(laptop, desktop)
    for (const theirs of [bens, claras]) {
      await theirs.node.addCard((await laptop.node.card()).card)
      const known = (await theirs.node.contact('Ana')).devices.map(({ name }) => name)
      t.same(known.toSorted(), ['desktop', 'laptop'])
    }
  }
)
