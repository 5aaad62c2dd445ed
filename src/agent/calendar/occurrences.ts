import { DAY_SECONDS, type Instant } from '../dates/civil.js'
import type { DateRange } from '../dates/periods.js'
import { instantAt, type Zone } from '../dates/zone.js'
import type { CalendarEvent, Time } from './event.js'
import { patternTimes } from './pattern.js'
import { windowOf, type Window } from './window.js'
import { Work } from './work.js'

/** An event at one of its times. */
export interface Occurrence {
  readonly event: CalendarEvent
  readonly start: Instant
  /** Not before the start. */
  readonly end: Instant
  /** Of an event of whole days, which are the same wherever one is. */
  readonly days: DateRange | undefined
  /** Undefined where it is in whole days. */
  readonly zone: Zone | undefined
  readonly isRecurring: boolean
}

/** Times of one event in a window, and steps to find them. */
export const MAX_REPEATS = 1000
const MAX_WORK = 500_000

/** Told where an event has more times than are worked out. */
export type OnBound = (event: CalendarEvent, bound: 'often' | 'work') => void

/**
 * The occurrences of one calendar’s events that touch a window, in no order.
 *
 * @param accepts whether an event is one of those that are asked for
 * @param work what all of them may take together
 */
export function* occurrencesIn(
  events: readonly CalendarEvent[],
  window: Window,
  accepts: (event: CalendarEvent) => boolean,
  work: Work,
  onBound: OnBound
): Generator<Occurrence> {
  for (const { patterns, changes } of series(events)) {
    const followed = changes.filter(({ replaces }) => replaces!.andFuture)
    for (const pattern of patterns)
      if (accepts(pattern) || followed.some(accepts))
        yield* repeated(pattern, changes, window, accepts, new Work(MAX_WORK, work), onBound)
    for (const change of changes) {
      const each = occurrence(change, change.start, true, window)
      if (touches(each, window) && accepts(change)) yield each
    }
  }
}

/** Events of one uid: what repeats, and what single times of it have become. */
interface Series {
  readonly patterns: readonly CalendarEvent[]
  readonly changes: readonly CalendarEvent[]
}

function series(events: readonly CalendarEvent[]): Series[] {
  const byUid = new Map<string, CalendarEvent[]>()
  const alone: CalendarEvent[][] = []
  for (const event of events) {
    const same = byUid.get(event.uid)
    if (event.uid === '') alone.push([event])
    else if (same) same.push(event)
    else byUid.set(event.uid, [event])
  }
  return [...byUid.values(), ...alone].map((events) => ({
    patterns: patternsOf(events),
    changes: changesOf(events)
  }))
}

/** The newest state. Two of the same number are two events of programs that don’t know what a uid is. */
function patternsOf(events: readonly CalendarEvent[]): CalendarEvent[] {
  const patterns = events.filter(({ replaces }) => !replaces)
  const newest = patterns.reduce((most, { sequence }) => Math.max(most, sequence), 0)
  return patterns.filter(({ sequence }) => sequence >= newest)
}

/** The newest change of each time. */
function changesOf(events: readonly CalendarEvent[]): CalendarEvent[] {
  const newest = new Map<string, CalendarEvent>()
  for (const event of events) {
    if (!event.replaces) continue
    const { wall, isDate, zone } = event.replaces.time
    const key = `${wall} ${isDate} ${zone.name}`
    const other = newest.get(key)
    if (!other || other.sequence <= event.sequence) newest.set(key, event)
  }
  return [...newest.values()]
}

/** The occurrences of a pattern that nothing else stands for. */
function* repeated(
  pattern: CalendarEvent,
  changes: readonly CalendarEvent[],
  window: Window,
  accepts: (event: CalendarEvent) => boolean,
  work: Work,
  onBound: OnBound
): Generator<Occurrence> {
  const isRecurring = pattern.rules.length > 0 || pattern.dates.length > 0
  if (!isRecurring && changes.length === 0) {
    const once = occurrence(pattern, pattern.start, false, window)
    if (touches(once, window)) yield once
    return
  }
  let found = 0
  for (const { event, time, length } of patternTimes(pattern, changes, window, work)) {
    const each = occurrence(event, time, isRecurring, window, length)
    if (!touches(each, window) || !accepts(event)) continue
    if (++found > MAX_REPEATS) {
      onBound(pattern, 'often')
      return
    }
    yield each
  }
  if (work.isDone) onBound(pattern, 'work')
}

function occurrence(
  event: CalendarEvent,
  { wall, isDate, zone }: Time,
  isRecurring: boolean,
  window: Window,
  length = event.length
): Occurrence {
  const { days, seconds } = length
  if (isDate) {
    const from = Math.floor(wall / DAY_SECONDS)
    const to = from + Math.max(1, days + Math.ceil(seconds / DAY_SECONDS)) - 1
    const { begin, end } = windowOf({ from, to }, window.zone)
    return { event, start: begin, end, days: { from, to }, zone: undefined, isRecurring }
  }
  const start = instantAt(zone, wall)
  const end = (days === 0 ? start : instantAt(zone, wall + days * DAY_SECONDS)) + seconds
  return { event, start, end: Math.max(start, end), days: undefined, zone, isRecurring }
}

function touches({ start, end, days }: Occurrence, window: Window): boolean {
  if (days) return days.from <= window.to && days.to >= window.from
  return start < window.end && (end > window.begin || start >= window.begin)
}
