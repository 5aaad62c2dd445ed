import { civilOf, DAY_SECONDS, modulo, weekdayOf } from './civil.js'
import type { Now } from './now.js'
import { addMonths, days, months, periodOf, UNITS, type DateRange, type Unit } from './periods.js'

/**
 * Words for whole periods, which depend on when a person’s week begins or are more than a
 * day: “this weekend”, “the next 10 days”, “Friday next week”, “March 2026”. Lower case.
 * Undefined for any other text.
 */
export function periodInWords(text: string, now: Now): DateRange | undefined {
  for (const [pattern, read] of GRAMMAR) {
    const found = pattern.exec(text)
    if (found) return read(found.slice(1), now)
  }
  return undefined
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' '
)
const NUMBERS = 'a two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Each word also by its first three letters, and a few ways of cutting it that aren’t that. */
const short = (words: readonly string[], ...others: string[]) =>
  `${[...words, ...others].join('|')}|(?:${words.map((word) => word.slice(0, 3)).join('|')})\\.?`
const WEEKDAY = `(${short(WEEKDAYS, 'tues', 'weds', 'thur', 'thurs')})`
const MONTH = `(${short(MONTHS, 'sept')})`
const UNIT = `(${UNITS.join('|')})`
const WHICH = '(this|the|current|next|following|coming|upcoming|last|past|previous)'
const COUNT = `(\\d{1,4}|an|one|couple(?: of)?|few|${NUMBERS.join('|')})`

type Read = (found: readonly string[], now: Now) => DateRange | undefined

const RULES: readonly (readonly [string, Read])[] = [
  ['today|this (?:morning|afternoon|evening)|tonight|now|right now', (_, now) => periodOf('day', 0, now)],
  ['tomorrow', (_, now) => periodOf('day', 1, now)],
  ['yesterday|last night', (_, now) => periodOf('day', -1, now)],
  ['(?:the )?day after tomorrow', (_, now) => periodOf('day', 2, now)],
  ['(?:the )?day before yesterday', (_, now) => periodOf('day', -2, now)],
  [`(?:the )?${UNIT} after next`, ([unit], now) => periodOf(unit as Unit, 2, now)],
  [`(?:the )?${UNIT} before last`, ([unit], now) => periodOf(unit as Unit, -2, now)],
  [`(?:the )?(?:rest|remainder) of ${WHICH} ${UNIT}`, ([which, unit], now) => rest(which!, unit!, now)],
  [
    `(?:the )?${WHICH} ${COUNT} (day|week|weekend|month|year)s?`,
    ([which, count, unit], now) => counted(which!, count!, unit!, now)
  ],
  ['(?:the )?(?:next|coming) (\\d{1,3}) hours', ([hours], now) => hoursOn(Number(hours), now)],
  ['(?:the )?past (day|week|month|year)', ([unit], now) => counted('past', 'one', unit!, now)],
  ['(?:the )?(?:coming|upcoming) weekend', (_, now) => periodOf('weekend', 0, now)],
  [`(?:the )?${WHICH} ${UNIT}`, ([which, unit], now) => periodOf(unit as Unit, offsetOf(which!), now)],
  ['weekend', (_, now) => periodOf('weekend', 0, now)],
  [
    `(?:the )?${WEEKDAY},? (?:of |in )?(?:the )?${WHICH} week`,
    ([name, which], now) => inWeek(name!, which!, now)
  ],
  [`(?:the )?${WHICH} week(?:'s|,)? (?:on )?${WEEKDAY}`, ([which, name], now) => inWeek(name!, which!, now)],
  [`(?:${WHICH} )?${WEEKDAY}`, ([which, name], now) => weekday(name!, which, now)],
  [
    `(?:the )?(?:month of )?${MONTH},?(?: of)? (\\d{4})`,
    ([name, year]) => months(Number(year), numberOf(name!, MONTHS), 1)
  ],
  [`(?:(this|next|last) )?${MONTH}`, ([which, name], now) => month(name!, which, now)],
  [
    '(?:the )?q([1-4])(?:,? (\\d{4}))?',
    ([quarter, year], now) =>
      months(year === undefined ? civilOf(now.day).year : Number(year), Number(quarter) * 3 - 2, 3)
  ],
  [`(?:the )?year (\\d{4})`, ([year]) => months(Number(year), 1, 12)]
]

const GRAMMAR = RULES.map(([pattern, read]) => [new RegExp(`^(?:${pattern})$`), read] as const)

/** How many periods after this one. */
function offsetOf(which: string): number {
  if (which === 'this' || which === 'the' || which === 'current') return 0
  return which === 'last' || which === 'past' || which === 'previous' ? -1 : 1
}

/** From today to the end of a period that today is in. */
function rest(which: string, unit: string, now: Now): DateRange | undefined {
  const { from, to } = periodOf(unit as Unit, offsetOf(which), now)
  return from <= now.day && now.day <= to ? { from: now.day, to } : undefined
}

/** So many days, weeks or months from today on, or up to today: today is one of them. */
function counted(which: string, count: string, unit: string, now: Now): DateRange | undefined {
  const number = countOf(count)
  const sign = offsetOf(which)
  if (sign === 0 || number === 0) return undefined
  if (unit === 'weekend')
    return spanned(
      periodOf('weekend', sign < 0 ? -number : 0, now),
      periodOf('weekend', sign < 0 ? -1 : number - 1, now)
    )
  const end =
    unit === 'day' || unit === 'week'
      ? now.day + sign * number * (unit === 'week' ? 7 : 1)
      : addMonths(now.day, sign * number * (unit === 'year' ? 12 : 1))
  return sign > 0 ? { from: now.day, to: end - 1 } : { from: end + 1, to: now.day }
}

function hoursOn(hours: number, now: Now): DateRange {
  return { from: now.day, to: Math.floor((now.wall + hours * 3600) / DAY_SECONDS) }
}

function countOf(count: string): number {
  if (count === 'an' || count === 'one') return 1
  if (count.startsWith('couple')) return 2
  if (count === 'few') return 3
  return NUMBERS.indexOf(count) + 1 || Number(count)
}

function spanned(first: DateRange, last: DateRange): DateRange {
  return { from: first.from, to: last.to }
}

function inWeek(name: string, which: string, now: Now): DateRange {
  const { from } = periodOf('week', offsetOf(which), now)
  return days(from + modulo(numberOf(name, WEEKDAYS) - now.weekStart, 7), 1)
}

/**
 * “Friday” and “this Friday” are the first from today on, “last Friday” the one before
 * today, and “next Friday” is the Friday of the week that “next week” is.
 */
function weekday(name: string, which: string | undefined, now: Now): DateRange {
  const sign = offsetOf(which ?? 'this')
  const ahead = modulo(numberOf(name, WEEKDAYS) - weekdayOf(now.day), 7)
  if (which === 'next' || which === 'following') return inWeek(name, which, now)
  return days(now.day + (sign < 0 ? ahead - 7 : ahead), 1)
}

/** Without a year the month that today is in, or else the next one of that name. */
function month(name: string, which: string | undefined, now: Now): DateRange {
  const { year, month: current } = civilOf(now.day)
  const number = numberOf(name, MONTHS)
  if (which === 'last') return months(number < current ? year : year - 1, number, 1)
  const isAhead = which === 'next' ? number > current : number >= current
  return months(isAhead || which === 'this' ? year : year + 1, number, 1)
}

/** From 1. */
function numberOf(name: string, names: readonly string[]): number {
  return names.findIndex((each) => each.startsWith(name.slice(0, 3))) + 1
}
