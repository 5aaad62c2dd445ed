import { DAY_SECONDS, type Instant, type Wall } from '../dates/civil.js'
import { instantAt, wallAt } from '../dates/zone.js'
import type { CalendarEvent, Time } from './event.js'
import type { Length } from './property.js'
import { recurrences } from './recurrence.js'
import type { Window } from './window.js'
import type { Work } from './work.js'

/** One time of a pattern, and the event that is then: the pattern, or what it became from some time on. */
export interface PatternTime {
  readonly event: CalendarEvent
  readonly time: Time
  readonly length: Length
}

/**
 * The times of a pattern around a window, each once: its start, its rules and its further
 * dates without the exceptions and without what a change stands for. The changes themselves
 * aren’t among them.
 *
 * @param changes of the same series
 */
export function* patternTimes(
  pattern: CalendarEvent,
  changes: readonly CalendarEvent[],
  window: Window,
  work: Work
): Generator<PatternTime> {
  const { start } = pattern
  if (!work.spend(changes.length + pattern.exceptions.length)) return
  const futures = futuresOf(pattern, changes)
  const reach = futures.reduce(
    (most, { event }) => Math.max(most, seconds(event.length)),
    seconds(pattern.length)
  )
  const shift = futures.reduce((most, { shift }) => Math.max(most, Math.abs(shift)), 0)
  // A day more on both sides: for clocks that are set, and for days that begin elsewhere.
  const bounds = {
    from: wallAt(start.zone, window.begin) - reach - shift - DAY_SECONDS,
    to: wallAt(start.zone, window.end) + shift + DAY_SECONDS
  }
  const isNear = ({ wall }: Time) => wall >= bounds.from - DAY_SECONDS && wall <= bounds.to + DAY_SECONDS
  const left = new Marks(
    pattern,
    [...pattern.exceptions, ...changes.map((each) => each.replaces!.time)].filter(isNear)
  )

  const seen = new Set<Instant>()
  for (const { time, length } of candidates(pattern, bounds, isNear, work)) {
    const at = placeOf(time)
    if (!work.spend(1 + futures.length)) return
    if (seen.has(at) || left.has(time, at)) continue
    seen.add(at)
    const future = futures.findLast((each) => each.from <= at)
    if (!future) yield { event: pattern, time, length }
    else yield { event: future.event, time: future.moved(time), length: future.event.length }
  }
}

function* candidates(
  { start, length, rules, dates }: CalendarEvent,
  bounds: { readonly from: Wall; readonly to: Wall },
  isNear: (time: Time) => boolean,
  work: Work
): Generator<{ time: Time; length: Length }> {
  // Further dates first: where one says how long it is, that counts.
  for (const date of dates) {
    if (!isNear(date.start)) continue
    yield { time: asStart(date.start, start), length: date.length ?? length }
  }
  // A rule that ended before it began is how some programs write that nothing is left.
  if (!rules.some(({ until = Infinity }) => until < start.wall)) yield { time: start, length }
  for (const rule of rules)
    for (const wall of recurrences(rule, start.wall, bounds, work)) yield { time: { ...start, wall }, length }
}

/**
 * A further date as the pattern would have it: in the zone of its start, at the start’s time
 * where it is a date alone, and as a date where the start is one.
 */
function asStart({ wall, isDate, zone }: Time, start: Time): Time {
  const day = dayStart(wall)
  if (start.isDate) return { ...start, wall: day }
  if (isDate) return { ...start, wall: day + (start.wall - dayStart(start.wall)) }
  return { ...start, wall: wallAt(start.zone, instantAt(zone, wall)) }
}

/** A change that holds for all that comes after it too. */
interface Future {
  readonly event: CalendarEvent
  readonly from: Instant
  /** Seconds, by the clock. */
  readonly shift: number
  /** Where it moves a time of the pattern to. */
  moved(time: Time): Time
}

function futuresOf(pattern: CalendarEvent, changes: readonly CalendarEvent[]): Future[] {
  return changes
    .filter(({ replaces }) => replaces!.andFuture)
    .map((event) => {
      const { time: replaced } = event.replaces!
      const { isDate, zone } = event.start
      const byItsClock = (time: Time) =>
        isDate || time.isDate ? time.wall : wallAt(zone, instantAt(time.zone, time.wall))
      const shift = event.start.wall - byItsClock(replaced)
      const moved = (time: Time) => {
        const wall = byItsClock(time) + shift
        return { wall: isDate ? dayStart(wall) : wall, isDate, zone }
      }
      const from = pattern.start.isDate ? dayStart(replaced.wall) : instantAt(replaced.zone, replaced.wall)
      return { event, from, shift, moved }
    })
    .sort((a, b) => a.from - b.from)
}

/** Times that are left out. A date stands for whatever the pattern has on it. */
class Marks {
  readonly #places = new Set<Instant>()
  readonly #days = new Set<Wall>()

  constructor({ start }: CalendarEvent, times: readonly Time[]) {
    for (const time of times)
      if (time.isDate || start.isDate) this.#days.add(dayStart(time.wall))
      else this.#places.add(placeOf(time))
  }

  has(time: Time, place: Instant): boolean {
    return this.#places.has(place) || this.#days.has(dayStart(time.wall))
  }
}

/** What tells one time of a pattern from another, and says which is first. */
function placeOf({ wall, isDate, zone }: Time): Instant {
  return isDate ? wall : instantAt(zone, wall)
}

function seconds({ days, seconds }: Length): number {
  return days * DAY_SECONDS + seconds
}

function dayStart(wall: Wall): Wall {
  return Math.floor(wall / DAY_SECONDS) * DAY_SECONDS
}
