import { DAY_SECONDS, isoWall, two, type Instant, type Wall } from './civil.js'

/** A time zone. */
export interface Zone {
  /** As it was asked for. */
  readonly name: string
  /** One name for all the names of a zone, as Asia/Kolkata and Asia/Calcutta. */
  readonly canonical: string
  /** Seconds east of UTC. */
  readonly offsetAt: (instant: Instant) => number
}

export const UTC: Zone = { name: 'UTC', canonical: 'UTC', offsetAt: () => 0 }

const known = new Map<string, Zone['offsetAt']>()

/** The zone of an IANA name, in any case; undefined where there is none. */
export function ianaZone(name: string): Zone | undefined {
  try {
    const canonical = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
    const offsetAt = known.get(canonical) ?? offsetsOf(canonical)
    known.set(canonical, offsetAt)
    return { name, canonical, offsetAt }
  } catch {
    return undefined
  }
}

/** Days whose offset is remembered, for each zone. */
const MAX_DAYS = 4000

function offsetsOf(name: string): Zone['offsetAt'] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  const asked = (instant: Instant) => {
    const found = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(format.format(instant * 1000))
    if (!found) return 0
    const [, sign, hours, minutes, seconds = '0'] = found
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
  }

  // Most days have one offset from end to end, and asking takes a microsecond or more.
  const days = new Map<number, number | null>()
  return (instant) => {
    const day = Math.floor(instant / DAY_SECONDS)
    let offset = days.get(day)
    if (offset === undefined) {
      const first = asked(day * DAY_SECONDS)
      offset = first === asked((day + 1) * DAY_SECONDS) ? first : null
      if (days.size === MAX_DAYS) days.clear()
      days.set(day, offset)
    }
    return offset ?? asked(instant)
  }
}

/**
 * When a zone’s clocks show a time. Of a time that they show twice it is the first; one that
 * they skip is taken with the offset from before (RFC 5545 §3.3.5), so 02:30 becomes 03:30.
 */
export function instantAt(zone: Zone, wall: Wall): Instant {
  // No offset is more than a day, and none changes twice in two days.
  const before = zone.offsetAt(wall - DAY_SECONDS)
  const after = zone.offsetAt(wall + DAY_SECONDS)
  if (before === after) return wall - before
  if (zone.offsetAt(wall - before) === before) return wall - before
  if (zone.offsetAt(wall - after) === after) return wall - after
  return wall - before
}

/** What a zone’s clocks show. */
export function wallAt(zone: Zone, instant: Instant): Wall {
  return instant + zone.offsetAt(instant)
}

/** As `2026-03-01T09:00+01:00`. */
export function isoInstant(zone: Zone, instant: Instant): string {
  return `${isoWall(wallAt(zone, instant))}${isoOffset(zone.offsetAt(instant))}`
}

/** As `+01:00`. */
export function isoOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60)
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
