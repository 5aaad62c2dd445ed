import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { CallOutcome, RunCall } from '../agent-api.js'
import { isSelkieError } from '../base/errors.js'
import type { ToolName } from '../base/ids.js'
import { toolByName } from '../namespace/tool.js'
import { deniedBy, type HookedCall, type ToolHooks } from './hooks.js'
import type { ModelCall } from './model.js'
import { readInput } from './models/call-input.js'
import { CALL_TOOL } from './signature.js'
import type { ToolArgs, ToolRun } from './tool-run.js'

/** Characters of a result that a model is given. */
export const MAX_RESULT = 32 * 1024
/** Characters of a call’s input that are read, and of a name in it. */
const MAX_INPUT = 64 * 1024
const MAX_NAME = 80
/** Faults of arguments that a model is told at once. */
const MAX_FAULTS = 5

/** Codes by which a tool says that it may not. */
const FORBIDDEN = ['E_NOT_GRANTED']

/** What a run lets its calls do. */
export interface Allowed {
  readonly run: string
  /** The tools that can be called. */
  readonly bound: readonly ToolName[]
  /** Why a call isn’t allowed for the skill that it names, or undefined: null where it names none. */
  readonly forbids: (tool: ToolName, skill: string | null) => string | undefined
  readonly tools: Readonly<Record<string, ToolRun>>
  readonly hooks: ToolHooks
  /** Told of what failed in a tool and says nothing to the model. */
  readonly failed: (error: unknown) => void
}

interface Outcome {
  readonly outcome: CallOutcome
  readonly answer: Readonly<Record<string, unknown>>
}

const STOPPED: Outcome = { outcome: 'stopped', answer: { error: 'The run was broken off.' } }

/**
 * Does what a model asked for, as far as it may. Whatever the model wrote, there is a
 * result to tell it.
 *
 * @returns the call for the transcript, and why it was cut, where its result was
 */
export async function call(
  asked: ModelCall,
  allowed: Allowed,
  signal: AbortSignal,
  calling: (tool: string, args: unknown) => void
): Promise<{ call: RunCall; cut: string | undefined; why: string | undefined }> {
  const start = performance.now()
  const { id, name, input } = asked
  const meant = readCall(asked, allowed.bound)
  const about = { id, name, input, tool: meant.tool, skill: meant.skill, args: meant.args }
  calling(meant.tool ?? name, meant.args)
  const { outcome, answer } =
    meant.no ??
    (await unlessAborted(() => run(meant.tool, meant.args as ToolArgs, meant.skill, allowed, signal), signal))
  const whole = JSON.stringify(answer)
  const isLong = whole.length > MAX_RESULT
  const result = isLong
    ? `${whole.slice(0, MAX_RESULT).toWellFormed()}… (cut here: ${whole.length} characters in all)`
    : whole
  const milliseconds = Math.round(performance.now() - start)
  return {
    call: { ...about, outcome, result, milliseconds },
    cut: isLong
      ? `The result of ${meant.tool} was cut from ${whole.length} characters to ${MAX_RESULT}.`
      : undefined,
    why: outcome === 'ran' ? undefined : String(answer['error'])
  }
}

/** What a model’s words come to as a call; `no` where it can’t be run. */
type Meant =
  | {
      readonly no?: undefined
      readonly tool: ToolName
      readonly skill: string | null
      readonly args: unknown
    }
  | {
      readonly no: Outcome
      readonly tool: string | null
      readonly skill: string | null
      readonly args: unknown
    }

function readCall({ name, input }: ModelCall, bound: readonly ToolName[]): Meant {
  const nothing = { tool: null, skill: null, args: input }
  if (name !== CALL_TOOL) {
    const fault = `There is no tool “${named(name)}” to call like that. Call ${CALL_TOOL} with the name and the arguments.`
    return { ...nothing, no: refused(fault) }
  }
  if (input.length > MAX_INPUT)
    return { ...nothing, no: refused(`What was given is longer than ${MAX_INPUT} characters.`) }
  const value = readInput(input)
  if (value === undefined) {
    const fault =
      'What was given isn’t JSON, or nests too deep. Call again with an object of name and arguments.'
    return { ...nothing, no: refused(fault) }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { ...nothing, args: value, no: refused('An object of name and arguments is needed.') }
  const { name: tool, arguments: args = {}, skill = null } = value as Record<string, unknown>
  if (typeof tool !== 'string') return { ...nothing, args, no: refused('The name of the tool is missing.') }
  if (skill !== null && (typeof skill !== 'string' || skill.length > MAX_NAME))
    return { tool, skill: null, args, no: refused('The skill has to be its handle, as a text.') }
  const asSkill = skill?.trim().replace(/^@/, '').toLowerCase() || null
  const known = bound.find((each) => each === tool)
  if (!known) {
    const there = bound.length > 0 ? `These are: ${bound.join(', ')}.` : 'None is.'
    return {
      tool,
      skill: asSkill,
      args,
      no: denied(`The tool “${named(tool)}” isn’t bound in this run. ${there}`)
    }
  }
  const fault = argumentFault(known, args)
  return fault ? { tool, skill: asSkill, args, no: refused(fault) } : { tool: known, skill: asSkill, args }
}

async function run(
  tool: ToolName,
  args: ToolArgs,
  skill: string | null,
  { run, forbids, tools, hooks, failed }: Allowed,
  signal: AbortSignal
): Promise<Outcome> {
  const reason = forbids(tool, skill)
  if (reason) return denied(reason)
  const hooked: HookedCall = { run, tool, args, skill }
  const before = await deniedBy(() => hooks.before?.(hooked))
  if (before !== undefined) return denied(before)
  // It may have thought for long.
  if (signal.aborted) return STOPPED
  try {
    const answer = await tools[tool]!(args, signal)
    const after = await deniedBy(() => hooks.after?.(hooked, answer))
    return after === undefined ? { outcome: 'ran', answer } : denied(after)
  } catch (error) {
    if (signal.aborted) return STOPPED
    if (!isSelkieError(error)) {
      failed(error)
      return { outcome: 'failed', answer: { error: 'The tool failed, for no fault of the arguments.' } }
    }
    const answer = { error: error.message, code: error.code, hint: error.hint }
    return { outcome: FORBIDDEN.includes(error.code) ? 'denied' : 'failed', answer }
  }
}

/**
 * What comes of a call; where the run is broken off first, that. Neither a tool nor a hook
 * is waited for then.
 */
async function unlessAborted(step: () => Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  const ended = new AbortController()
  const aborted = new Promise<Outcome>((resolve) => {
    signal.addEventListener('abort', () => resolve(STOPPED), { signal: ended.signal })
  })
  try {
    return await Promise.race([step(), aborted])
  } finally {
    ended.abort()
  }
}

/** A name that a model gave, to be repeated. */
function named(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name
}

function refused(fault: string): Outcome {
  return { outcome: 'refused', answer: { error: fault } }
}

function denied(reason: string): Outcome {
  return { outcome: 'denied', answer: { error: reason } }
}

const ajv = new Ajv({ allErrors: true })
const checks = new Map<ToolName, ValidateFunction>()

/** What doesn’t fit in the arguments of a tool, as a sentence for the model. */
function argumentFault(tool: ToolName, args: unknown): string | undefined {
  let check = checks.get(tool)
  if (!check) checks.set(tool, (check = ajv.compile(toolByName(tool)!.schema)))
  if (check(args)) return undefined
  return `The arguments don’t fit: ${check.errors!.slice(0, MAX_FAULTS).map(said).join('; ')}.`
}

function said({ instancePath, message = 'doesn’t fit', params }: ErrorObject): string {
  const extra = (params as { additionalProperty?: string }).additionalProperty
  const where = instancePath === '' ? 'they' : instancePath.slice(1)
  return extra === undefined ? `${where} ${message}` : `${where} ${message} (${named(extra)})`
}
