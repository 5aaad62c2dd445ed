import { DAY_SECONDS, type Day, type Instant, type Wall } from '../dates/civil.js'
import type { DateRange } from '../dates/periods.js'
import { instantAt, wallAt, type Zone } from '../dates/zone.js'
import type { CalendarEvent, Time } from './event.js'
import type { Length } from './property.js'
import { recurrences, Work } from './recurrence.js'

/** An event at one of its times. */
export interface Occurrence {
  readonly event: CalendarEvent
  readonly start: Instant
  /** Not before the start. */
  readonly end: Instant
  /** Of an event of whole days, which are the same wherever one is. */
  readonly days: DateRange | undefined
  readonly isRecurring: boolean
}

/** Days where a person is. */
export interface Window extends DateRange {
  readonly zone: Zone
}

/** What one event may cost: times of it in a range, and steps to find them. */
export const MAX_REPEATS = 1000
const MAX_WORK = 500_000

/** Told where an event has more times than are worked out. */
export type OnBound = (bound: 'often' | 'work', event: CalendarEvent) => void

/**
 * The occurrences of a calendar’s events that touch a window, in no order.
 *
 * @param accepts whether an event is one of those that are asked for
 * @param work steps that all of them may take together
 */
export function occurrencesIn(
  events: readonly CalendarEvent[],
  window: Window,
  accepts: (event: CalendarEvent) => boolean,
  work: Work,
  onBound: OnBound
): Occurrence[] {
  const series = new Map<string, CalendarEvent[]>()
  const alone: CalendarEvent[][] = []
  for (const event of events) {
    const same = series.get(event.uid)
    if (event.uid === '') alone.push([event])
    else if (same) same.push(event)
    else series.set(event.uid, [event])
  }
  return [...series.values(), ...alone].flatMap((events) => {
    const patterns = newest(events.filter(({ replaces }) => !replaces), () => '')
    const changes = newest(events.filter(({ replaces }) => replaces), ({ replaces }) => timeKey(replaces!.time))
    const changed = changes.filter(accepts).map((event) => occurrenceOf(event, event.start, window, true))
    const futures = changes.filter(({ replaces }) => replaces!.andFuture)
    const kept = patterns.filter((pattern) => [pattern, ...futures].some(accepts))
    return [...kept.flatMap((pattern) => patternIn(pattern, changes, window, work, onBound)), ...changed].filter(
      (each) => accepts(each.event) && isIn(each, window)
    )
  })
}
