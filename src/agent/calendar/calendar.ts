import type { Zone } from '../dates/zone.js'
import { decode } from './decode.js'
import { eventOf, textIn, type CalendarEvent } from './event.js'
import { calendarLines, type CalendarLines } from './lines.js'
import { shortTitle, type Problems } from './problems.js'
import { properties, textOf } from './property.js'
import { zonesOf } from './time-zones.js'

/** What one VCALENDAR of a file holds. */
export interface Calendar {
  /** Undefined where it has none. */
  readonly name: string | undefined
  readonly events: readonly CalendarEvent[]
  /** Somebody sent it to call its events off. */
  readonly isCancelling: boolean
}

const NAMES = new Set(['x-wr-calname', 'name', 'method'])

/**
 * The calendars in an `.ics` file. Whatever its bytes are, they are taken as far as they make
 * sense, and what doesn’t is a problem.
 *
 * @param own the person’s zone, in which times without one are
 */
export function calendarsIn(bytes: Uint8Array, own: Zone, problems: Problems): Calendar[] {
  const { text, isGuessed } = decode(bytes)
  const found = calendarLines(text)
  if (found.length === 0) problems.say('D_CALENDAR_FORM')
  else if (isGuessed) problems.say('D_CALENDAR_ENCODING')
  if (found.some(({ isCut }) => isCut)) problems.say('D_CALENDAR_CUT')
  return found.map((lines) => calendarOf(lines, own, problems))
}

function calendarOf(lines: CalendarLines, own: Zone, problems: Problems): Calendar {
  const zoneOf = zonesOf(lines, own)
  const events = lines.events.flatMap((event) => {
    const parts: string[] = []
    const zones: string[] = []
    const flaws = { part: (name: string) => parts.push(name), zone: (name: string) => zones.push(name) }
    const read = eventOf(event, zoneOf, own, flaws)
    const [part] = parts
    if (!read) problems.say('D_EVENT', { title: shortTitle(textIn(event).title) })
    else if (part !== undefined)
      problems.say('D_EVENT_PART', { title: shortTitle(read.text().title), part: part.toUpperCase() })
    for (const zone of read ? zones : [])
      problems.say('D_EVENT_ZONE', { zone: shortTitle(zone), own: own.name }, zone)
    return read ?? []
  })
  const about = properties(lines.own, NAMES)
  const text = (name: string) =>
    textOf(about.get(name)?.[0])
      ?.replace(/\\([\\;,])/g, '$1')
      .trim()
  const isCancelling = text('method')?.toUpperCase() === 'CANCEL'
  return { name: text('x-wr-calname') || text('name') || undefined, events, isCancelling }
}
