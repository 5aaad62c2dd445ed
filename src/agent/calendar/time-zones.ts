import { ianaZone, UTC, type Zone } from '../dates/zone.js'
import { describedZone } from './described-zone.js'
import type { CalendarLines } from './lines.js'
import type { Written } from './property.js'
import { WINDOWS_ZONES } from './windows-zones.js'
import { Work } from './work.js'

/** Names of zones in one calendar: there are fewer in the world. */
const MAX_NAMES = 1000
/** Steps that the rules of all zones of a calendar may take. */
const MAX_WORK = 2_000_000

/**
 * Finds the zone that a time of a calendar is in: a name means what the calendar’s own
 * VTIMEZONE says, else what IANA or Windows call so. A time without any is the person’s.
 *
 * @param own the person’s zone
 * @returns a function that gives undefined for a name that nothing explains
 */
export function zonesOf({ timeZones }: CalendarLines, own: Zone): (time: Written) => Zone | undefined {
  const known = new Map<string, Zone | undefined>()
  const work = new Work(MAX_WORK)
  for (const lines of timeZones) {
    const described = describedZone(lines, work)
    if (!described) continue
    // By its usual name where it has one: it may be the person’s own.
    const { name, offsetAt } = described
    known.set(name, { ...(zoneNamed(name) ?? { name, canonical: name }), offsetAt })
  }
  const named = (name: string) => {
    if (!known.has(name) && known.size < MAX_NAMES) known.set(name, zoneNamed(name))
    return known.get(name)
  }
  return ({ isUtc, zone }) => (isUtc ? UTC : zone === undefined ? own : named(zone))
}

/** By IANA’s name, also behind a prefix that some programs put before it; or by Windows’. */
function zoneNamed(name: string): Zone | undefined {
  const parts = name.split('/')
  const names = [WINDOWS_ZONES.get(name) ?? name, parts.slice(-3).join('/'), parts.slice(-2).join('/')]
  return names.map((each) => ianaZone(each)).find((zone) => zone !== undefined)
}
