/** A component’s own lines, unfolded: those of the components in it are left out. */
export type Lines = readonly string[]

/** What one VCALENDAR holds. */
export interface CalendarLines {
  /** Its own properties, as its name. */
  readonly own: Lines
  readonly events: readonly Lines[]
  readonly timeZones: readonly TimeZoneLines[]
  /** Whether the file ends before it does. */
  readonly isCut: boolean
}

export interface TimeZoneLines {
  readonly own: Lines
  /** Its STANDARD and DAYLIGHT times. */
  readonly observances: readonly Lines[]
}

/** What there is something to know of: no alarms, tasks or journals. */
const KINDS = new Set(['VCALENDAR', 'VEVENT', 'VTIMEZONE', 'STANDARD', 'DAYLIGHT'])
/** Levels of components in components: VCALENDAR, VTIMEZONE, STANDARD, and room to spare. */
const MAX_DEPTH = 16

/**
 * Takes the text of an iCalendar file apart. It is taken as it comes: a component that isn’t
 * closed ends where the next of its kind begins or where the file does, and what isn’t in a
 * VCALENDAR counts as one more of them.
 */
export function calendarLines(text: string): CalendarLines[] {
  const calendars: CalendarLines[] = []
  const open: Frame[] = []
  const close = (to: number, isCut: boolean) => {
    while (open.length > to) put(open.pop()!, open, calendars, isCut)
  }

  for (const line of unfolded(text)) {
    const [, edge, kind] = EDGE.exec(line) ?? []
    if (edge === undefined) {
      const inner = open.at(-1)
      if (inner && KINDS.has(inner.name)) inner.lines.push(line)
      continue
    }
    const name = kind!.toUpperCase()
    // None of them may lie in another of its kind.
    const at = open.findLastIndex((frame) => frame.name === name)
    if (at !== -1) close(at, false)
    if (edge.toUpperCase() === 'BEGIN' && open.length < MAX_DEPTH)
      open.push({ name, lines: [], events: [], zones: [], parts: [] })
  }
  close(0, true)
  return calendars
}

interface Frame {
  readonly name: string
  readonly lines: string[]
  readonly events: Lines[]
  readonly zones: TimeZoneLines[]
  /** Of a VTIMEZONE. */
  readonly parts: Lines[]
}

const EDGE = /^(BEGIN|END):\s*([\w-]+)\s*$/i

/** Puts a component that ends into what it lies in. */
function put(frame: Frame, open: readonly Frame[], calendars: CalendarLines[], isCut: boolean): void {
  const { name, lines, events, zones, parts } = frame
  const outer = (name: string) => open.findLast((each) => each.name === name)
  if (name === 'VCALENDAR') calendars.push({ own: lines, events, timeZones: zones, isCut })
  else if (name === 'STANDARD' || name === 'DAYLIGHT') outer('VTIMEZONE')?.parts.push(lines)
  else if (name === 'VTIMEZONE') outer('VCALENDAR')?.zones.push({ own: lines, observances: parts })
  else if (name === 'VEVENT') {
    const calendar = outer('VCALENDAR')
    if (calendar) calendar.events.push(lines)
    else calendars.push({ own: [], events: [lines], timeZones: [], isCut })
  }
}

/** Lines end in CR LF, LF or CR; one that begins with a blank goes on with the one before. */
function* unfolded(text: string): Generator<string> {
  let line = ''
  for (const part of text.split(/[\r\n]+/)) {
    const isMore = part.startsWith(' ') || part.startsWith('\t')
    if (!isMore && line !== '') yield line
    line = isMore ? line + part.slice(1) : part
  }
  if (line !== '') yield line
}
