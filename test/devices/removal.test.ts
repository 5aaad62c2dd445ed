import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { wordsFrom } from '../../src/keys/identity.js'
import { readLaterEpoch, type Epoch } from '../../src/store/epoch.js'
import { readSecrets } from '../../src/store/home.js'
import { Store } from '../../src/store/store.js'
import { dhtFor, until } from '../scripts/person.js'
import { writeSkills } from '../scripts/skills.js'
import { alike, devices, firstDevice, joined, met, settled, whole, type Device } from './devices.js'

const dht = await dhtFor(t)

function make(device: Device, title: string, body: string): Promise<{ slug: string; uid: string }> {
  return device.node.create({ title, summary: `How to: ${title}.`, body })
}

async function names({ node }: Device): Promise<string[]> {
  return (await node.devices()).map(({ name }) => name).toSorted()
}

async function slugs({ node }: Device): Promise<string[]> {
  return (await node.list()).map(({ slug }) => slug)
}

/** Waits until these devices, and no others, are a person’s on each of them, and in one epoch. */
async function only(...those: readonly [Device, ...Device[]]): Promise<void> {
  const expected = those
    .map(({ name }) => name)
    .toSorted()
    .join()
  for (const device of those) await until(async () => (await names(device)).join() === expected)
  await settled(...those)
}

async function goOffline(...those: readonly Device[]): Promise<void> {
  for (const device of those) await device.offline()
}

async function goOnline(...those: readonly Device[]): Promise<void> {
  for (const device of those) await device.online()
}

/** The epoch that a device has gone on to; the device is closed by it. */
async function laterEpoch(device: Device): Promise<Epoch | undefined> {
  return device.under(({ paths, device: { sealing } }) => readLaterEpoch(paths.keyfile, sealing))
}

const REMOVE = fileURLToPath(new URL('remove.js', import.meta.url))

/** Bytes of all files in a folder; those that vanish meanwhile count nothing. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.reduce(
    (sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0),
    0
  )
}

t.test('only the words remove, and never the device itself', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop')
  const [{ node }] = all
  await t.rejects(node.removeDevice('desktop', wordsFrom(new Uint8Array(32))), { code: 'E_WORDS_OTHER' })
  await t.rejects(node.removeDevice('desktop', `${words} abandon`), { code: 'E_WORDS' })
  await t.rejects(node.removeDevice('laptop', words), { code: 'E_DEVICE_CURRENT' })
  await t.rejects(node.removeDevice('phone', words), { code: 'E_DEVICE_UNKNOWN' })
  t.same(await names(all[0]), ['desktop', 'laptop'])
  await settled(...all)
})

t.test('a removed device is cut off, reads and writes nothing more; the others go on', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'phone')
  const [laptop, desktop, phone] = all
  await make(phone, 'Plan', 'Before it was removed.')
  await met(...all)
  t.match(await laptop.node.removeDevice('phone', words), { name: 'phone' })
  t.same(await names(laptop), ['desktop', 'laptop'])
  await until(async () => (await phone.node.devices()).every(({ online, current }) => current || !online))
  await make(phone, 'Late', 'Too late.')
  await phone.node.edit('plan', { body: 'Too late.' })
  await make(laptop, 'Secret', 'Not for the phone.')
  await only(laptop, desktop)
  t.match(await desktop.node.show('plan'), { body: 'Before it was removed.' })
  t.same(
    (await slugs(desktop)).filter((slug) => slug === 'late'),
    []
  )

  await phone.online()
  for (const device of [laptop, desktop]) await device.online()
  await make(desktop, 'Other secret', 'Nor this one.')
  await only(laptop, desktop)
  t.same(
    (await slugs(phone)).filter((slug) => slug.includes('secret')),
    []
  )
  t.same(
    (await phone.node.devices()).filter(({ online, current }) => online && !current),
    []
  )
  await t.rejects(laptop.node.removeDevice('phone', words), { code: 'E_DEVICE_UNKNOWN' })
})

t.test('given all the bytes of the others, a removed device still can’t read what came after', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'phone')
  const [laptop, phone] = all
  await phone.close()
  await laptop.node.removeDevice('phone', words)
  await make(laptop, 'Secret', 'Not for the phone.')
  const { base, encryption } = (await laterEpoch(laptop))!
  await laptop.under(({ logs }) =>
    phone.under(async (theirs) => {
      const stream = logs.replicate(true)
      const other = theirs.logs.replicate(false)
      stream.pipe(other).pipe(stream)
      const before = (await readSecrets(theirs.paths, async () => '')).epoch
      t.not(base, before.base)
      t.not(encryption, before.encryption)
      const opening = Store.open(theirs.logs, { place: 'ab'.repeat(32), base, encryption: before.encryption })
      await t.rejects(opening, { code: 'E_STORE_KEY' })
      stream.destroy()
      other.destroy()
    })
  )
})

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

t.test('contacts stop accepting the device, and what they seal doesn’t open on it', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'phone')
  const [laptop, phone] = all
  const { device: bens } = await firstDevice(t, dht, 'Ben')
  await phone.close()
  const { invite } = await laptop.node.invite({ expiresInSeconds: 60 })
  await bens.node.pair(invite)
  await phone.online()
  await settled(...all)
  t.equal((await bens.node.contact('Ana')).devices.length, 2)
  await until(async () => (await phone.node.contact('Ben')).online)
  const folder = t.testdir()
  await make(bens, 'Tie knot', 'Over, under, through.')
  const before = join(folder, 'before')
  await bens.node.seal('tie-knot', 'Ana', before, {})

  await laptop.node.removeDevice('phone', words)
  await until(async () => (await bens.node.contact('Ana')).devices.length === 1)
  t.match(await bens.node.contact('Ana'), { devices: [{ name: 'laptop' }] })
  await until(async () => !(await phone.node.contact('Ben')).online)
  const after = join(folder, 'after')
  const sealed = await bens.node.seal('tie-knot', 'Ana', after, { note: 'Again.' })
  await t.rejects(phone.node.receive(after), { code: /^E_/ }, 'it is not sealed to the phone')
  await laptop.node.receive(after)
  t.match(await laptop.node.review(sealed.id), { root: 'tie-knot' })

  await make(phone, 'Late', 'Too late.')
  const late = join(folder, 'late')
  await phone.node.seal('late', 'Ben', late, {})
  await t.rejects(bens.node.receive(late), { code: /^E_/ }, 'nor does Ben take what it seals')
  t.equal((await bens.node.inbox()).length, 0)
  await t.rejects(bens.node.addCard((await phone.node.card()).card), { code: /^E_CARD/ })
  await phone.node.renameDevice('phone', 'fine phone')
  await t.rejects(bens.node.addCard((await phone.node.card()).card), { code: /^E_CARD/ })
})

t.test('killed in the middle of a removal: it is done or it isn’t', async (t) => {
  const { all, words } = await devices(t, dht, 'Ana', 'laptop', 'desktop', 'phone')
  const [laptop, desktop, phone] = all
  const many = Array.from({ length: 60 }, (_, n) => ({ name: `skill-${n}`, body: 'Well. '.repeat(500) }))
  await laptop.node.importFolders([await writeSkills(t.testdir(), many)])
  await met(...all)
  const before = JSON.stringify(await laptop.node.list())
  const store = join(laptop.home, 'store')
  for (const device of [laptop, phone]) await device.close()
  for (const size of [0, 150_000, Infinity]) {
    const child = spawn(process.execPath, [REMOVE, laptop.home, 'phone', words], { stdio: 'pipe' })
    const gone = once(child, 'exit')
    await once(child.stdout, 'data')
    const start = sizeOf(store)
    while (child.exitCode === null && sizeOf(store) <= start + size) await setTimeout(1)
    child.kill('SIGKILL')
    await gone
    await laptop.offline()
    const left = await names(laptop)
    const isDone = existsSync(join(laptop.home, 'keys', 'epoch'))
    t.same(left, isDone ? ['desktop', 'laptop'] : ['desktop', 'laptop', 'phone'])
    t.ok(JSON.stringify(await laptop.node.list()) === before, 'and everything is there')
    await whole(laptop)
    await laptop.close()
    if (size === 0) t.notOk(isDone, 'it was cut')
    if (isDone) break
  }
  t.ok(existsSync(join(laptop.home, 'keys', 'epoch')), 'in the end it is done')
  await laptop.online()
  await only(laptop, desktop)
})

t.test('the epoch is found again after a restart, also under a passphrase', async (t) => {
  const { device: laptop, words } = await firstDevice(t, dht, 'Ana', { passphrase: 'correct horse' })
  const desktop = await joined(t, dht, laptop, 'desktop', 'battery staple')
  const phone = await joined(t, dht, laptop, 'phone')
  await desktop.online()
  await laptop.node.removeDevice('phone', words)
  await make(laptop, 'After', 'All of it.')
  await only(laptop, desktop)
  await phone.close()
  for (const device of [laptop, desktop]) {
    await device.offline()
    t.ok((await slugs(device)).includes('after'))
    t.same(await names(device), ['desktop', 'laptop'])
    const keys = join(device.home, 'keys', 'epoch')
    t.notOk((await readFile(keys)).includes((await laterEpoch(device))!.encryption), 'its key is sealed')
  }
  await rm(join(desktop.home, 'keys', 'epoch'))
  await goOnline(laptop, desktop)
  await only(laptop, desktop)
})
