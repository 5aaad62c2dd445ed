import type { Run, RunCall, RunPlan } from '../agent-api.js'
import { decodeOwn, encode } from '../base/msgpack.js'
import { MAX_BLOCK, type Head } from '../store/conversations.js'

/** Bytes of what was said in a run; with the rest of its head it fits into a block. */
const MAX_SAID = 12 * 1024 * 1024
/** Characters of a plan, and names in it that mean nothing. */
const MAX_PLAN = 256 * 1024
const MAX_IGNORED = 1000

/** A run as it is without its calls: of those only how many there were at each step. */
export type Talk = Omit<Run, 'steps'> & { steps: { text: string; calls: number }[] }

/** What is in a head as JSON: all but what was said, and of the calls how many there were. */
type Rest = Omit<Run, 'question' | 'steps' | 'answer'> & { steps: number[] }

/**
 * What the log keeps of a run: both parts fit into a block. Of one that is too large the
 * longest texts are cut, and its truncations say to what.
 *
 * A part of it is JSON, for a model may have given arguments that the one encoding doesn’t
 * take. What was said is beside it, so that it can be searched without being parsed.
 */
export function keptRun(run: Run): { head: Pick<Head, 'run' | 'said'>; calls: Uint8Array } {
  const { question, steps, answer, plan, ...rest } = run
  const texts = steps.map(({ text }) => text)
  // The last step of a run that is done is its answer.
  const said = [question, ...texts, ...(texts.at(-1) === answer ? [] : [answer])]
  const talk = fitting(said, (length) => said.map((text) => text.slice(0, length).toWellFormed()), MAX_SAID)
  const made = steps.map((step) => step.calls)
  const calls = fitting(
    made.flat().flatMap(({ input, result }) => [input, result]),
    (length) => made.map((calls) => JSON.stringify(calls.map((call) => cutCall(call, length)))),
    MAX_BLOCK
  )
  const isLong = plan && (plan.text.length > MAX_PLAN || plan.ignored.length > MAX_IGNORED)
  const cuts = [
    told('a plan', isLong ? MAX_PLAN : null),
    told('what was said', talk.cut),
    told('a result', calls.cut)
  ].flat()
  const kept: Rest = {
    ...rest,
    plan: plan && cutPlan(plan),
    steps: steps.map(({ calls }) => calls.length),
    truncations: [...run.truncations, ...cuts]
  }
  return { head: { run: JSON.stringify(kept), said: talk.value }, calls: calls.bytes }
}

/** What a head keeps of a run. */
export function talkOf({ run, said }: Pick<Head, 'run' | 'said'>): Talk {
  const rest = JSON.parse(run) as Rest
  const steps = rest.steps.map((calls, n) => ({ text: said[n + 1]!, calls }))
  return { ...rest, question: said[0]!, steps, answer: said.at(-1)! }
}

/** The run as it was, with the calls that are kept beside its head. */
export function withCalls(talk: Talk, encoded: Uint8Array): Run {
  // A run that goes on or was interrupted has none, not even encoded.
  const calls = encoded.length > 0 ? (decodeOwn(encoded) as string[]) : []
  const steps = talk.steps.map(({ text }, n) => ({ text, calls: JSON.parse(calls[n]!) as RunCall[] }))
  return { ...talk, steps }
}

/**
 * What becomes of texts where they are as long as the longest, or half as long, a quarter
 * and so on, until it fits.
 */
function fitting(
  texts: readonly string[],
  cutTo: (length: number) => string[],
  limit: number
): { value: readonly string[]; bytes: Uint8Array; cut: number | null } {
  const longest = Math.max(0, ...texts.map((text) => text.length))
  for (let length = longest; ; length = Math.floor(length / 2)) {
    const value = cutTo(length)
    const bytes = encode(value)
    if (bytes.length <= limit || length === 0) return { value, bytes, cut: length < longest ? length : null }
  }
}

function cutPlan({ text, handles, ignored }: RunPlan): RunPlan {
  return { text: text.slice(0, MAX_PLAN), handles, ignored: ignored.slice(0, MAX_IGNORED) }
}

function cutCall(call: RunCall, length: number): RunCall {
  const { input, args, result } = call
  const isLongInput = input.length > length
  return {
    ...call,
    input: input.slice(0, length),
    args: isLongInput ? input.slice(0, length) : args,
    result: result.slice(0, length)
  }
}

function told(what: string, length: number | null): string[] {
  return length === null
    ? []
    : [`In this transcript, ${what} of more than ${length} characters is cut to that.`]
}
