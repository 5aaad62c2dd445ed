import type { RunCall, RunEvent, RunState, RunStep } from '../agent-api.js'
import { call, type Allowed } from './call.js'
import type { Model, ModelAnswer, ModelMessage } from './model.js'
import { callTool } from './signature.js'

/** Answers that one run asks a model for. */
export const MAX_STEPS = 24
/** Calls in one answer; what is more is refused. */
const MAX_CALLS = 16

/** How an execution ended. */
export interface Executed {
  readonly state: Extract<RunState, 'done' | 'steps'>
  readonly answer: string
}

/** What an execution leaves behind as it goes: also of one that fails on its way. */
export interface Trace {
  readonly steps: RunStep[]
  readonly truncations: string[]
  /** Null where no model has counted. */
  tokens: { readonly input: number; readonly output: number } | null
}

/**
 * Lets a model work with its tools until it gives an answer that calls none, or until the
 * bound on steps. Each step is in the trace as soon as it has happened.
 *
 * @param messages what was said before, and the request
 * @throws SelkieError E_MODEL_…; the reason of the signal where it aborts
 */
export async function execute(
  model: Model,
  system: string,
  messages: readonly ModelMessage[],
  allowed: Allowed,
  { trace, tell, signal }: { trace: Trace; tell: (event: RunEvent) => void; signal: AbortSignal }
): Promise<Executed> {
  const said: ModelMessage[] = [...messages]
  const tools = allowed.bound.length > 0 ? [callTool] : []
  let heard = ''
  const onText = (text: string): void => {
    heard += text
    tell({ type: 'text', text })
  }
  for (let step = 0; step < MAX_STEPS; step++) {
    heard = ''
    const answer = model.answer({ system, messages: said, tools }, { onText, signal })
    const { text, calls, end, tokens } = await answer.catch((error: unknown) => {
      // What the person has seen of it is part of the run.
      if (heard !== '') trace.steps.push({ text: heard, calls: [] })
      throw error
    })
    addTokens(trace, tokens)
    const made: RunCall[] = []
    trace.steps.push({ text, calls: made })
    if (end === 'length') trace.truncations.push('The model’s answer was cut by its own limit.')
    if (end === 'filtered')
      trace.truncations.push('The model’s provider withheld its answer, or a part of it.')
    if (calls.length === 0) return { state: 'done', answer: text }
    for (const asked of calls) {
      signal.throwIfAborted()
      if (made.length === MAX_CALLS) {
        trace.truncations.push(`Of ${calls.length} calls at once, ${MAX_CALLS} were made.`)
        break
      }
      const done = await call(asked, allowed, signal, (tool, args) => tell({ type: 'calling', tool, args }))
      made.push(done.call)
      if (done.cut !== undefined) trace.truncations.push(done.cut)
      const { tool, name, outcome } = done.call
      tell({ type: 'called', tool: tool ?? name, outcome, ...(done.why !== undefined && { why: done.why }) })
    }
    said.push({ role: 'assistant', text, calls: calls.slice(0, made.length) })
    said.push({ role: 'results', results: made.map(({ id, result }) => ({ id, text: result })) })
  }
  return { state: 'steps', answer: `Stopped after ${MAX_STEPS} steps without an answer.` }
}

/** Adds what an answer has taken. */
export function addTokens(trace: Trace, tokens: ModelAnswer['tokens']): void {
  if (!tokens) return
  const { input, output } = trace.tokens ?? { input: 0, output: 0 }
  trace.tokens = { input: input + tokens.input, output: output + tokens.output }
}
