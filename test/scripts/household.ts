import type { CheckReport, Invite, NodeApi } from '../../src/api.js'
import { attach } from '../../src/attach/client.js'
import type { Joined } from '../../src/join.js'
import { Person, until } from './person.js'

/** Someone’s first device, and the words of the identity. */
export async function firstOf(
  t: Tap,
  network: string,
  name: string
): Promise<[laptop: Person, words: string]> {
  const laptop = await Person.before(t, network, name)
  const { words } = await laptop.run<{ words: string }>('init', '--name', name)
  return [laptop, words]
}

type Tap = Parameters<typeof Person.before>[0]

/** A home that isn’t made yet, and an invite that makes it a device of someone whose node is up. */
export async function invited(
  t: Tap,
  network: string,
  by: Person
): Promise<[device: Person, invite: string]> {
  const device = await Person.before(t, network, by.name)
  return [device, (await by.run<Invite>('device', 'invite', '--expires', '5m')).invite]
}

export function joinAs(device: Person, invite: string, name: string): Promise<Joined> {
  return device.run<Joined>('device', 'join', invite, '--device-name', name)
}

/** Uses the node of a home that is up. */
export async function within<T>({ home }: Person, step: (node: NodeApi) => Promise<T>): Promise<T> {
  const node = (await attach(home))!
  try {
    return await step(node)
  } finally {
    await node.close()
  }
}

/**
 * Lets two devices that are up hear all that either has said, and waits until they show
 * the same, byte for byte, and a check finds nothing; gives all slugs.
 */
export async function alike(t: Tap, one: Person, other: Person): Promise<string[]> {
  const slugs = await within(one, (mine) =>
    within(other, async (theirs) => {
      for (const [from, to] of [
        [mine, theirs],
        [theirs, mine]
      ] as const) {
        const { uid } = await from.create({ title: 'Last', summary: 'Said last.', body: 'Nothing.' })
        const last = await until(async () => (await to.list()).find((skill) => skill.uid === uid))
        await to.delete(last.slug)
      }
      const list = (node: NodeApi): Promise<string> => node.list().then((listed) => JSON.stringify(listed))
      await until(async () => {
        const here = await list(mine)
        return here === (await list(theirs)) && !here.includes('Said last.')
      })
      for (const node of [mine, theirs]) await until(async () => (await node.check()).ok)
      for (const { refused } of [...(await mine.devices()), ...(await theirs.devices())]) t.equal(refused, 0)
      const all = (await mine.list()).map(({ slug }) => slug)
      const shown = async (node: NodeApi): Promise<string> =>
        JSON.stringify(await Promise.all(all.map((slug) => node.show(slug))))
      t.ok((await shown(mine)) === (await shown(theirs)), 'every skill is shown alike')
      return all
    })
  )
  const [mine, theirs] = await Promise.all([one, other].map((device) => device.command(['list', '--json'])))
  t.ok(mine!.stdout === theirs!.stdout, 'and listed alike')
  for (const device of [one, other]) t.match(await device.run<CheckReport>('check'), { ok: true })
  return slugs
}
