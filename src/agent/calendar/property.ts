import ICAL from 'ical.js'
import { DAY_SECONDS, dayFrom, type Wall } from '../dates/civil.js'
import type { Lines } from './lines.js'

/** One property of a component, its values as iCalendar’s parser gives them. */
export interface Property {
  /** Lower case. */
  readonly name: string
  /** By lower-case name. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly values: readonly unknown[]
}

/** A date or a time as it is written. */
export interface Written {
  readonly wall: Wall
  readonly isDate: boolean
  readonly isUtc: boolean
  /** A name of a time zone, where one is given. */
  readonly zone?: string
}

/**
 * The properties of some names, by name. A line that can’t be read is left out where
 * something can do without it.
 *
 * @param onBroken told the name of the property of such a line
 */
export function properties(
  lines: Lines,
  names: ReadonlySet<string>,
  onBroken: (name: string) => void = () => {}
): Map<string, Property[]> {
  const found = new Map<string, Property[]>()
  for (const line of lines) {
    const name = /^[\w-]+(?=[:;])/.exec(line)?.[0].toLowerCase()
    if (name === undefined || !names.has(name)) continue
    const property = read(line)
    const same = found.get(name)
    if (!property) onBroken(name)
    else if (same) same.push(property)
    else found.set(name, [property])
  }
  return found
}

// Up to the colon that the value begins behind.
const HEAD = /^[^":]*(?:"[^"]*"[^":]*)*:/
/** Characters of a name with its parameters: the parser reads them the slower the more there are. */
const MAX_HEAD = 2048

function read(line: string): Property | undefined {
  if ((HEAD.exec(line)?.[0].length ?? Infinity) > MAX_HEAD) return undefined
  try {
    const [name, parameters, , ...values] = ICAL.parse.property(line) as [
      string,
      Record<string, unknown>,
      string,
      ...unknown[]
    ]
    return { name, parameters, values }
  } catch {
    return undefined
  }
}

/** The text of a property, or undefined where it has none. */
export function textOf(property: Property | undefined): string | undefined {
  const value = property?.values[0]
  return typeof value === 'string' ? value : undefined
}

// The parser writes hyphens and colons between whatever it finds, and leaves them where a
// date stands for a time.
const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:T(?::+|(\d\d):(\d\d):(\d\d)?(Z)?))?$/

/** A value of a property as a date or a time; undefined where it is none. */
export function written(value: unknown, { parameters }: Pick<Property, 'parameters'>): Written | undefined {
  const parts = typeof value === 'string' ? TIME.exec(value) : null
  if (!parts) return undefined
  const [year, month, date, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0))
  const day = dayFrom(year!, month!, date!)
  if (day === undefined || hour! > 24 || minute! > 59 || second! > 60) return undefined
  const wall = day * DAY_SECONDS + hour! * 3600 + minute! * 60 + Math.min(second!, 59)
  const isUtc = parts[7] !== undefined
  const zone = parameters.tzid
  const named = typeof zone === 'string' && zone !== '' && !isUtc ? { zone } : {}
  return { wall, isDate: parts[4] === undefined, isUtc, ...named }
}

/** A length of time: days count as days of the clock, seconds as they pass. */
export interface Length {
  readonly days: number
  readonly seconds: number
}

/** Nothing lasts longer, in days: it would end beyond what a date can be. */
const MAX_DAYS = 40_000

/** What a DURATION says; undefined where it is none, or one that nobody means. */
export function lengthOf(value: unknown): Length | undefined {
  try {
    const { weeks, days, hours, minutes, seconds, isNegative } = ICAL.Duration.fromString(String(value))
    const sign = isNegative ? -1 : 1
    const length = {
      days: sign * (weeks * 7 + days),
      seconds: sign * (hours * 3600 + minutes * 60 + seconds)
    }
    return Math.abs(length.days) + Math.abs(length.seconds) / DAY_SECONDS <= MAX_DAYS ? length : undefined
  } catch {
    return undefined
  }
}
