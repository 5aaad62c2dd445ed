import { SelkieError } from '../../base/errors.js'
import { dayOf } from './civil.js'
import { isoDays } from './iso.js'
import { onDay, type Now } from './now.js'
import { periodOf, type DateRange } from './periods.js'
import { dateInWords } from './point.js'
import { periodInWords } from './words.js'

/** Characters of a range in words: a longer one is a story. */
const MAX_LENGTH = 100

const FIRST = dayOf(1900, 1, 1)
const LAST = dayOf(2199, 12, 31)

/** What was read: null where it names a date that there isn’t, undefined where it isn’t understood. */
type Read = DateRange | null | undefined

/**
 * The days that a range in words or ISO dates means to a person: “this weekend”, “from Monday
 * to Friday”, “2026-03-01/2026-03-07”. What isn’t understood to its last word isn’t taken: a
 * range that was misread would be a wrong answer that nobody notices.
 *
 * @throws SelkieError E_RANGE; E_RANGE_ORDER where it ends before it begins
 */
export function readRange(words: string, now: Now): DateRange {
  const text = plain(words.slice(0, MAX_LENGTH + 1))
  const shown = words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH)}…` : words
  const range = words.length > MAX_LENGTH ? undefined : (oneOrTwo(text, now) ?? undefined)
  if (!range || range.from < FIRST || range.to > LAST) throw new SelkieError('E_RANGE', { range: shown })
  if (range.to < range.from) throw new SelkieError('E_RANGE_ORDER', { range: shown })
  return range
}

function plain(words: string): string {
  return words
    .toLowerCase()
    .replace(/[“”"]/g, '')
    .replace(/’/g, "'")
    .replace(/[–—]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/\bthis (coming|upcoming|next|past|last)\b/g, '$1')
    .replace(/^ | ?[.?!]* ?$/g, '')
}

/** Ranges are whole days. */
const TIME_OF_DAY =
  /,?(?: in the| at| around| from)? (?:morning|afternoon|evening|night|noon|midday|lunchtime|\d{1,2}(?::\d\d)? ?(?:am|pm)|\d{1,2}:\d\d)(?: ?(?:-|to|until) ?\d{1,2}(?::\d\d)? ?(?:am|pm)?)?$/

/** Two ends. The loosest come last, for a date may hold a hyphen. */
const BETWEEN = [
  /^(.+?) ?(?:\/|\.\.) ?(.+)$/,
  /^between (.+?) and (.+)$/,
  /^(?:from )?(.+?) (?:to|until|till|through|thru|-) (.+)$/,
  /^(?:from )?([a-z]+)-([a-z]+)$/
]

function oneOrTwo(text: string, now: Now): Read {
  const one = period(text, now)
  if (one !== undefined) return one
  for (const between of BETWEEN) {
    const [, first, last] = between.exec(text) ?? []
    const range = first && last ? fromTo(first, last, now) : undefined
    if (range) return range
  }
  return dateInWords(text, now)
}

function fromTo(first: string, last: string, now: Now): DateRange | undefined {
  // “Monday to Friday next week” says of both which week they are in.
  const week = /^[a-z]+$/.test(first) ? (/(?: of| in)?(?: the)? [a-z]+ week$/.exec(last)?.[0] ?? '') : ''
  const start = period(first + week, now) ?? dateInWords(first, now)
  const end = start && endOf(last, start, now)
  return start && end ? { from: start.from, to: end.to } : undefined
}

function endOf(last: string, start: DateRange, now: Now): Read {
  const iso = isoDays(last, now, true)
  if (iso !== undefined) return iso
  const text = last.replace(/^(?:the )?end of /, '')
  const read = (now: Now) => period(text, now) ?? dateInWords(text, now)
  const soon = read(now)
  // “From Monday to Friday”, said on a Wednesday: the Friday after that Monday.
  return soon && soon.to < start.from ? read(onDay(now, start.from)) : soon
}

/** One period, or one ISO date. */
function period(text: string, now: Now): Read {
  const iso = isoDays(text, now)
  if (iso !== undefined) return iso
  const words = text.replace(/^(?:(?:on|in|at|for|during|over|all of|all) )+/, '')
  const inWords = periodInWords(words, now) ?? periodInWords(words.replace(TIME_OF_DAY, ''), now)
  if (inWords) return inWords
  const [, unit, date] = /^(?:the )?(week|weekend) (?:of|around) (.+)$/.exec(text) ?? []
  if (unit && date) {
    const day = isoDays(date, now) ?? dateInWords(date, now)
    return day && day.from === day.to
      ? periodOf(unit as 'week' | 'weekend', 0, onDay(now, day.from))
      : undefined
  }
  const today = { from: now.day, to: now.day }
  const [, until] = /^(?:until|till|through) (.+)$/.exec(text) ?? []
  const end = until ? endOf(until, today, now) : undefined
  if (end) return { from: now.day, to: end.to }
  const [, since] = /^since (.+)$/.exec(text) ?? []
  return since ? sinceDay(since, now) : undefined
}

/** The days since the last of a name: “since Monday”, “since 3 December”. */
function sinceDay(date: string, now: Now): DateRange | undefined {
  for (const back of [0, 6, 365]) {
    const earlier = onDay(now, now.day - back)
    const start = period(date, back === 0 ? now : earlier) ?? dateInWords(date, back === 0 ? now : earlier)
    if (start && start.from <= now.day) return { from: start.from, to: now.day }
  }
  return undefined
}
