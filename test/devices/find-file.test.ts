import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { calling, callsOf, scripted } from '../agent/scripted.js'
import { dhtFor, until } from '../scripts/person.js'
import { devices, folder } from './devices.js'

t.test('a run finds files on the person’s other devices, each by its own grants', async (t) => {
  const { all } = await devices(t, await dhtFor(t), 'Ana', 'laptop', 'desktop')
  const [laptop, desktop] = all
  await laptop.online()
  await desktop.online()
  const isThere = async (): Promise<boolean> => (await laptop.node.devices()).every(({ online }) => online)
  await until(isThere)
  const granted = await folder(t)
  await writeFile(join(granted, 'invoice-march.txt'), 'To pay: 12\n')

  await scripted(t, laptop.node, (_, number) => {
    if (number % 3 === 0) return { text: '@search-info' }
    if (number % 3 === 1) return { calls: [calling('find_file', { query: 'invoice', device: 'Desktop' })] }
    return { text: 'Done.' }
  })
  // A machine that is busy may answer too late: then it is asked once more.
  const found = (): Promise<unknown> =>
    until(async () => {
      const [call] = callsOf(await laptop.node.ask('The invoice?', {}))
      t.equal(call!.outcome, 'ran')
      const answer = JSON.parse(call!.result) as { missing: { why: string }[] }
      return !answer.missing.some(({ why }) => why.includes('answer')) && answer
    })
  t.match(await found(), { hits: { length: 0 }, missing: [{ device: 'desktop', why: /nothing granted/ }] })
  await desktop.node.grant('files', granted)
  t.match(await found(), { hits: [{ device: 'desktop', path: join(granted, 'invoice-march.txt') }] })
  t.match(await laptop.node.grants(), { files: { length: 0 } }, 'the grant is the other device’s')

  await desktop.close()
  await until(async () => !(await isThere()))
  t.match(await found(), { hits: { length: 0 }, missing: [{ device: 'desktop', why: /offline/ }] })
})
