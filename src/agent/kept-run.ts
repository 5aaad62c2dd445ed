import type { Run, RunCall } from '../agent-api.js'
import { decodeOwn, encode } from '../base/msgpack.js'
import { MAX_BLOCK } from '../store/conversations.js'

/** Bytes for what a head has beside its run. */
const BESIDE = 64 * 1024

/** A run as its head in the log has it: of its calls only how many there were. */
export interface KeptRun extends Omit<Run, 'steps'> {
  steps: { text: string; calls: number }[]
}

/**
 * What the log keeps of a run: both parts fit into a block. Of one that is too large, the
 * longest texts are cut, results before all, and its truncations say to what.
 *
 * Both are JSON, for a model may have given arguments that the one encoding doesn’t take.
 */
export function keptRun(run: Run): { run: string; calls: Uint8Array } {
  const calls = fitting(
    run.steps.map((step) => step.calls),
    cutCalls,
    (calls) => encode(JSON.stringify(calls)),
    MAX_BLOCK
  )
  const truncations = [...run.truncations, ...calls.cuts.map(told('results'))]
  const steps = run.steps.map((step) => ({ text: step.text, calls: step.calls.length }))
  const whole: KeptRun = { ...run, steps, truncations }
  const head = fitting(whole, cutTexts, (kept) => encode(JSON.stringify(kept)), MAX_BLOCK - BESIDE)
  const kept = { ...head.value, truncations: [...truncations, ...head.cuts.map(told('texts'))] }
  return { run: JSON.stringify(kept), calls: calls.bytes }
}

/** A run out of its head. */
export function readKept(run: string): KeptRun {
  return JSON.parse(run) as KeptRun
}

/** A run with the calls that were kept beside its head. */
export function withCalls(kept: KeptRun, encoded: Uint8Array): Run {
  // What was interrupted has none.
  const calls = encoded.length > 0 ? (JSON.parse(decodeOwn(encoded) as string) as RunCall[][]) : []
  return { ...kept, steps: kept.steps.map(({ text }, n) => ({ text, calls: calls[n]! })) }
}

/** The value with its texts cut to half a block, a quarter and so on, until it fits. */
function fitting<T>(
  value: T,
  cut: (value: T, length: number) => T,
  encoded: (value: T) => Uint8Array,
  limit: number
): { value: T; bytes: Uint8Array; cuts: number[] } {
  let [fits, bytes] = [value, encoded(value)]
  let length = limit
  while (bytes.length > limit) {
    length = Math.floor(length / 2)
    fits = cut(value, length)
    bytes = encoded(fits)
  }
  return { value: fits, bytes, cuts: length < limit ? [length] : [] }
}

function cutCalls(calls: RunCall[][], length: number): RunCall[][] {
  const cut = (call: RunCall): RunCall => ({
    ...call,
    input: call.input.slice(0, length),
    args: call.input.length > length ? call.input.slice(0, length) : call.args,
    result: call.result.slice(0, length)
  })
  return calls.map((step) => step.map(cut))
}

function cutTexts(run: KeptRun, length: number): KeptRun {
  return {
    ...run,
    plan: run.plan && { ...run.plan, text: run.plan.text.slice(0, length) },
    steps: run.steps.map(({ text, calls }) => ({ text: text.slice(0, length), calls })),
    answer: run.answer.slice(0, length)
  }
}

function told(what: string): (length: number) => string {
  return (length) => `In this transcript, ${what} of more than ${length} characters were cut to that.`
}
