import { civilOf, DAY_SECONDS, dayOf, weekStartOf, type Day, type Wall } from '../dates/civil.js'
import { fits } from './fits.js'
import type { Rule } from './rule.js'
import type { Work } from './work.js'

/** The times of a period: every day of `days` at every second of `times`. */
export interface Times {
  readonly days: readonly Day[]
  readonly times: readonly number[]
}

/** How a frequency divides time. */
export interface Steps {
  /** The number of the period that a time is in. */
  indexOf(wall: Wall): number
  beginOf(index: number): Wall
  /** The first period from this one on that can hold a time, as far as is quickly seen. */
  skip(index: number): number
  timesOf(index: number): Times
}

/** The periods of a rule whose start is written out in it. */
export function stepsOf(rule: Rule, start: Wall, work: Work): Steps {
  const length = { HOURLY: 3600, MINUTELY: 60, SECONDLY: 1, DAILY: 0, WEEKLY: 0, MONTHLY: 0, YEARLY: 0 }[
    rule.frequency
  ]
  return length === 0 ? daySteps(rule, start, work) : clockSteps(rule, start, length, work)
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
