import type { Clock } from '../../base/clock.js'
import type { Diagnostic } from '../../api.js'
import { diagnostic } from '../../folders/diagnostics.js'
import { queryEvents, type FoundEvent } from '../calendar/query.js'
import { isoDate } from '../dates/civil.js'
import { nowOf } from '../dates/now.js'
import { readRange } from '../dates/range.js'
import { isoInstant, UTC, type Zone } from '../dates/zone.js'
import type { Grants } from '../grants.js'
import type { Locale } from '../locale.js'
import type { ToolAnswer, ToolRun } from '../tool-run.js'

/** Events and problems of one answer. */
const MAX_EVENTS = 100
const MAX_PROBLEMS = 20
/** Characters of a title or a place, and of notes. */
const MAX_LINE = 200
const MAX_NOTES = 300

/**
 * The events of the granted calendars in a range of whole days, the earliest first. Times are
 * the person’s; of an event of whole days, `end` is its last day, as `to` is of the range.
 * `more` counts the events that didn’t fit.
 *
 * @throws SelkieError E_NOT_GRANTED; E_RANGE, E_RANGE_ORDER where the range can’t be read
 */
export function queryCalendar(needs: { grants: Grants; clock: Clock; locale: Locale }): ToolRun {
  return async (args, signal) => {
    const { grants, clock, locale } = needs
    grants.require('calendar')
    const now = nowOf(clock, locale)
    const range = readRange(String(args.range), now)
    const words = typeof args.words === 'string' ? args.words.split(/\s+/).filter((word) => word !== '') : []
    const { zone } = now
    const { found, problems } = await queryEvents(grants.calendars, { range, zone, words }, signal)
    return {
      range: { from: isoDate(range.from), to: isoDate(range.to), timeZone: zone.name },
      events: found.slice(0, MAX_EVENTS).map((event) => shown(event, zone)),
      problems: someOf(problems),
      more: Math.max(0, found.length - MAX_EVENTS)
    }
  }
}

function shown({ start, end, days, zone, text, calendar, isRecurring }: FoundEvent, own: Zone): ToolAnswer {
  const isElsewhere = zone && zone.canonical !== own.canonical && zone.canonical !== UTC.canonical
  return {
    title: cut(text.title, MAX_LINE),
    start: days ? isoDate(days.from) : isoInstant(own, start),
    end: days ? isoDate(days.to) : isoInstant(own, end),
    allDay: days !== undefined,
    ...(text.place && { place: cut(text.place, MAX_LINE) }),
    ...(text.notes && { notes: cut(text.notes, MAX_NOTES) }),
    calendar: cut(calendar, MAX_LINE),
    ...(isElsewhere && { zone: cut(zone.name, MAX_LINE) }),
    ...(text.isCancelled && { cancelled: true }),
    ...(isRecurring && { recurring: true })
  }
}

function cut(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 2 + 2))
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text
}

function someOf(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  if (problems.length <= MAX_PROBLEMS) return problems
  const count = problems.length - MAX_PROBLEMS
  return [...problems.slice(0, MAX_PROBLEMS), diagnostic('D_CALENDAR_PROBLEMS', {}, { count })]
}
