import { DAY_SECONDS, dayFrom, dayOf, weekStartOf } from './civil.js'
import type { Now } from './now.js'
import { days, months, type DateRange } from './periods.js'
import { wallAt } from './zone.js'

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const MONTH = /^(\d{4})-(\d\d)$/
const YEAR = /^(\d{4})$/
const WEEK = /^(\d{4})-?w(\d\d)$/
const TIME = /^(\d{4})-(\d\d)-(\d\d)[t ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(z|[+-]\d\d:?\d\d)?$/

/**
 * The days of an ISO 8601 date, month, week, year or time, in lower case. A time is its whole
 * day; one with an offset the day that it falls on where the person is. Undefined for any
 * other text; null for a date that there isn’t.
 *
 * @param isEnd of a range: a time at midnight is then the end of the day before
 */
export function isoDays(text: string, now: Now, isEnd = false): DateRange | null | undefined {
  const date = DATE.exec(text)?.map(Number)
  if (date) return single(dayFrom(date[1]!, date[2]!, date[3]!))
  const month = MONTH.exec(text)?.map(Number)
  if (month) return month[2]! >= 1 && month[2]! <= 12 ? months(month[1]!, month[2]!, 1) : null
  const year = YEAR.exec(text)
  if (year) return months(Number(year[1]), 1, 12)
  const week = WEEK.exec(text)?.map(Number)
  if (week) return isoWeek(week[1]!, week[2]!)
  const time = TIME.exec(text)
  return time ? dayOfTime(time, now, isEnd) : undefined
}

function single(day: number | undefined): DateRange | null {
  return day === undefined ? null : days(day, 1)
}

/** Week 1 is the one with 4 January in it; ISO weeks begin on Monday wherever one is. */
function isoWeek(year: number, week: number): DateRange | null {
  const first = weekStartOf(dayOf(year, 1, 4), 1)
  const next = weekStartOf(dayOf(year + 1, 1, 4), 1)
  const from = first + (week - 1) * 7
  return week >= 1 && from < next ? days(from, 7) : null
}

function dayOfTime(time: RegExpExecArray, now: Now, isEnd: boolean): DateRange | null {
  const [year, month, date, hour, minute, second] = time.slice(1, 7).map((part) => Number(part ?? 0))
  const day = dayFrom(year!, month!, date!)
  if (day === undefined || hour! > 24 || minute! > 59 || second! > 60) return null
  const wall = day * DAY_SECONDS + hour! * 3600 + minute! * 60 + second!
  const here = time[7] === undefined ? wall : wallAt(now.zone, wall - eastOf(time[7]))
  return days(Math.floor((here - (isEnd ? 1 : 0)) / DAY_SECONDS), 1)
}

/** Seconds east of UTC, of `z` or an offset such as `+01:00`. */
function eastOf(offset: string): number {
  if (offset === 'z') return 0
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset)!
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}
