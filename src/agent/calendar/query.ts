import type { Diagnostic } from '../../api.js'
import { diagnostic } from '../../folders/diagnostics.js'
import type { DateRange } from '../dates/periods.js'
import type { Zone } from '../dates/zone.js'
import { calendarsIn, type Calendar } from './calendar.js'
import type { CalendarEvent, EventText } from './event.js'
import { calendarFiles } from './files.js'
import { MAX_REPEATS, occurrencesIn, type OnBound, type Occurrence } from './occurrences.js'
import { Problems, shortTitle } from './problems.js'
import { windowOf } from './window.js'
import { Work } from './work.js'

/** Steps that the rules of all events may take together. */
const MAX_WORK = 4_000_000
/** Occurrences that are gathered. */
const MAX_FOUND = 20_000

/** What is asked for. */
export interface Query {
  readonly range: DateRange
  /** The person’s. */
  readonly zone: Zone
  /** Each must be in an event’s title, place or notes; in any case. */
  readonly words: readonly string[]
}

/** An occurrence with what is told of it. */
export interface FoundEvent extends Occurrence {
  readonly text: EventText
  /** The name of the calendar that it is from. */
  readonly calendar: string
}

/**
 * The events of the granted calendars on some days, the earliest first; one that several
 * calendars hold alike once. What couldn’t be read, or not all of it, is a problem.
 */
export async function queryEvents(
  granted: readonly string[],
  { range, zone, words }: Query,
  signal: AbortSignal
): Promise<{ found: FoundEvent[]; problems: Diagnostic[] }> {
  const window = windowOf(range, zone)
  const accepts = acceptor(words)
  const work = new Work(MAX_WORK)
  const found = new Map<string, FoundEvent>()
  const all: Diagnostic[] = []
  let left = MAX_FOUND

  for await (const { path, bytes } of calendarFiles(granted, (problem) => all.push(problem), signal)) {
    const problems = new Problems(path)
    for (const calendar of calendarsIn(bytes, zone, problems))
      for (const each of occurrencesIn(calendar.events, window, accepts, work, boundsIn(problems))) {
        if (--left < 0) break
        const event = foundIn(calendar, path, each)
        const { start, end, text } = event
        const key = JSON.stringify([each.event.uid, start, end, text.title, text.place, text.isCancelled])
        if (!found.has(key)) found.set(key, event)
      }
    for (const problem of problems.all) all.push(problem)
    if (left < 0) {
      all.push(diagnostic('D_EVENTS', {}, { limit: MAX_FOUND }))
      break
    }
  }
  return { found: [...found.values()].sort(inOrder), problems: all }
}

/** Whether an event has all the words; each is read for it once. */
function acceptor(words: readonly string[]): (event: CalendarEvent) => boolean {
  const folded = words.map(fold)
  const verdicts = new WeakMap<CalendarEvent, boolean>()
  return (event) => {
    if (folded.length === 0) return true
    let verdict = verdicts.get(event)
    if (verdict === undefined) {
      const { title, place, notes } = event.text()
      const text = fold(`${title}\n${place}\n${notes}`)
      verdict = folded.every((word) => text.includes(word))
      verdicts.set(event, verdict)
    }
    return verdict
  }
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

function boundsIn(problems: Problems): OnBound {
  return ({ uid, text }, bound) => {
    const fields = { title: shortTitle(text().title), limit: MAX_REPEATS }
    problems.say(bound === 'often' ? 'D_EVENT_OFTEN' : 'D_EVENT_WORK', fields, uid)
  }
}

/**
 * Named after its calendar: by that’s own name; else by its file’s, or its folder’s where
 * each event has a file that is called like its uid.
 */
function foundIn({ name, events, isCancelling }: Calendar, path: string, occurrence: Occurrence): FoundEvent {
  const text = occurrence.event.text()
  const [file = '', folder] = path.split(/[/\\]/).reverse()
  const stem = file.replace(/\.ics$/i, '')
  const calendar = name ?? (folder !== undefined && events[0]?.uid === stem ? folder : stem)
  return { ...occurrence, text: { ...text, isCancelled: text.isCancelled || isCancelling }, calendar }
}

/** Of two that begin at once the one of whole days first, then the longer one. */
function inOrder(a: FoundEvent, b: FoundEvent): number {
  return (
    a.start - b.start ||
    Number(b.days !== undefined) - Number(a.days !== undefined) ||
    b.end - a.end ||
    (a.text.title < b.text.title ? -1 : 1)
  )
}
