import { civilOf, DAY_SECONDS, dayOf, type Instant, type Wall } from '../dates/civil.js'
import type { Zone } from '../dates/zone.js'
import type { Lines, TimeZoneLines } from './lines.js'
import { properties, textOf, written } from './property.js'
import { recurrences } from './recurrence.js'
import { ruleOf, type Rule } from './rule.js'
import { Work } from './work.js'

/** Steps that one observance may take: a yearly rule takes 366 for each of its years. */
const MAX_WORK = 200_000
/** Of what comes later, the rules as they are then. */
const LAST_YEAR = 2210

const NAMES = new Set(['tzid', 'dtstart', 'tzoffsetfrom', 'tzoffsetto', 'rrule', 'rdate'])

/** A time that clocks are set to, and when they are. */
interface Observance {
  readonly start: Wall
  /** Seconds east of UTC, before and after. */
  readonly before: number
  readonly after: number
  readonly rules: readonly Rule[]
  readonly dates: readonly Wall[]
}

interface Change {
  readonly at: Instant
  readonly before: number
  readonly after: number
}

/**
 * The zone that a VTIMEZONE describes; undefined where it has no name, or nothing that can be
 * read.
 *
 * @param work what its rules may take
 */
export function describedZone(
  { own, observances }: TimeZoneLines,
  work: Work
): Omit<Zone, 'canonical'> | undefined {
  const name = textOf(properties(own, NAMES).get('tzid')?.[0])
  const read = observances.map(observanceOf).filter((each) => each !== undefined)
  if (name === undefined || read.length === 0) return undefined

  // Rules without an end are worked out as far as somebody asks.
  let until = 0
  let changes: readonly Change[] = []
  const changesTo = (year: number) => {
    if (year > until && until < LAST_YEAR) {
      until = Math.min(Math.max(year + 10, 2040), LAST_YEAR)
      changes = read.flatMap((each) => changesOf(each, until, work)).sort((a, b) => a.at - b.at)
    }
    return changes
  }
  const offsetAt = (instant: Instant) => {
    const changes = changesTo(civilOf(Math.floor(instant / DAY_SECONDS)).year + 1)
    return changes[lastBefore(changes, instant)]?.after ?? changes[0]!.before
  }
  return { name, offsetAt }
}

function observanceOf(lines: Lines): Observance | undefined {
  const found = properties(lines, NAMES)
  const start = written(found.get('dtstart')?.[0]?.values[0], { parameters: {} })
  const before = offsetOf(textOf(found.get('tzoffsetfrom')?.[0]))
  const after = offsetOf(textOf(found.get('tzoffsetto')?.[0]))
  if (!start || before === undefined || after === undefined) return undefined

  const wallOf = (value: unknown, endOfDay = 0) => {
    const time = written(value, { parameters: {} })
    return time && time.wall + (time.isUtc ? before : 0) + (time.isDate ? endOfDay : 0)
  }
  const rules = (found.get('rrule') ?? [])
    .map(({ values }) =>
      ruleOf(values[0] as Record<string, unknown>, (until) => wallOf(until, DAY_SECONDS - 1))
    )
    // Nobody sets clocks every minute.
    .filter((rule) => rule?.frequency === 'YEARLY')
  const dates = (found.get('rdate') ?? []).flatMap(({ values }) => values.map((value) => wallOf(value)))
  const isThere = <T>(value: T | undefined) => value !== undefined
  return { start: start.wall, before, after, rules: rules.filter(isThere), dates: dates.filter(isThere) }
}

/** Seconds east of UTC, of `+01:00` or `-00:01:15`. */
function offsetOf(text: string | undefined): number | undefined {
  const [, sign, hours, minutes, seconds = '0'] =
    /^([+-])([01]\d|2[0-3]):(\d\d)(?::(\d\d))?$/.exec(text ?? '') ?? []
  if (sign === undefined) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

function changesOf(
  { start, before, after, rules, dates }: Observance,
  lastYear: number,
  whole: Work
): Change[] {
  // Before 1970 only what is said outright: nobody asks about the summer time of 1601.
  const window = { from: 0, to: dayOf(lastYear, 12, 31) * DAY_SECONDS }
  const work = new Work(MAX_WORK, whole)
  const onsets = [start, ...dates, ...rules.flatMap((rule) => [...recurrences(rule, start, window, work)])]
  return onsets.map((onset) => ({ at: onset - before, before, after }))
}

/** Where the last change at or before an instant is, or -1. */
function lastBefore(changes: readonly Change[], instant: Instant): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (changes[middle]!.at <= instant) low = middle + 1
    else high = middle
  }
  return low - 1
}
