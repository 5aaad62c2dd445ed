import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { wordsFrom } from '../../src/keys/identity.js'
import { readSecrets } from '../../src/store/home.js'
import { Store } from '../../src/store/store.js'
import { dhtFor, until } from '../scripts/person.js'
import { writeSkills } from '../scripts/skills.js'
import {
  devices,
  firstDevice,
  joined,
  laterEpoch,
  make,
  met,
  names,
  only,
  settled,
  slugs,
  whole
} from './devices.js'

const dht = await dhtFor(t)

const REMOVE = fileURLToPath(new URL('remove.js', import.meta.url))

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
  for (const device of [laptop, phone]) await device.close()
  for (const size of [0, 150_000, Infinity]) {
    const argv = [REMOVE, laptop.home, 'phone', words, String(size)]
    await once(spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
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
  const { device: laptop, words } = await firstDevice(t, dht, 'Ana')
  const desktop = await joined(t, dht, laptop, 'desktop', 'correct horse')
  await joined(t, dht, laptop, 'phone')
  await desktop.online()
  await laptop.node.removeDevice('phone', words)
  await make(laptop, 'After', 'All of it.')
  await only(laptop, desktop)
  for (const device of [laptop, desktop]) {
    const { encryption } = (await laterEpoch(device))!
    const kept = await readFile(join(device.home, 'keys', 'epoch'))
    t.notOk(kept.includes(encryption) || kept.includes(Buffer.from(encryption, 'hex')), 'its key is sealed')
    await device.online()
    t.ok((await slugs(device)).includes('after'))
    t.same(await names(device), ['desktop', 'laptop'])
  }
  await only(laptop, desktop)

  // Without that file a device begins where it was, and follows again.
  await desktop.close()
  await rm(join(desktop.home, 'keys', 'epoch'))
  await desktop.online()
  await only(laptop, desktop)
})
