import { civilOf, dayOf, daysInMonth, isoDate, modulo, weekdayOf, weekStartOf, type Day } from './civil.js'
import type { Now } from './now.js'

/** Whole days, both ends among them. */
export interface DateRange {
  readonly from: Day
  readonly to: Day
}

export const UNITS = ['day', 'week', 'weekend', 'month', 'quarter', 'year'] as const
export type Unit = (typeof UNITS)[number]

/** The period of a kind that is `offset` periods after the one that today is in. */
export function periodOf(unit: Unit, offset: number, now: Now): DateRange {
  const { day, weekStart } = now
  const { year, month } = civilOf(day)
  if (unit === 'day') return days(day + offset, 1)
  if (unit === 'week') return days(weekStartOf(day, weekStart) + offset * 7, 7)
  if (unit === 'weekend') return weekendOf(day + offset * 7, now)
  if (unit === 'month') return months(year, month + offset, 1)
  if (unit === 'quarter') return months(year, month - modulo(month - 1, 3) + offset * 3, 3)
  return months(year + offset, 1, 12)
}

/** So many days from one on. */
export function days(from: Day, count: number): DateRange {
  return { from, to: from + count - 1 }
}

/** So many months from the beginning of one on. A month beyond 12 is one of a later year. */
export function months(year: number, month: number, count: number): DateRange {
  return { from: dayOf(year, month, 1), to: dayOf(year, month + count, 1) - 1 }
}

/** The day so many months later, or the last of its month where that has no such day. */
export function addMonths(day: Day, count: number): Day {
  const { year, month, day: date } = civilOf(day)
  const { year: toYear, month: toMonth } = civilOf(dayOf(year, month + count, 1))
  return dayOf(toYear, toMonth, Math.min(date, daysInMonth(toYear, toMonth)))
}

/** The weekend that a day is in, or the next one. */
function weekendOf(day: Day, { weekend }: Now): DateRange {
  const first = weekend[0]!
  const passed = modulo(weekdayOf(day) - first, 7)
  return days(passed < weekend.length ? day - passed : day - passed + 7, weekend.length)
}

/** A range as `query_calendar` takes it: a date, or two with a stroke between. */
export function isoRange({ from, to }: DateRange): string {
  return from === to ? isoDate(from) : `${isoDate(from)}/${isoDate(to)}`
}
