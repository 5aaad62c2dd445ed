import fc from 'fast-check'
import t, { type Test } from 'tap'
import { isSelkieError } from '../../src/base/errors.js'
import { dhtFor } from '../scripts/person.js'
import { devices, only, type Device } from './devices.js'

/*
 * Random stories of real nodes: their stores on disk, their connections on a network of
 * this machine. Far fewer than the stories in memory, which tell of much more; these tell
 * of being closed and opened, of meeting some and not others, and of removals.
 */

const NAMES = ['laptop', 'desktop', 'tablet', 'phone'] as const
const STORIES = Number(process.env.SELKIE_NODE_STORIES ?? 3)

/** Picks one of whatever there is. */
const pick = fc.nat({ max: 999 })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('work' as const),
      who: pick,
      acts: fc.array(pick, { minLength: 1, maxLength: 3 })
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('meet' as const),
      some: fc.subarray([...NAMES], { minLength: 2 })
    })
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('remove' as const), who: pick, other: pick }) }
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Works on skills that any device may have worked on too; what is refused for good reason is no failure. */
async function work({ node, name }: Device, act: number): Promise<void> {
  const own = (await node.list()).filter(({ slug }) => !slug.startsWith('said-by'))
  const skill = own[act % own.length]!.slug
  const other = own[(act * 7) % own.length]!.slug
  const acts = [
    () => node.create({ title: `Skill ${act % 5}`, summary: 'x', body: `See @${other}.` }),
    () => node.edit(skill, { body: `${act} by ${name}.` }),
    () => node.edit(skill, { body: `${act} by ${name}, see @${other}.` }),
    () => node.rename(skill, `renamed-${act % 6}`),
    () => node.delete(skill),
    () => node.setEnabled(skill, act % 2 === 0)
  ]
  try {
    await acts[act % acts.length]!()
  } catch (error) {
    if (!isSelkieError(error)) throw error
  }
}

async function tell(t: Test, dht: string, steps: readonly Step[]): Promise<void> {
  const { all, words } = await devices(t, dht, 'Ana', ...NAMES)
  const staying = new Set<Device>(all)
  const removers = new Set<Device>()
  for (const device of all) await device.close()
  for (const each of steps) {
    if (each.does === 'meet') {
      const some = all.filter(({ name }) => each.some.includes(name as never))
      for (const device of some) await device.online()
      for (const device of some) await work(device, device.name.length)
      for (const device of some) await device.close()
    } else if (each.does === 'work') {
      const device = all[each.who % all.length]!
      await device.offline()
      for (const act of each.acts) await work(device, act)
      await device.close()
    } else {
      // Two at least must be left; and who has removed another stays, so that all come together in the end.
      const device = [...staying][each.who % staying.size]!
      const others = [...staying].filter((other) => other !== device && !removers.has(other))
      const other = others[each.other % others.length]
      if (!other || staying.size < 3) continue
      await device.offline()
      if ((await device.node.devices()).some(({ name }) => name === other.name)) {
        await device.node.removeDevice(other.name, words)
        removers.add(device)
        staying.delete(other)
      }
      await device.close()
    }
  }
  // The removed ones are there as well, and say what they have.
  for (const device of all) await device.online()
  await only(...([...staying] as [Device, ...Device[]]))
  for (const device of all) await device.close()
}

t.test('whatever devices do, apart and together, those that stay are alike in the end', async (t) => {
  const dht = await dhtFor(t)
  // A failure is printed with its seed and its path, as it was: to shorten a story takes minutes.
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), (steps) => tell(t, dht, steps)),
    { numRuns: STORIES, endOnFailure: true, includeErrorInReport: true }
  )
  t.pass(`${STORIES} stories`)
})
