import { DAY_SECONDS, weekdayOf, civilOf, type Wall } from '../dates/civil.js'

export const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const
export type Frequency = (typeof FREQUENCIES)[number]

/** A recurrence rule (RFC 5545 §3.3.10), in the wall time of what it belongs to. */
export interface Rule {
  readonly frequency: Frequency
  readonly interval: number
  /** How many times in all, the start among them. */
  readonly count?: number
  /** The last time that may be. */
  readonly until?: Wall
  /** 1 for Monday to 7 for Sunday. */
  readonly weekStart: number
  readonly months?: readonly number[]
  /** As weeks, days of the year and of the month: from the end where negative. */
  readonly weeks?: readonly number[]
  readonly yearDays?: readonly number[]
  readonly monthDays?: readonly number[]
  /** `nth` is 0 for every one; else of the month or the year, from the end where negative. */
  readonly weekdays?: readonly { readonly weekday: number; readonly nth: number }[]
  readonly hours?: readonly number[]
  readonly minutes?: readonly number[]
  readonly seconds?: readonly number[]
  /** Which of the times of each period. */
  readonly positions?: readonly number[]
}

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/**
 * A rule as iCalendar’s parser gives it.
 *
 * @param untilOf the wall time of an UNTIL, a date’s being its last second
 * @returns undefined where it says nothing that could be followed
 */
export function ruleOf(
  parts: Readonly<Record<string, unknown>>,
  untilOf: (value: string) => Wall | undefined
): Rule | undefined {
  const frequency = FREQUENCIES.find((each) => each === parts.freq)
  if (!frequency) return undefined
  const until = parts.until === undefined ? undefined : untilOf(parts.until as string)
  if (parts.until !== undefined && until === undefined) return undefined

  const numbers = (name: string) => (parts[name] === undefined ? undefined : [parts[name]].flat().map(Number))
  const entries = Object.entries({
    count: parts.count === undefined ? undefined : Number(parts.count),
    until,
    months: numbers('bymonth'),
    weeks: numbers('byweekno'),
    yearDays: numbers('byyearday'),
    monthDays: numbers('bymonthday'),
    weekdays: weekdays(parts.byday),
    hours: numbers('byhour'),
    minutes: numbers('byminute'),
    seconds: numbers('bysecond'),
    positions: numbers('bysetpos')
  })
  // The parser counts weekdays from Sunday, as 1.
  const weekStart = parts.wkst === undefined ? 1 : ((Number(parts.wkst) + 5) % 7) + 1
  const given = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  return { frequency, interval: Number(parts.interval ?? 1), weekStart, ...given }
}

function weekdays(byday: unknown): Rule['weekdays'] {
  if (byday === undefined) return undefined
  return ([byday].flat() as string[]).map((each) => {
    const [, nth = '0', name] = /^([+-]?\d+)?(..)$/.exec(each)!
    return { weekday: WEEKDAYS.indexOf(name!) + 1, nth: Number(nth) }
  })
}

/** The rule with what it leaves to its start written out: “monthly” is on the start’s day. */
export function filled(rule: Rule, start: Wall): Rule {
  const day = Math.floor(start / DAY_SECONDS)
  const { month, day: date } = civilOf(day)
  const { frequency, months, weeks, yearDays, monthDays, weekdays } = rule
  if (weekdays || monthDays || yearDays) return rule
  const onWeekday = { ...rule, weekdays: [{ weekday: weekdayOf(day), nth: 0 }] }
  if (frequency === 'WEEKLY') return onWeekday
  if (frequency === 'MONTHLY') return { ...rule, monthDays: [date] }
  if (frequency !== 'YEARLY') return rule
  return weeks ? onWeekday : { ...rule, monthDays: [date], months: months ?? [month] }
}
