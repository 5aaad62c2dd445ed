import { civilOf, dayOf, daysInMonth, daysInYear, weekdayOf, weekStartOf, type Day } from '../dates/civil.js'
import type { Rule } from './rule.js'

/** Whether a day is one of those that a rule names. */
export function fits(rule: Rule, day: Day): boolean {
  const { months, weeks, yearDays, monthDays, weekdays } = rule
  const { year, month, day: date } = civilOf(day)
  if (months && !months.includes(month)) return false
  if (monthDays && !isAmong(monthDays, date, daysInMonth(year, month))) return false
  const yearDay = day - dayOf(year, 1, 1) + 1
  if (yearDays && !isAmong(yearDays, yearDay, daysInYear(year))) return false
  if (weeks && !isAmong(weeks, ...weekOf(day, rule.weekStart))) return false
  if (!weekdays) return true

  const weekday = weekdayOf(day)
  // “The second Monday” is the month’s where a month is spoken of, else the year’s.
  const inMonth = rule.frequency === 'MONTHLY' || months !== undefined
  const [place, length] = inMonth ? [date, daysInMonth(year, month)] : [yearDay, daysInYear(year)]
  const isNth = rule.frequency === 'MONTHLY' || rule.frequency === 'YEARLY'
  return weekdays.some((each) => {
    if (each.weekday !== weekday) return false
    if (each.nth === 0 || !isNth) return true
    return each.nth > 0
      ? Math.ceil(place / 7) === each.nth
      : Math.ceil((length - place + 1) / 7) === -each.nth
  })
}

/** Whether one of `length`, counted from 1, is named: from the end by a negative number. */
function isAmong(named: readonly number[], value: number, length: number): boolean {
  return named.includes(value) || named.includes(value - length - 1)
}

/** A day’s week of the year, and how many that year has: week 1 has four days of it at least. */
function weekOf(day: Day, weekStart: number): [week: number, weeks: number] {
  const first = weekStartOf(day, weekStart)
  const { year } = civilOf(first + 3)
  const firstOf = (year: number) => weekStartOf(dayOf(year, 1, 4), weekStart)
  return [(first - firstOf(year)) / 7 + 1, (firstOf(year + 1) - firstOf(year)) / 7]
}
