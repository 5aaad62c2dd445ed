import type { Run, RunCall } from '../agent-api.js'
import { decodeOwn, encode } from '../base/msgpack.js'
import { MAX_BLOCK, type Head } from '../store/conversations.js'

/** Bytes that a head may have; what is encoded with a run takes less than the rest. */
const MAX_HEAD = MAX_BLOCK - 64 * 1024

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
  const { question, steps, answer, ...rest } = run
  const texts = steps.map(({ text }) => text)
  // The last step of a run that is done is its answer.
  const said = [question, ...texts, ...(texts.at(-1) === answer ? [] : [answer])]
  const talk = fitting(
    said.map((text) => text.toWellFormed()),
    (said, length) => said.map((text) => text.slice(0, length).toWellFormed()),
    MAX_HEAD
  )
  const calls = fitting(
    steps.map((step) => JSON.stringify(step.calls)),
    (_, length) => steps.map((step) => JSON.stringify(step.calls.map((call) => cutCall(call, length)))),
    MAX_BLOCK
  )
  const cuts = [told('what was said', talk.cut), told('a result', calls.cut)].flat()
  const kept: Rest = {
    ...rest,
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
  // A run that was interrupted has none, not even encoded.
  const calls = encoded.length > 0 ? (decodeOwn(encoded) as string[]) : []
  const steps = talk.steps.map(({ text }, n) => ({ text, calls: JSON.parse(calls[n]!) as RunCall[] }))
  return { ...talk, steps }
}

/** The texts encoded, and cut to half of the limit, a quarter and so on until they fit. */
function fitting(
  texts: readonly string[],
  cut: (texts: readonly string[], length: number) => string[],
  limit: number
): { value: readonly string[]; bytes: Uint8Array; cut: number | null } {
  let [value, bytes, length] = [texts, encode(texts), limit]
  while (bytes.length > limit) {
    length = Math.floor(length / 2)
    value = cut(texts, length)
    bytes = encode(value)
  }
  return { value, bytes, cut: length < limit ? length : null }
}

function cutCall(call: RunCall, length: number): RunCall {
  const { input, args, result } = call
  const isLong = input.length > length
  return {
    ...call,
    input: input.slice(0, length),
    args: isLong ? input.slice(0, length) : args,
    result: result.slice(0, length)
  }
}

function told(what: string, length: number | null): string[] {
  return length === null
    ? []
    : [`In this transcript, ${what} of more than ${length} characters is cut to that.`]
}
