import { DAY_SECONDS, type Wall } from '../dates/civil.js'
import { filled, type Rule } from './rule.js'
import { stepsOf, type Times } from './steps.js'
import type { Work } from './work.js'

/**
 * The times of a rule after its start, in their order, as far as they can lie in a window;
 * also some before it where the rule counts. The start itself is always the first of a
 * recurrence, whether or not it fits the rule (RFC 5545 §3.8.5.3), and not given here.
 *
 * Periods of the rule’s frequency are gone through from the window’s begin, days in them are
 * held against the rule, and times of the day are put to those that fit.
 *
 * @param work ends it early when it is done
 */
export function* recurrences(
  rule: Rule,
  start: Wall,
  window: { readonly from: Wall; readonly to: Wall },
  work: Work
): Generator<Wall> {
  const { interval, count = Infinity, until = Infinity } = rule
  const steps = stepsOf(filled(rule, start), start, work)
  const last = Math.min(until, window.to)
  const origin = steps.indexOf(start)
  let index = origin
  if (count === Infinity && window.from > start)
    index += Math.ceil((steps.indexOf(window.from) - origin) / interval) * interval

  let given = 1
  for (; !work.isDone && steps.beginOf(index) <= last; index += interval) {
    const beyond = steps.skip(index)
    if (beyond > index) {
      // To the last index of the phase before what can fit, from which the loop goes on.
      index += (Math.ceil((beyond - index) / interval) - 1) * interval
      continue
    }
    for (const wall of picked(steps.timesOf(index), rule.positions)) {
      if (wall <= start) continue
      if (wall > last || given >= count || !work.spend(1)) return
      given++
      yield wall
    }
  }
}

/** The times of a period, or those at some positions among them. */
function* picked({ days, times }: Times, positions: readonly number[] | undefined): Generator<Wall> {
  const size = days.length * times.length
  const at = (i: number) => days[Math.floor(i / times.length)]! * DAY_SECONDS + times[i % times.length]!
  if (!positions) {
    for (let i = 0; i < size; i++) yield at(i)
    return
  }
  const chosen = new Set(positions.map((position) => (position > 0 ? position - 1 : size + position)))
  for (const i of [...chosen].sort((a, b) => a - b)) if (i >= 0 && i < size) yield at(i)
}
