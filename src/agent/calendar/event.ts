import { DAY_SECONDS, type Wall } from '../dates/civil.js'
import { instantAt, UTC, wallAt, type Zone } from '../dates/zone.js'
import type { Lines } from './lines.js'
import {
  lengthOf,
  properties,
  textOf,
  written,
  type Length,
  type Property,
  type Written
} from './property.js'
import { ruleOf, type Rule } from './rule.js'

/** A date, at its beginning, or a time in a zone. */
export interface Time {
  readonly wall: Wall
  readonly isDate: boolean
  readonly zone: Zone
}

/** A VEVENT: one event, the pattern of many, or what one of those has become. */
export interface CalendarEvent {
  /** Empty where it has none. */
  readonly uid: string
  /** Of two states of an event the later one has the higher. */
  readonly sequence: number
  readonly start: Time
  readonly length: Length
  readonly rules: readonly Rule[]
  /** Further times, with a length of their own where one is given. */
  readonly dates: readonly { readonly start: Time; readonly length: Length | undefined }[]
  readonly exceptions: readonly Time[]
  /** Which time of the pattern it stands for. */
  readonly replaces: { readonly time: Time; readonly andFuture: boolean } | undefined
  /** Read when somebody asks. */
  readonly text: () => EventText
}

export interface EventText {
  readonly title: string
  readonly place: string
  readonly notes: string
  readonly isCancelled: boolean
}

/** What the reader of an event is told of what couldn’t be taken as it is meant. */
export interface Flaws {
  /** A property that can’t be read. */
  readonly part: (name: string) => unknown
  /** A zone that isn’t known. */
  readonly zone: (name: string) => unknown
}

const TIMES = ['dtstart', 'dtend', 'duration', 'rrule', 'exrule', 'rdate', 'exdate', 'recurrence-id']
const TIME_NAMES = new Set([...TIMES, 'uid', 'sequence'])
/** Characters that are looked at: of a title, and of notes. */
const MAX_LINE = 1000
const MAX_NOTES = 50_000

const TEXT_NAMES = new Set(['summary', 'location', 'description', 'status'])

/**
 * The event of a VEVENT’s lines; undefined where it doesn’t say when it is.
 *
 * @param zoneOf gives undefined for a zone that isn’t known: the person’s `own` stands in for it
 */
export function eventOf(
  lines: Lines,
  zoneOf: (time: Written) => Zone | undefined,
  own: Zone,
  flaws: Flaws
): CalendarEvent | undefined {
  const found = properties(lines, TIME_NAMES, flaws.part)
  const all = (name: string) => found.get(name) ?? []

  const timeOf = (value: unknown, property: Property): Time | undefined => {
    const time = written(value, property)
    if (!time) return void flaws.part(property.name)
    const zone = zoneOf(time)
    if (!zone) flaws.zone(time.zone!)
    return { wall: time.wall, isDate: time.isDate, zone: zone ?? own }
  }
  const first = (name: string) => all(name).map((property) => timeOf(property.values[0], property))[0]
  const start = first('dtstart')
  if (!start) return undefined

  // A time without a zone, beside a start that has one, can only be meant in that.
  const besideStart = (value: unknown, property: Property): Time | undefined => {
    const time = timeOf(value, property)
    const isFloating = time && !written(value, property)!.isUtc && property.parameters.tzid === undefined
    return isFloating ? { ...time, zone: start.zone } : time
  }
  const replaces = all('recurrence-id').map((property) => {
    const time = besideStart(property.values[0], property)
    return time && { time, andFuture: String(property.parameters.range).toUpperCase() === 'THISANDFUTURE' }
  })[0]
  let text: EventText | undefined
  // Gone from the standard since 2009, and nobody writes it any more.
  if (found.has('exrule')) flaws.part('exrule')

  return {
    uid: (textOf(all('uid')[0]) ?? '').slice(0, MAX_LINE),
    sequence: sequenceOf(all('sequence')[0]),
    start,
    length: lengthFrom(start, first('dtend'), all('duration')[0], flaws),
    rules: all('rrule').flatMap(({ values, name }) => {
      const rule = ruleOf(values[0] as Record<string, unknown>, (until) => untilOf(until, start))
      if (!rule) flaws.part(name)
      return rule ?? []
    }),
    dates: all('rdate').flatMap((property) =>
      property.values.flatMap((value) => {
        const [from, to] = Array.isArray(value) ? (value as unknown[]) : [value]
        const time = besideStart(from, property)
        return time ? [{ start: time, length: periodLength(time, to, property) }] : []
      })
    ),
    exceptions: all('exdate').flatMap((property) =>
      property.values.flatMap((value) => besideStart(value, property) ?? [])
    ),
    replaces,
    text: () => (text ??= textIn(lines))
  }
}

/** Which revision of the event it is; 0 where that isn’t a number. */
function sequenceOf(property: Property | undefined): number {
  const [value] = property?.values ?? []
  // Of another type, as VALUE=RECUR makes it, it is an object.
  return typeof value === 'number' || typeof value === 'string' ? Number(value) || 0 : 0
}

/** The last wall time of a rule, by the clocks of its start: a date with all of its day. */
function untilOf(value: string, start: Time): Wall | undefined {
  const until = written(value, { parameters: {} })
  if (!until) return undefined
  if (until.isDate || start.isDate) return dayStart(until.wall) + DAY_SECONDS - 1
  return until.isUtc ? wallAt(start.zone, until.wall) : until.wall
}

/**
 * From start to end: as many seconds where an end is given, and what DURATION says
 * otherwise (RFC 5545 §3.8.5.3). Without both a date is its whole day, and a time a moment.
 */
function lengthFrom(
  start: Time,
  end: Time | undefined,
  duration: Property | undefined,
  flaws: Flaws
): Length {
  const length = duration && lengthOf(duration.values[0])
  if (duration && !length) flaws.part(duration.name)
  if (start.isDate) {
    const days = end ? (dayStart(end.wall) - start.wall) / DAY_SECONDS : length ? wholeDays(length) : 1
    return { days: Math.max(1, days), seconds: 0 }
  }
  if (end) return between(start, end)
  return length && length.days * DAY_SECONDS + length.seconds > 0 ? length : { days: 0, seconds: 0 }
}

function between(start: Time, end: Time): Length {
  const seconds = instantAt(end.zone, end.wall) - instantAt(start.zone, start.wall)
  return { days: 0, seconds: Math.max(0, seconds) }
}

/** Of a PERIOD: `to` is a time or a length. */
function periodLength(start: Time, to: unknown, { parameters }: Property): Length | undefined {
  if (to === undefined) return undefined
  const end = written(to, { parameters })
  if (!end) return lengthOf(to)
  return between(start, { wall: end.wall, isDate: false, zone: end.isUtc ? UTC : start.zone })
}

function wholeDays({ days, seconds }: Length): number {
  return days + Math.ceil(seconds / DAY_SECONDS)
}

function dayStart(wall: Wall): Wall {
  return Math.floor(wall / DAY_SECONDS) * DAY_SECONDS
}

/** What a VEVENT’s lines say besides when it is. */
export function textIn(lines: Lines): EventText {
  const found = properties(lines, TEXT_NAMES)
  const text = (name: string, length = MAX_LINE) =>
    (textOf(found.get(name)?.[0]) ?? '').slice(0, length).trim()
  return {
    title: text('summary'),
    place: text('location'),
    notes: text('description', MAX_NOTES),
    isCancelled: text('status').toUpperCase() === 'CANCELLED'
  }
}
