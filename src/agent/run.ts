import type { Run, RunEvent, RunPlan } from '../agent-api.js'
import { isSelkieError } from '../base/errors.js'
import { asSelkieError } from '../base/system.js'
import type { ToolName } from '../base/ids.js'
import type { Ref } from '../namespace/linked.js'
import type { Store } from '../store/store.js'
import { bind, bodyOf, type Binding, type LeftOut, type VersionOf } from './bind.js'
import { addTokens, execute, type Trace } from './execute.js'
import type { ToolHooks } from './hooks.js'
import type { Aligned } from './menu.js'
import type { Model, ModelAnswer, ModelMessage } from './model.js'
import { executionPrompt } from './prompt.js'
import type { ToolRun } from './tool-run.js'

/** What one run works with. */
export interface RunSetting {
  readonly store: Store
  readonly model: Model
  readonly aligned: Omit<Aligned, 'menu'>
  /** What was said before, and the request. */
  readonly messages: readonly ModelMessage[]
  /** How it goes about the request, and what that names. */
  readonly plan: (signal: AbortSignal) => Promise<Planned>
  readonly versionOf: VersionOf
  /** Why a call isn’t allowed for the skill that it names; null where it names none. */
  readonly forbids: (binding: Binding, tool: ToolName, skill: string | null) => string | undefined
  readonly tools: Readonly<Record<string, ToolRun>>
  readonly hooks: ToolHooks
  /** Told of what failed and says nothing to the model or the person. */
  readonly failed: (error: unknown) => void
}

export interface Planned {
  /** Null where there was nothing to plan with. */
  readonly plan: RunPlan | null
  readonly roots: readonly Ref[]
  readonly tokens?: ModelAnswer['tokens']
}

/** A run is given a version of every skill, but in a profile that takes published ones only. */
function saidOf({ slug, why }: LeftOut): string {
  return why === 'hidden'
    ? `@${slug} was left out: it isn’t for models by themselves. Name it in what you ask, and it is followed.`
    : `@${slug} was left out: it has no version that this profile takes. \`selkie publish @${slug}\` gives it one.`
}

/**
 * Plans, binds and executes. Whatever happens, what has happened so far is in the run that
 * comes back: one that fails or is broken off says so.
 *
 * @param begun the run as it begins: its question, and nothing done yet
 */
export async function runThrough(
  begun: Run,
  setting: RunSetting,
  tell: (event: RunEvent) => void,
  signal: AbortSignal
): Promise<Run> {
  const trace: Trace = { steps: [], truncations: [...begun.truncations], tokens: null }
  let run = begun
  /** What has happened so far. */
  const now = (): Run => ({ ...run, ...trace })
  try {
    const { store, model, aligned, messages, tools, hooks, failed } = setting
    const { plan, roots, tokens } = await setting.plan(signal)
    addTokens(trace, tokens ?? null)
    run = { ...run, plan }
    const binding = await bind(store, roots, setting.versionOf)
    const skills = binding.skills.map(({ slug, uid, version }) => ({ slug, uid, version }))
    run = { ...run, bound: [...binding.tools], skills }
    if (plan) tell({ type: 'planned', plan: plan.text, handles: plan.handles, bound: run.bound })
    for (const { slug } of skills) tell({ type: 'loaded', slug })
    const { system, truncations } = await executionPrompt(aligned, binding, (skill) => bodyOf(store, skill))
    trace.truncations.push(...truncations, ...binding.leftOut.map(saidOf))
    const forbids = (tool: ToolName, skill: string | null): string | undefined =>
      setting.forbids(binding, tool, skill)
    const allowed = { run: begun.id, bound: binding.tools, forbids, tools, hooks, failed }
    const end = await execute(model, system, messages, allowed, { trace, tell, signal })
    return { ...now(), ...end }
  } catch (error) {
    if (signal.aborted) return { ...now(), state: 'stopped' }
    if (!isSelkieError(error)) setting.failed(error)
    const { code, message, hint } = asSelkieError(error)
    return { ...now(), state: 'failed', problem: { code, message, hint } }
  }
}
