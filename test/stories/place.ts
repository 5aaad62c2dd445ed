import type { Test } from 'tap'
import { beginning, skillFolder } from './cast.js'
import { MemoryWorld } from './memory-world.js'
import type { Step, Story } from './story.js'
import { tell, type Told } from './tell.js'

/** Where the stories of one test file take place; what lies on the disk goes with the test. */
export interface Place {
  /** Tells a story on replicas in memory, and lets `after` look at them. */
  readonly tell: (story: Story, after?: (world: MemoryWorld, told: Told) => unknown) => Promise<void>
}

/** @param folder an empty one, that is removed by whoever made it */
export async function placeIn(folder: string): Promise<Place> {
  const from = await beginning(folder)
  const set = await skillFolder(folder)
  return {
    async tell(story, after) {
      const world = new MemoryWorld(from, story)
      try {
        const told = await tell(world, story, set)
        await after?.(world, told)
      } finally {
        await world.close()
      }
    }
  }
}

/** The place of a test file. */
export function place(t: Test): Promise<Place> {
  return placeIn(t.testdir())
}

/**
 * A story of two devices, 0 and 1, told once for each way in which Autobase may order what
 * they do apart: where one of them founded the store, that one’s comes first; else that of
 * the one whose log has the lower key.
 */
export function everyOrder(steps: readonly Step[], clocks: readonly number[]): Map<string, Story> {
  const between = (a: number, b: number): readonly Step[] => {
    const swap = (device: number): number => [a, b][device] ?? device
    return steps.map((step) => ({
      ...step,
      ...('on' in step && { on: swap(step.on) }),
      ...('to' in step && { to: swap(step.to) })
    }))
  }
  const story = (a: number, b: number, order: readonly number[]): Story => ({
    devices: 3,
    order,
    clocks,
    steps: between(a, b)
  })
  return new Map([
    ['the first founded it', story(0, 1, [0, 1, 2])],
    ['the second founded it', story(1, 0, [0, 1, 2])],
    ['the first has the lower key', story(1, 2, [0, 1, 2])],
    ['the second has the lower key', story(1, 2, [0, 2, 1])]
  ])
}
