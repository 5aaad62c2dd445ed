import { act, isRefusal } from './acts.js'
import { brokenAtTheEnd } from './ending.js'
import type { Deed, Fact } from './facts.js'
import { hostileEntry } from './hostile.js'
import type { HostileStep, Step, Story } from './story.js'
import { meet, WHOLE, type World } from './world.js'

/** What became of a story: for each step what was done, or why it was refused. */
export interface Told {
  readonly facts: readonly Fact[]
  /** For each step the code that it was refused with; empty where it wasn’t. */
  readonly refusals: readonly string[]
}

/**
 * Tells a story in a world. After every step nothing may be broken on any device; then all
 * of them meet, and must be the same, with everything in it that anyone was told they did.
 *
 * @param folder with skills to import
 * @throws Error that names the step and what is broken
 */
export async function tell(world: World, story: Story, folder: string): Promise<Told> {
  const facts: Fact[] = []
  const refusals: string[] = []
  for (const [n, step] of story.steps.entries()) {
    try {
      refusals.push(await take(world, step, n, folder, facts))
      await look(world)
    } catch (cause) {
      throw new Error(`step ${n}, ${JSON.stringify(step)}: ${(cause as Error).message}`, { cause })
    }
  }
  await meet(world)
  await look(world)
  const broken = await brokenAtTheEnd(world, facts)
  if (broken.length > 0) throw new Error(`at the end: ${broken.join('; ')}`)
  return { facts, refusals }
}

async function look(world: World): Promise<void> {
  for (let device = 0; device < world.devices; device++) {
    const broken = await world.broken(device)
    if (broken.length > 0) throw new Error(`on device ${device}: ${broken.join('; ')}`)
  }
}

/** Takes one step; gives the code where it was refused, else nothing. */
async function take(world: World, step: Step, n: number, folder: string, facts: Fact[]): Promise<string> {
  if (step.does === 'settle' || step.does === 'gather') {
    await (step.does === 'settle' ? world.settle() : meet(world))
    return ''
  }
  const on = step.on % world.devices
  const before = world.seen(on)
  const note = (deeds: readonly Deed[]): void => {
    for (const deed of deeds) facts.push({ ...deed, step: n, on, before, after: world.seen(on) })
  }
  if (step.does === 'sync' || step.does === 'meet') {
    const to = step.to % world.devices
    await world.sync(on, to, step.does === 'sync' ? step.quarters : WHOLE)
    if (step.does === 'meet') await world.sync(to, on, WHOLE)
    return ''
  }
  if (step.does === 'restart') {
    await world.restart(on)
    return ''
  }
  if (step.does === 'hostile') {
    note(await appendHostile(world, on, step))
    return ''
  }
  try {
    note(await act({ self: world.self(on), step: n, bundle: (each) => world.bundle(each), folder }, step))
    return ''
  } catch (error) {
    if (!isRefusal(error)) throw error
    return error.code
  }
}

/** What must be refused changes nothing but the count of it. */
async function appendHostile(world: World, on: number, step: HostileStep): Promise<readonly Deed[]> {
  const self = world.self(on)
  const { bytes, deeds, refused } = hostileEntry(self, world.self((on + 1) % world.devices), step)
  const key = self.device.signer.key
  const count = async (): Promise<number> => (await self.store.view.get('device', key))!.refused
  const names = (): string => JSON.stringify([...self.store.namespace.all()])
  const before = { count: await count(), names: names() }
  await world.append(on, bytes)
  if ((await count()) !== before.count + (refused ? 1 : 0)) throw new Error('it wasn’t counted right')
  if (refused && names() !== before.names) throw new Error('it changed something')
  return deeds
}
