/** A day of the proleptic Gregorian calendar: days since 1970-01-01. */
export type Day = number

/** A time as a clock on a wall shows it: seconds since 1970-01-01T00:00 on that clock. */
export type Wall = number

/** A point in time: seconds since 1970-01-01T00:00 UTC. */
export type Instant = number

export const DAY_SECONDS = 86_400

export interface Civil {
  readonly year: number
  /** From 1. */
  readonly month: number
  /** From 1. */
  readonly day: number
}

/** The day of a date. A month or a day beyond its bounds runs over into the next or the last. */
export function dayOf(year: number, month: number, day: number): Day {
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month - 1, day) / (DAY_SECONDS * 1000)
}

export function civilOf(day: Day): Civil {
  const date = new Date(day * DAY_SECONDS * 1000)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: Day): number {
  return modulo(day + 3, 7) + 1
}

/** The day on which the week of a day begins, in weeks that begin on the weekday `start`. */
export function weekStartOf(day: Day, start: number): Day {
  return day - modulo(weekdayOf(day) - start, 7)
}

export function daysInMonth(year: number, month: number): number {
  return month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

export function daysInYear(year: number): number {
  return isLeap(year) ? 366 : 365
}

/** As `2026-03-01`. */
export function isoDate(day: Day): string {
  const { year, month, day: date } = civilOf(day)
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`
}

/** As `2026-03-01T09:00`; with seconds where there are any. */
export function isoWall(wall: Wall): string {
  const day = Math.floor(wall / DAY_SECONDS)
  const second = wall - day * DAY_SECONDS
  const clock = `${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}`
  return `${isoDate(day)}T${clock}${second % 60 === 0 ? '' : `:${two(second % 60)}`}`
}

/** The day that a date says, or undefined where there is no such day. */
export function dayFrom(year: number, month: number, day: number): Day | undefined {
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  return exists ? dayOf(year, month, day) : undefined
}

/** What is left of a division, never negative. */
export function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

export function two(value: number): string {
  return String(value).padStart(2, '0')
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
