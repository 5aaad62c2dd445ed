import { DAY_SECONDS, type Instant } from '../dates/civil.js'
import type { DateRange } from '../dates/periods.js'
import { instantAt, type Zone } from '../dates/zone.js'

/** The days that are asked for, where the person is. */
export interface Window extends DateRange {
  readonly zone: Zone
  readonly begin: Instant
  /** The first instant after them. */
  readonly end: Instant
}

export function windowOf({ from, to }: DateRange, zone: Zone): Window {
  const begin = instantAt(zone, from * DAY_SECONDS)
  return { from, to, zone, begin, end: instantAt(zone, (to + 1) * DAY_SECONDS) }
}
