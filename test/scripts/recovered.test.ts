import t from 'tap'
import type { Listed } from '../../src/api.js'
import type { Recovered } from '../../src/recover.js'
import { alike, firstOf, invited, joinAs, within } from './household.js'
import { dhtFor, Person, until } from './person.js'

t.test('removed with the words, and recovered by them', async (t) => {
  const dht = await dhtFor(t)
  const [laptop, words] = await firstOf(t, dht, 'Ann')
  await laptop.up()
  const [desktop, invite] = await invited(t, dht, laptop)
  await joinAs(desktop, invite, 'desktop')
  const [phone, other] = await invited(t, dht, laptop)
  await joinAs(phone, other, 'phone')
  await Promise.all([desktop.up(), phone.up()])
  await within(laptop, (node) => until(async () => (await node.devices()).every(({ online }) => online)))

  const remove = ['device', 'remove', 'phone', '--yes', '--json']
  t.match((await laptop.command(remove, 'abandon '.repeat(24))).stdout, 'E_WORDS')
  t.equal((await laptop.command(remove, words)).status, 0)
  await within(desktop, (node) => until(async () => (await node.devices()).length === 2))
  await laptop.run('new', 'Secret', '--summary', 'x', '--body', 'Not for the phone.')
  await within(desktop, (node) =>
    until(async () => (await node.list()).some(({ slug }) => slug === 'secret'))
  )
  t.notOk((await phone.run<Listed[]>('list')).some(({ slug }) => slug === 'secret'))
  await desktop.kill('SIGKILL')
  await desktop.up()
  await alike(t, laptop, desktop)

  await laptop.kill()
  const tablet = await Person.before(t, dht, 'Ann')
  const { stdout } = await tablet.command(['recover', '--device-name', 'tablet', '--json'], words)
  t.match(JSON.parse(stdout) as Recovered, { reached: true, name: 'Ann', deviceName: 'tablet', skills: 4 })
  t.ok((await tablet.run<Listed[]>('list')).some(({ slug }) => slug === 'secret'))
})
