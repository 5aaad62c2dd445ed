import {
  civilOf,
  DAY_SECONDS,
  dayOf,
  daysInMonth,
  daysInYear,
  weekdayOf,
  weekStartOf,
  type Day,
  type Wall
} from '../dates/civil.js'
import { filled, type Rule } from './rule.js'

/** Bounds what is worked out, in days and times that are looked at. */
export class Work {
  #left: number
  readonly #whole: Work | undefined

  /** @param whole of which this is a part: what is spent here is spent there too */
  constructor(steps: number, whole?: Work) {
    this.#left = steps
    this.#whole = whole
  }

  /** False when there is no more. */
  spend(steps: number): boolean {
    this.#left -= steps
    this.#whole?.spend(steps)
    return !this.isDone
  }

  get isDone(): boolean {
    return this.#left < 0 || (this.#whole?.isDone ?? false)
  }
}

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

/** The times of a period: every day of `days` at every second of `times`. */
interface Times {
  readonly days: readonly Day[]
  readonly times: readonly number[]
}

/** How a frequency divides time. */
interface Steps {
  /** The number of the period that a time is in. */
  indexOf(wall: Wall): number
  beginOf(index: number): Wall
  /** The first period from this one on that can hold a time, as far as is quickly seen. */
  skip(index: number): number
  timesOf(index: number): Times
}

function stepsOf(rule: Rule, start: Wall, work: Work): Steps {
  switch (rule.frequency) {
    case 'YEARLY':
    case 'MONTHLY':
    case 'WEEKLY':
    case 'DAILY':
      return daySteps(rule, start, work)
    case 'HOURLY':
      return clockSteps(rule, start, 3600, work)
    case 'MINUTELY':
      return clockSteps(rule, start, 60, work)
    case 'SECONDLY':
      return clockSteps(rule, start, 1, work)
  }
}

/** Periods of whole days. */
function daySteps(rule: Rule, start: Wall, work: Work): Steps {
  const { frequency, weekStart } = rule
  const [hour, minute, second] = clockOf(start)
  const times = timesOf(rule.hours ?? [hour], rule.minutes ?? [minute], rule.seconds ?? [second])
  work.spend(times.length)
  const weekZero = weekStartOf(0, weekStart)

  const firstOf = (index: number): Day => {
    if (frequency === 'YEARLY') return dayOf(index, 1, 1)
    if (frequency === 'MONTHLY') return dayOf(Math.floor(index / 12), (index % 12) + 1, 1)
    return frequency === 'WEEKLY' ? weekZero + index * 7 : index
  }
  return {
    indexOf: (wall) => {
      const day = Math.floor(wall / DAY_SECONDS)
      const { year, month } = civilOf(day)
      if (frequency === 'YEARLY') return year
      if (frequency === 'MONTHLY') return year * 12 + month - 1
      return frequency === 'WEEKLY' ? Math.floor((day - weekZero) / 7) : day
    },
    beginOf: (index) => firstOf(index) * DAY_SECONDS,
    skip: (index) => index,
    timesOf: (index) => {
      const days: Day[] = []
      const end = firstOf(index + 1)
      for (let day = firstOf(index); day < end && work.spend(1); day++) if (fits(rule, day)) days.push(day)
      return { days, times }
    }
  }
}

/** Periods of so many seconds: hours, minutes, seconds. */
function clockSteps(rule: Rule, start: Wall, length: number, work: Work): Steps {
  const { hours, minutes, seconds } = rule
  const [, startMinute, startSecond] = clockOf(start)
  // The day that was looked at last: there are up to 86,400 periods in one.
  let looked = { day: NaN, fits: false }

  const beyond = (wall: Wall, span: number) => (Math.floor(wall / span) + 1) * (span / length)
  return {
    indexOf: (wall) => Math.floor(wall / length),
    beginOf: (index) => index * length,
    skip: (index) => {
      const wall = index * length
      const day = Math.floor(wall / DAY_SECONDS)
      const [hour, minute] = clockOf(wall)
      work.spend(1)
      if (looked.day !== day) looked = { day, fits: fits(rule, day) }
      if (!looked.fits) return beyond(wall, DAY_SECONDS)
      if (hours && !hours.includes(hour)) return beyond(wall, 3600)
      return length < 3600 && minutes && !minutes.includes(minute) ? beyond(wall, 60) : index
    },
    timesOf: (index) => {
      const wall = index * length
      const [hour, minute, second] = clockOf(wall)
      const inHour = length === 3600 ? (minutes ?? [startMinute]) : [minute]
      const inMinute =
        length > 1 ? (seconds ?? [startSecond]) : [second].filter((each) => seconds?.includes(each) ?? true)
      return { days: [Math.floor(wall / DAY_SECONDS)], times: timesOf([hour], inHour, inMinute) }
    }
  }
}

function clockOf(wall: Wall): [hour: number, minute: number, second: number] {
  const second = wall - Math.floor(wall / DAY_SECONDS) * DAY_SECONDS
  return [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60]
}

/** Seconds of the day, in their order. */
function timesOf(hours: readonly number[], minutes: readonly number[], seconds: readonly number[]): number[] {
  const sorted = (values: readonly number[], below: number) =>
    [...new Set(values)].filter((value) => value < below).sort((a, b) => a - b)
  const inMinute = sorted(seconds, 60)
  const inHour = sorted(minutes, 60).flatMap((minute) => inMinute.map((second) => minute * 60 + second))
  return sorted(hours, 24).flatMap((hour) => inHour.map((second) => hour * 3600 + second))
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

/** Whether a day is one of those that a rule names. */
function fits(rule: Rule, day: Day): boolean {
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
