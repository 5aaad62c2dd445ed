import { isSelkieError, type SelkieError } from '../../src/base/errors.js'
import type { Self } from '../../src/store/self.js'
import { agentActs } from './agent-acts.js'
import { bundleActs } from './bundle-acts.js'
import type { Deed } from './facts.js'
import { peopleActs } from './people-acts.js'
import { skillActs } from './skill-acts.js'
import type { AgentStep, BundleStep, PeopleStep, SkillStep } from './story.js'

/** One device at its turn. */
export interface Turn {
  readonly self: Self
  /** The number of the step: what makes its texts unlike all others. */
  readonly step: number
  /** The file of a bundle. */
  readonly bundle: (number: number) => string
  /** A folder with skills to import. */
  readonly folder: string
}

type VerbStep = SkillStep | PeopleStep | BundleStep | AgentStep
type Act<S> = (turn: Turn, step: S) => Promise<Deed[]>
/** For each step of these what it does, and what the person has been told by it. */
export type Acts<S extends VerbStep> = { readonly [K in S['does']]: Act<Extract<S, { does: K }>> }

const acts: Acts<VerbStep> = { ...skillActs, ...peopleActs, ...bundleActs, ...agentActs }

/**
 * Does what a step says with the verb for it.
 *
 * @returns what the person has been told; nothing where there was nothing to do
 * @throws SelkieError where the verb refuses
 */
export async function act(turn: Turn, step: VerbStep): Promise<Deed[]> {
  return (acts[step.does] as Act<VerbStep>)(turn, step)
}

/** Whether a verb may refuse a step so: because of what there is, and not because something is broken. */
export function isRefusal(error: unknown): error is SelkieError {
  return isSelkieError(error) && !BROKEN.has(error.code)
}

const BROKEN: ReadonlySet<string> = new Set(['E_STORE_DAMAGED', 'E_UPGRADE', 'E_STEP_LIMIT'])
