import { casual, type ParsedResult } from 'chrono-node/en'
import { civilOf, DAY_SECONDS, dayFrom, weekdayOf, type Day } from './civil.js'
import type { Now } from './now.js'
import { days, months, type DateRange } from './periods.js'

type Components = ParsedResult['start']

/** What may stand around a date without changing which one it is. */
const FILLER = /^(?:\s|,|\b(?:on|in|at|the|for|of|by|around|about|during|all|whole|day|date)\b)*$/

/** Chrono knows weeks and months by its own lights; only counts of them are the same for all. */
const PERIOD = /\b(?:week|weekend|weekday|fortnight|month|quarter|year)s?\b/
const COUNTED = /^(?:in|within) |\b(?:ago|from now|from today|later|earlier)$/

/** Chrono takes it for the last day alone. */
const VAGUE = /\bend of\b/

/** Read as a month and a day by some, and as a day and a month by others. */
const AMBIGUOUS = /\b\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?\b/

/**
 * The days of a date in words, by chrono: “3 March”, “in 10 days”, “tomorrow at 3pm”, “3–7
 * March 2026”. A date without a year is the next one, today counting. Undefined where not all
 * of the text is one date.
 */
export function dateInWords(text: string, now: Now): DateRange | undefined {
  if (AMBIGUOUS.test(text) || VAGUE.test(text) || (PERIOD.test(text) && !COUNTED.test(text))) return undefined
  const { year, month, day } = civilOf(now.day)
  const second = now.wall - now.day * DAY_SECONDS
  // Chrono reckons in the zone of the process: it is told the wall’s date as one of those.
  const reference = new Date(year, month - 1, day, 0, 0, second)
  const [found, ...others] = casual.parse(text, reference)
  if (!found || others.length > 0) return undefined
  const around = text.slice(0, found.index) + text.slice(found.index + found.text.length)
  if (!FILLER.test(around)) return undefined

  const start = daysOf(found.start, now.day, text)
  if (!start || !found.end) return start
  const end = daysOf(found.end, start.from, text)
  return end && { from: start.from, to: end.to }
}

/** The day, or the month where no day is named, from `earliest` on where no year is. */
function daysOf(components: Components, earliest: Day, text: string): DateRange | undefined {
  const year = components.get('year')!
  const month = components.get('month')!
  const day = components.get('day')!
  const isRelative = [...components.tags()].some((tag) => /relative|casual/.test(tag))
  const isDay = isRelative || components.isCertain('day')
  if (!isDay && !components.isCertain('month')) return undefined
  // A year that isn’t written out was guessed: “March 32” would be March 2032.
  const isYear = isRelative || text.includes(String(year))
  if (!isYear && components.isCertain('year')) return undefined

  const inYear = (year: number) => {
    if (!isDay) return months(year, month, 1)
    const exact = dayFrom(year, month, day)
    return exact === undefined ? undefined : days(exact, 1)
  }
  const first = isYear ? year : civilOf(earliest).year
  const range = [inYear(first), isYear ? undefined : inYear(first + 1)].find(
    (range) => range && (isYear || range.to >= earliest)
  )
  const weekday = components.isCertain('weekday') ? components.get('weekday')! || 7 : undefined
  return range && (weekday === undefined || weekday === weekdayOf(range.from)) ? range : undefined
}
