import type { Clock } from '../../base/clock.js'
import type { Locale } from '../locale.js'
import { DAY_SECONDS, type Day, type Wall } from './civil.js'
import { ianaZone, UTC, wallAt, type Zone } from './zone.js'

/** What “today” means to the person. */
export interface Now {
  readonly day: Day
  readonly wall: Wall
  readonly zone: Zone
  /** 1 for Monday to 7 for Sunday. */
  readonly weekStart: number
  /** Days of the weekend, in their order. */
  readonly weekend: readonly number[]
}

export function nowOf(clock: Clock, locale: Locale): Now {
  const zone = ianaZone(locale.timeZone) ?? UTC
  const wall = wallAt(zone, Math.floor(clock.now() / 1000))
  const { weekStart, weekend = [6, 7] } = locale
  return { day: Math.floor(wall / DAY_SECONDS), wall, zone, weekStart, weekend }
}

/** The same person on another day, at noon. */
export function onDay(now: Now, day: Day): Now {
  return { ...now, day, wall: day * DAY_SECONDS + DAY_SECONDS / 2 }
}
