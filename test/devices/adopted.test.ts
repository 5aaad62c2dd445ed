import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { adoptHome, type Adopted } from '../../src/adopt.js'
import { openNode } from '../../src/node.js'
import { dhtFor, until } from '../scripts/person.js'
import { writeSkills } from '../scripts/skills.js'
import { Device, firstDevice, folder, joined, make, settled, slugs } from './devices.js'

const dht = await dhtFor(t)
/** Milliseconds until nobody counts as there. */
const IMPATIENT = 300

t.test('a backup could not be opened at all: an only device goes on with it', async (t) => {
  const { device: laptop } = await firstDevice(t, dht, 'Ana')
  const { device: bens } = await firstDevice(t, dht, 'Ben')
  await make(laptop, 'Plan', 'Well.')
  await laptop.node.addCard((await bens.node.card()).card)
  await bens.node.addCard((await laptop.node.card()).card)
  const backup = await backupOf(t, laptop)
  // What Ben has of the laptop’s logs is longer than the backup’s.
  await laptop.online()
  await make(laptop, 'Late', 'Lost.')
  await laptop.node.send('late', 'Ben', {})
  await until(async () => (await bens.node.inbox()).length === 1)
  await laptop.close()

  const passphrase = async (): Promise<string> => ''
  await t.rejects(openNode({ home: backup.home, passphrase }), {
    code: 'E_HOME_COPIED',
    hint: /selkie adopt/
  })
  t.match(await adopt(backup), { name: 'Ana', deviceName: 'laptop', skills: 4, reached: false, removed: [] })
  await backup.online()
  t.ok((await slugs(backup)).includes('plan'))
  await backup.node.send('plan', 'Ben', {})
  const arrived = await until(async () => {
    const inbox = await bens.node.inbox()
    return inbox.length === 2 && inbox
  })
  t.same(arrived.map(({ root }) => root).sort(), ['late', 'plan'], 'and Ben gets what it sends')
  await until(async () => (await backup.node.outbox())[0]?.state === 'received')
  await make(bens, 'Tie knot', 'Well.')
  await bens.node.send('tie-knot', 'Ana', {})
  await until(async () => (await backup.node.inbox()).length === 1)
  t.match(await backup.node.check(), { ok: true })
})

for (const which of ['first', 'second'] as const) {
  t.test(
    `a backup of the ${which} device went another way than what the other device had of it`,
    async (t) => {
      const { device: laptop } = await firstDevice(t, dht, 'Ana')
      const desktop = await joined(t, dht, laptop, 'desktop')
      await desktop.online()
      await settled(laptop, desktop)
      const [lost, kept] = which === 'first' ? [laptop, desktop] : [desktop, laptop]
      const backup = await backupOf(t, lost)
      await lost.online()
      await make(lost, 'Late', 'Not in the backup.')
      await importFile(t, lost, 'film-late')
      await settled(lost, kept)
      await lost.close()

      t.match(await adopt(backup), { reached: true })
      await backup.online()
      await make(backup, 'After', 'Said by the backup.')
      await make(kept, 'Beside', 'Said by the other.')
      await importFile(t, backup, 'film-after')
      await settled(backup, kept)
      for (const device of [backup, kept]) {
        t.match(await slugs(device), /after/)
        const here = await slugs(device)
        for (const slug of ['late', 'after', 'beside', 'film-late', 'film-after'])
          t.ok(here.includes(slug), `${device.name} has ${slug}`)
        await until(async () => (await device.node.check()).ok)
        t.ok((await device.node.devices()).every(({ refused }) => refused === 0))
      }
    }
  )
}

t.test(
  'with the other devices gone for good, one that came back all the same would bring the store to a halt',
  async (t) => {
    const { device: laptop, words } = await firstDevice(t, dht, 'Ana')
    const desktop = await joined(t, dht, laptop, 'desktop')
    await desktop.online()
    await settled(laptop, desktop)
    const backup = await backupOf(t, laptop)
    await laptop.online()
    await make(laptop, 'Late', 'Lost.')
    await settled(laptop, desktop)
    await laptop.close()
    await desktop.close()
    await t.rejects(adopt(backup, { patience: IMPATIENT }), { code: 'E_ADOPT_UNREACHED', hint: /--alone/ })
    await t.rejects(openNode({ home: backup.home, passphrase: async () => '' }), { code: 'E_HOME_COPIED' })
    const { words: bens } = await firstDevice(t, dht, 'Ben')
    await t.rejects(adopt(backup, { words: bens }), { code: 'E_WORDS_OTHER' })
    t.match(await adopt(backup, { words }), { reached: false, removed: ['desktop'], skills: 5 })
    await backup.online()
    await make(backup, 'After', 'Said by the backup.')
    // It turns up all the same, with more of the laptop’s log than the backup had.
    await desktop.online()
    await make(desktop, 'Beside', 'Said by the other.')
    await make(backup, 'Then', 'Said by the backup.')
    const here = await slugs(backup)
    t.ok(['late', 'beside'].every((slug) => !here.includes(slug)))
    t.ok(['after', 'then'].every((slug) => here.includes(slug)))
    t.match(await backup.node.devices(), [{ name: 'laptop', refused: 0 }])
    t.match(await backup.node.check(), { ok: true })
  }
)

t.test('a home that is no copy isn’t adopted, nor one that is in use', async (t) => {
  const { device: laptop } = await firstDevice(t, dht, 'Ana')
  await t.rejects(adopt(laptop), { code: 'E_HOME_BUSY' })
  await laptop.close()
  await t.rejects(adopt(laptop), { code: 'E_HOME_OWN' })
  await laptop.offline()
})

function adopt({ home }: Device, options: { words?: string; patience?: number } = {}): Promise<Adopted> {
  return adoptHome({ home, bootstrap: [dht], passphrase: async () => '', ...options })
}

/** A copy of a device’s home as it is now; the device is closed. */
async function backupOf(t: Test, device: Device): Promise<Device> {
  await device.close()
  const home = await folder(t)
  await cp(device.home, home, { recursive: true })
  return new Device(t, dht, device.name, home)
}

async function importFile(t: Test, device: Device, name: string): Promise<void> {
  const root = join(t.testdir({}), name)
  await device.node.importFolders([
    await writeSkills(root, [{ name, body: 'On.', files: { 'a.bin': 200_000 } }])
  ])
}
