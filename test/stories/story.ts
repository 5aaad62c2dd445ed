/**
 * A story: what happens on some devices of one person, step by step. A step says only what
 * a person or the network does and never what comes of it, so one story can be told on
 * replicas in memory and on stores on disk alike. Everything in it is plain JSON.
 *
 * Numbers that pick something (a skill, a title, a version, …) pick it out of whatever
 * there is on that device when it is the step’s turn; where there is nothing, or where it
 * is refused, nothing happens.
 */
export interface Story {
  /** How many devices, 2 to 5. The first founded the store. */
  readonly devices: number
  /** The devices in the order of their logs’ keys: what decides between entries made apart. */
  readonly order: readonly number[]
  /** Years by which each device’s clock is off. */
  readonly clocks: readonly number[]
  readonly steps: readonly Step[]
}

/** Which device a step is on, modulo how many there are. */
interface On {
  readonly on: number
}

/** A body’s mentions: of live skills, and whether of a tool. */
interface Says {
  readonly mentions: readonly number[]
  readonly tool: boolean
}

export type SkillStep =
  | (On & Says & { readonly does: 'create'; readonly title: number })
  /** Gives one paragraph of what is shown another text. */
  | (On & Says & { readonly does: 'edit'; readonly skill: number; readonly paragraph: number })
  | (On & { readonly does: 'retitle'; readonly skill: number; readonly title: number })
  | (On & { readonly does: 'rename'; readonly skill: number; readonly slug: number })
  | (On & { readonly does: 'delete'; readonly skill: number })
  | (On & { readonly does: 'undelete'; readonly skill: number })
  | (On & { readonly does: 'restore'; readonly skill: number; readonly version: number })
  | (On & { readonly does: 'publish'; readonly skill: number; readonly version: number })
  | (On & { readonly does: 'enable'; readonly skill: number; readonly value: boolean })
  | (On & { readonly does: 'advertise'; readonly skill: number; readonly value: boolean })
  /** Merges the first that stands beside what is shown; by hand where the merge isn’t clean. */
  | (On & { readonly does: 'merge'; readonly skill: number })
  /** Imports folders of skills that mention each other. */
  | (On & { readonly does: 'folders' })

export type PeopleStep =
  /** Takes in a person’s card, which has a number. */
  | (On & { readonly does: 'card'; readonly person: number; readonly number: number })
  /** A contact shows a newer card by themselves. */
  | (On & { readonly does: 'renew'; readonly person: number; readonly number: number })
  | (On & { readonly does: 'verify'; readonly person: number; readonly value: boolean })
  | (On & { readonly does: 'forget'; readonly person: number })

export type BundleStep =
  /** Sealed bytes come to this device. */
  | (On & { readonly does: 'receive'; readonly bundle: number })
  /** Reviews and accepts; `rename`, `drop` and `mine` decide about one skill of it. */
  | (On & {
      readonly does: 'accept'
      readonly bundle: number
      readonly decide: 'all' | 'rename' | 'drop' | 'mine'
      readonly skill: number
    })
  | (On & { readonly does: 'decline'; readonly bundle: number })

export type AgentStep =
  /** Puts a note into the notebook. */
  | (On & { readonly does: 'note' })
  /** Gives a note another text: one of this step, or one that another step may say too. */
  | (On & { readonly does: 'renote'; readonly note: number; readonly own: boolean })
  | (On & { readonly does: 'unnote'; readonly note: number })
  | (On & { readonly does: 'backnote'; readonly note: number })
  /** Sets the instructions, to those that Selkie comes with where there is no text. */
  | (On & { readonly does: 'instruct'; readonly own: boolean })
  | (On & { readonly does: 'blurb'; readonly blurb: number; readonly value: boolean })
  | (On & { readonly does: 'profile'; readonly profile: number })
  | (On & { readonly does: 'unprofile'; readonly profile: number })
  /** Binds a skill to its newest version, the published one, or one of its log. */
  | (On & {
      readonly does: 'bind'
      readonly profile: number
      readonly skill: number
      readonly gives: 'latest' | 'published' | number
    })
  | (On & { readonly does: 'unbind'; readonly profile: number; readonly skill: number })

/** Past every check, as a device would that runs something else than Selkie. */
export type HostileStep = On & {
  readonly does: 'hostile'
  readonly what:
    'noise' | 'forged' | 'unknown' | 'foreign' | 'tool' | 'taken' | 'mentioned' | 'nowhere' | 'astray'
  readonly skill: number
}

export type NetworkStep =
  /** Another device gets what this one has; of each log only a share of what it lacks, in quarters. */
  | (On & { readonly does: 'sync'; readonly to: number; readonly quarters: readonly number[] })
  /** Both get all that the other has. */
  | (On & { readonly does: 'meet'; readonly to: number })
  /** All get all. */
  | { readonly does: 'gather' }
  /** The founder writes down what it has seen, with nothing to say. */
  | { readonly does: 'settle' }
  | (On & { readonly does: 'restart' })

export type Step = SkillStep | PeopleStep | BundleStep | AgentStep | HostileStep | NetworkStep

export const TITLES = ['Plan', 'Pack', 'Trip', 'Plan 2', 'Find file', 'Pack'] as const
export const PROFILES = ['work', 'Work', 'home'] as const
export const SLUGS = ['plan', 'pack', 'trip', 'plan-2', 'route', 'find-file', 'pack-2'] as const

/** Of whatever there is, what a number picks. */
export function picked<T>(from: readonly T[], number: number): T | undefined {
  return from[number % Math.max(1, from.length)]
}
