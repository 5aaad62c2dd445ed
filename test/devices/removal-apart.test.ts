import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { dhtFor, until } from '../scripts/person.js'
import { writeSkills } from '../scripts/skills.js'
import {
  devices,
  firstDevice,
  joined,
  make,
  met,
  names,
  only,
  settled,
  slugs,
  whole,
  type Device
} from './devices.js'

const dht = await dhtFor(t)

async function goOffline(...those: readonly Device[]): Promise<void> {
  for (const device of those) await device.offline()
}

async function goOnline(...those: readonly Device[]): Promise<void> {
  for (const device of those) await device.online()
}

t.test(
  'written by the removed device afterwards, and met by one that hasn’t heard: it doesn’t count',
  async (t) => {
    const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'phone')
    const [laptop, desktop, phone] = all
    await make(laptop, 'Plan', 'As it was.')
    await met(...all)
    await goOffline(...all)
    await laptop.node.removeDevice('phone', words)
    await laptop.close()
    await make(phone, 'Late', 'Too late.')
    await phone.node.edit('plan', { body: 'Too late.' })
    await phone.node.rename('plan', 'late-plan')
    await goOnline(desktop, phone)
    await met(desktop, phone)
    t.ok((await slugs(desktop)).includes('late'), 'who hasn’t heard takes it for one of theirs')

    await laptop.online()
    await only(laptop, desktop)
    t.match(await laptop.node.show('plan'), { body: 'As it was.', versions: 1 })
    t.notOk((await slugs(desktop)).some((slug) => slug.startsWith('late')))
    await until(async () => (await phone.node.devices()).every(({ online, current }) => current || !online))
  }
)

t.test('one that was offline follows by itself, with all that it has made meanwhile', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'phone')
  const [laptop, desktop, phone] = all
  await make(laptop, 'Plan', 'As it was.')
  await make(laptop, 'Old', 'Unused.')
  await met(...all)
  await goOffline(...all)
  const folder = await writeSkills(t.testdir(), [
    { name: 'show-film', body: 'Look.', files: { 'film.bin': 100_000 } },
    { name: 'play-music', body: 'Listen.', files: { 'music.bin': 100_000 } }
  ])
  await phone.node.importFolders([join(folder, 'show-film')])
  await make(phone, 'Late', 'Mentions @plan.')
  await make(phone, 'Later', 'Mentions @late.')
  await make(phone, 'Unmentioned', 'Nobody asks for it.')
  await goOnline(desktop, phone)
  await met(desktop, phone)
  await whole(desktop)
  await goOffline(desktop, phone)

  await desktop.node.edit('plan', { body: 'By the desktop.' })
  await make(desktop, 'Own', 'Asks for @later and @show-film.')
  await desktop.node.importFolders([join(folder, 'play-music')])
  await desktop.node.rename('own', 'mine')
  await desktop.node.setAdvertised('mine', true)
  await desktop.node.delete('old')
  await desktop.node.edit('show-film', { summary: 'How to look.' })

  await laptop.node.removeDevice('phone', words)
  await laptop.node.edit('plan', { body: 'By the laptop.' })
  await goOnline(laptop, desktop)
  await only(laptop, desktop)
  const here = await slugs(laptop)
  for (const slug of ['mine', 'later', 'late', 'show-film', 'play-music'])
    t.ok(here.includes(slug), `${slug} is there`)
  t.notOk(here.includes('old'))
  t.notOk(here.includes('unmentioned'), 'what nobody mentions stays behind')
  t.match(await laptop.node.show('mine'), { body: 'Asks for @later and @show-film.', advertised: true })
  t.match(await laptop.node.show('show-film'), { summary: 'How to look.' })
  t.match(await laptop.node.conflicts(), [{ slug: 'plan' }])

  const out = join(t.testdir(), 'out')
  await laptop.node.exportFolders(['show-film', 'play-music'], out, { closure: false })
  for (const file of ['show-film/film.bin', 'play-music/music.bin'])
    t.ok((await readFile(join(out, file))).length === 100_000, `${file} has come`)
})

t.test('edits of what only another remaining device has said are not lost', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'tablet', 'phone')
  const [laptop, desktop, tablet] = all
  const { device: bens } = await firstDevice(t, dht, 'Ben')
  await bens.node.addCard((await laptop.node.card()).card)
  const folder = t.testdir()
  await make(bens, 'Tie knot', 'Over, under, through.')
  await make(bens, 'Moor boat', 'Aside.')
  const [knot, boat] = [join(folder, 'knot'), join(folder, 'boat')]
  const accepted = await bens.node.seal('tie-knot', 'Ana', knot, {})
  const declined = await bens.node.seal('moor-boat', 'Ana', boat, {})
  await goOffline(...all)
  await tablet.node.addCard((await bens.node.card()).card)
  for (const file of [knot, boat]) await tablet.node.receive(file)
  await make(tablet, 'Rename me', 'One.')
  await make(tablet, 'Delete me', 'Two.')
  await goOnline(desktop, tablet)
  await met(desktop, tablet)
  // The bytes of the bundles come by themselves.
  await until(async () =>
    desktop.node.review(accepted.id).then(
      () => true,
      () => false
    )
  )
  await goOffline(desktop, tablet)
  await desktop.node.verify('Ben', true)
  await desktop.node.accept(accepted.id, {})
  await desktop.node.decline(declined.id)
  await desktop.node.rename('rename-me', 'renamed')
  await desktop.node.delete('delete-me')

  await laptop.node.removeDevice('phone', words)
  await tablet.close()
  await goOnline(laptop, desktop)
  await until(async () => (await names(desktop)).length === 3)
  await met(laptop, desktop)
  await tablet.online()
  await only(laptop, desktop, tablet)
  const here = await slugs(laptop)
  t.ok(here.includes('tie-knot'), 'what was approved is there')
  t.ok(here.includes('renamed'), 'what was renamed has its new name')
  t.notOk(here.includes('delete-me'), 'what was deleted is gone')
  t.match(await laptop.node.contact('Ben'), { verified: true })
  t.equal((await tablet.node.inbox()).find(({ id }) => id === declined.id)?.state, 'declined')
  t.equal((await tablet.node.inbox()).find(({ id }) => id === accepted.id)?.state, 'imported')
})

t.test('an edit over one that only another remaining device has said', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'tablet', 'phone')
  const [laptop, desktop, tablet] = all
  const folder = await writeSkills(t.testdir(), [{ name: 'show-film', body: 'Look.', files: { a: 1000 } }])
  await make(laptop, 'Plan', 'First.')
  await make(laptop, 'Trip', 'First.')
  await met(...all)
  await goOffline(...all)
  await tablet.node.edit('plan', { body: 'Second, by the tablet.' })
  await tablet.node.edit('trip', { body: 'Second, by the tablet.' })
  await tablet.node.importFolders([folder])
  await make(tablet, 'Pack', 'Lightly.')
  await goOnline(desktop, tablet)
  await met(desktop, tablet)
  await whole(desktop)
  await goOffline(desktop, tablet)
  await desktop.node.edit('plan', { body: 'Third, by the desktop, with @pack.' })
  await desktop.node.edit('trip', { body: 'Third, by the desktop.' })
  await desktop.node.edit('show-film', { body: 'Look well.' })
  await desktop.node.publish('trip', (await desktop.node.log('trip'))[1]!.version)
  await laptop.node.removeDevice('phone', words)
  await laptop.node.edit('trip', { body: 'By the laptop.' })
  await tablet.close()
  await goOnline(laptop, desktop)
  await until(async () => (await names(desktop)).length === 3)
  await settled(laptop, desktop)
  t.match(await laptop.node.show('plan'), { body: 'Third, by the desktop, with @pack.', diverged: [] })
  await tablet.online()
  await only(laptop, desktop, tablet)
  t.match(await laptop.node.show('plan'), { body: /^Third/, diverged: [], versions: 3 })
  t.match(await laptop.node.show('show-film'), { body: 'Look well.', diverged: [], versions: 2 })
  t.match(await laptop.node.conflicts(), [{ slug: 'trip', beside: [{}] }])
  const log = await tablet.node.log('trip')
  t.equal(log.length, 4)
  t.match(
    log.filter(({ published }) => published),
    [{ title: 'Trip' }]
  )
})

t.test('what was carried over once isn’t said again at the next removal', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'tablet', 'phone')
  const [laptop, desktop, tablet, phone] = all
  await make(laptop, 'Plan', 'As it was.')
  await make(laptop, 'Pack', 'As it was.')
  await met(...all)
  for (const device of [tablet, phone]) await device.close()
  await goOffline(laptop, desktop)
  await desktop.node.rename('plan', 'plan-by-desktop')
  await desktop.node.setEnabled('pack', false)
  await laptop.node.removeDevice('phone', words)
  await goOnline(laptop, desktop)
  await until(async () => (await names(desktop)).length === 3)
  await met(laptop, desktop)
  await laptop.node.rename('plan-by-desktop', 'plan-by-laptop')
  await laptop.node.setEnabled('pack', true)
  await met(laptop, desktop)
  for (const device of [laptop, desktop]) await device.online()
  await laptop.node.removeDevice('tablet', words)
  await only(laptop, desktop)
  t.match(await desktop.node.show('plan-by-laptop'), { title: 'Plan' })
  t.match(await desktop.node.show('pack'), { enabled: true })
})

t.test('a device joins on one side while another is removed on the other', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'phone')
  const [laptop, desktop, phone] = all
  for (const device of all) await device.close()
  await desktop.online()
  const tablet = await joined(t, dht, desktop, 'tablet')
  await tablet.offline()
  await make(tablet, 'From tablet', 'New here.')
  await desktop.close()
  await phone.close()
  await laptop.offline()
  await laptop.node.removeDevice('phone', words)
  await laptop.online()
  await tablet.online()
  await desktop.online()
  await only(laptop, desktop, tablet)
  t.ok((await slugs(laptop)).includes('from-tablet'))
})
