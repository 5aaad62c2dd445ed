import type { Clock } from '../../base/clock.js'
import { DAY_SECONDS, isoDate, two, weekdayOf } from '../dates/civil.js'
import { nowOf, type Now } from '../dates/now.js'
import { isoRange, periodOf } from '../dates/periods.js'
import { readRange } from '../dates/range.js'
import type { Locale } from '../locale.js'
import type { ToolAnswer, ToolRun } from '../tool-run.js'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/**
 * Today’s date and time where the person is, and the dates of the ranges that people speak
 * of, written as `query_calendar` takes them; or of the one range that is asked for.
 *
 * @throws SelkieError E_RANGE, E_RANGE_ORDER where that can’t be read
 */
export function currentDate({ clock, locale }: { clock: Clock; locale: Locale }): ToolRun {
  return ({ range }) => {
    const now = nowOf(clock, locale)
    const asked =
      typeof range === 'string' ? { range: isoRange(readRange(range, now)) } : { ranges: ranges(now) }
    return Promise.resolve({ ...today(now), ...asked })
  }
}

function today({ day, wall, zone, weekStart }: Now): ToolAnswer {
  const minute = Math.floor((wall - day * DAY_SECONDS) / 60)
  return {
    date: isoDate(day),
    weekday: WEEKDAYS[weekdayOf(day) - 1],
    time: `${two(Math.floor(minute / 60))}:${two(minute % 60)}`,
    timeZone: zone.name,
    weekStart: WEEKDAYS[weekStart - 1]
  }
}

function ranges(now: Now): Readonly<Record<string, string>> {
  const named = (['week', 'weekend', 'month', 'year'] as const).flatMap((unit) =>
    ['last', 'this', 'next'].map((which, i) => [`${which} ${unit}`, periodOf(unit, i - 1, now)] as const)
  )
  const days = ['yesterday', 'today', 'tomorrow'].map(
    (name, i) => [name, periodOf('day', i - 1, now)] as const
  )
  return Object.fromEntries([...days, ...named].map(([name, range]) => [name, isoRange(range)]))
}
