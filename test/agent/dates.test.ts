import fc from 'fast-check'
import t from 'tap'
import { dayOf, isoDate, weekdayOf } from '../../src/agent/dates/civil.js'
import { nowOf } from '../../src/agent/dates/now.js'
import { isoRange } from '../../src/agent/dates/periods.js'
import { readRange } from '../../src/agent/dates/range.js'
import { systemLocale, type Locale } from '../../src/agent/locale.js'
import { currentDate } from '../../src/agent/tools/current-date.js'
import { isSelkieError } from '../../src/base/errors.js'
import { BERLIN, NOW } from './calendars.js'
import { refused } from './refused.js'

const clockAt = (now: number) => ({ now: () => now, random: (length: number) => new Uint8Array(length) })
const MONDAY = BERLIN
const SUNDAY: Locale = { timeZone: 'America/New_York', weekStart: 7 }
const SATURDAY: Locale = { timeZone: 'Asia/Riyadh', weekStart: 6, weekend: [5, 6] }

/** The range of words, said at some time; or the code that refuses them. */
function read(words: string, locale = MONDAY, now = NOW): string {
  try {
    return isoRange(readRange(words, nowOf(clockAt(now), locale)))
  } catch (error) {
    if (!isSelkieError(error)) throw error
    return error.code
  }
}

/** On Wednesday, 25 March 2026. */
const SAID: Record<string, string> = {
  // Days
  today: '2026-03-25',
  Tonight: '2026-03-25',
  'this morning': '2026-03-25',
  now: '2026-03-25',
  ' Tomorrow. ': '2026-03-26',
  'tomorrow at 3pm': '2026-03-26',
  'tomorrow morning': '2026-03-26',
  yesterday: '2026-03-24',
  'the day after tomorrow': '2026-03-27',
  'in 3 days': '2026-03-28',
  'in 2 weeks': '2026-04-08',
  'two weeks ago': '2026-03-11',
  'in a month': '2026-04-25',
  // Weekdays
  wednesday: '2026-03-25',
  Friday: '2026-03-27',
  'this Friday': '2026-03-27',
  'this coming Friday': '2026-03-27',
  'on Monday': '2026-03-30',
  'next Friday': '2026-04-03',
  'next Monday': '2026-03-30',
  'last Friday': '2026-03-20',
  'last Wednesday': '2026-03-18',
  'Friday next week': '2026-04-03',
  'Monday of this week': '2026-03-23',
  'next week’s Tuesday': '2026-03-31',
  'Saturday morning': '2026-03-28',
  'Mon 9am-5pm': '2026-03-30',
  // Weeks
  'this week': '2026-03-23/2026-03-29',
  'next week': '2026-03-30/2026-04-05',
  'last week': '2026-03-16/2026-03-22',
  'past week': '2026-03-19/2026-03-25',
  'the week after next': '2026-04-06/2026-04-12',
  'rest of the week': '2026-03-25/2026-03-29',
  'the week of April 10': '2026-04-06/2026-04-12',
  // Weekends
  'this weekend': '2026-03-28/2026-03-29',
  'over the weekend': '2026-03-28/2026-03-29',
  'the upcoming weekend': '2026-03-28/2026-03-29',
  'next weekend': '2026-04-04/2026-04-05',
  'last weekend': '2026-03-21/2026-03-22',
  'the next two weekends': '2026-03-28/2026-04-05',
  // Months, quarters, years
  'this month': '2026-03-01/2026-03-31',
  'next month': '2026-04-01/2026-04-30',
  'March 2026': '2026-03-01/2026-03-31',
  'in March': '2026-03-01/2026-03-31',
  February: '2027-02-01/2027-02-28',
  'Sept. 2026': '2026-09-01/2026-09-30',
  'next March': '2027-03-01/2027-03-31',
  'last March': '2025-03-01/2025-03-31',
  'this quarter': '2026-01-01/2026-03-31',
  'Q3 2027': '2027-07-01/2027-09-30',
  'next year': '2027-01-01/2027-12-31',
  // Counts
  'the next 10 days': '2026-03-25/2026-04-03',
  'next 2 weeks': '2026-03-25/2026-04-07',
  'the coming three months': '2026-03-25/2026-06-24',
  'last 7 days': '2026-03-19/2026-03-25',
  'next 24 hours': '2026-03-25/2026-03-26',
  // Dates
  'March 30': '2026-03-30',
  '30th of March': '2026-03-30',
  '3 March': '2027-03-03',
  '29 February 2028': '2028-02-29',
  'Friday, March 27 2026': '2026-03-27',
  '2026-03-01': '2026-03-01',
  '2026-03': '2026-03-01/2026-03-31',
  '2026': '2026-01-01/2026-12-31',
  '2026-W13': '2026-03-23/2026-03-29',
  '2026-W01': '2025-12-29/2026-01-04',
  '2026-03-25T09:00': '2026-03-25',
  '2026-03-25T23:30Z': '2026-03-26',
  '2026-03-26T00:30+02:00': '2026-03-25',
  // Two ends
  '2026-03-01/2026-03-07': '2026-03-01/2026-03-07',
  '2026-03-01 to 2026-03-07': '2026-03-01/2026-03-07',
  'from 2026-03-01 until 2026-03-07': '2026-03-01/2026-03-07',
  '2026-03-01..2026-03-07': '2026-03-01/2026-03-07',
  '2026-03-01 – 2026-03-07': '2026-03-01/2026-03-07',
  '2026-03-01T00:00:00/2026-03-02T00:00:00': '2026-03-01',
  'from Monday to Friday': '2026-03-30/2026-04-03',
  'Mon-Fri': '2026-03-30/2026-04-03',
  'Monday to Friday next week': '2026-03-30/2026-04-03',
  'Monday to Friday this week': '2026-03-23/2026-03-27',
  'next week Monday through Friday': '2026-03-30/2026-04-03',
  'between today and Friday': '2026-03-25/2026-03-27',
  'from last Monday to Friday': '2026-03-23/2026-03-27',
  '3-7 April 2026': '2026-04-03/2026-04-07',
  'April 3 to 7': '2026-04-03/2026-04-07',
  'Dec 20 to Jan 5': '2026-12-20/2027-01-05',
  'December to February': '2026-12-01/2027-02-28',
  'until Friday': '2026-03-25/2026-03-27',
  'until the end of next month': '2026-03-25/2026-04-30',
  'since Monday': '2026-03-23/2026-03-25',
  'since December': '2025-12-01/2026-03-25'
}

t.test('words for days, weeks, weekends, months and their ends', (t) => {
  for (const [words, range] of Object.entries(SAID)) t.equal(read(words), range, words)
  t.end()
})

t.test('what is not understood to its last word is refused, not guessed', async (t) => {
  const words = [
    '',
    ' ',
    'soon',
    'everything',
    'Christmas',
    '15:00',
    '3 to 5',
    'the third week of March',
    'tomorrow and Friday',
    'tomorrow in Berlin maybe',
    'end of March',
    'early April',
    'rest of next week',
    '2026-02-30',
    '2026-13-01',
    '2026-13',
    '2026-W54',
    '2026-03-01T25:00',
    '2026-02-28/2026-02-30',
    'March 32',
    '30 February',
    'Thursday, March 27 2026',
    '99999 days ago',
    'next 9999 years',
    // The first of February, or the second of January?
    '01/02/2026',
    '1.2.2026',
    '1899-12-31',
    '2200-01-01',
    'x'.repeat(5000),
    '2026-03-01/',
    '/2026-03-01'
  ]
  for (const each of words) t.equal(read(each), 'E_RANGE', each.slice(0, 100))
  t.equal(read('2026-03-07/2026-03-01'), 'E_RANGE_ORDER')
  t.equal(read('1900-01-01/2199-12-31'), '1900-01-01/2199-12-31')

  const run = currentDate({ clock: clockAt(NOW), locale: MONDAY })
  const { signal } = new AbortController()
  const error = await refused(t, (async () => run({ range: 'x'.repeat(1000) }, signal))(), 'E_RANGE')
  t.match(error.hint, /2026-03-01\/2026-03-07.*this weekend.*next 10 days/)
  t.ok(error.message.length < 200)
})

t.test('weeks that begin on Monday, Sunday and Saturday', (t) => {
  const weeks = (locale: Locale, now = NOW) =>
    ['last week', 'this week', 'next week', 'next Sunday', 'this weekend'].map((words) =>
      read(words, locale, now)
    )
  t.same(weeks(MONDAY), [
    '2026-03-16/2026-03-22',
    '2026-03-23/2026-03-29',
    '2026-03-30/2026-04-05',
    '2026-04-05',
    '2026-03-28/2026-03-29'
  ])
  t.same(weeks(SUNDAY), [
    '2026-03-15/2026-03-21',
    '2026-03-22/2026-03-28',
    '2026-03-29/2026-04-04',
    '2026-03-29',
    '2026-03-28/2026-03-29'
  ])
  t.same(weeks(SATURDAY), [
    '2026-03-14/2026-03-20',
    '2026-03-21/2026-03-27',
    '2026-03-28/2026-04-03',
    '2026-03-29',
    '2026-03-27/2026-03-28'
  ])
  t.end()
})

t.test('on a Saturday and a Sunday, this weekend is the one that it is', (t) => {
  const at = (day: number) => NOW + day * 86_400_000
  for (const [day, weekend] of [
    [2, '2026-03-28/2026-03-29'],
    [3, '2026-03-28/2026-03-29'],
    [4, '2026-03-28/2026-03-29'],
    [5, '2026-04-04/2026-04-05']
  ] as const)
    t.equal(read('this weekend', MONDAY, at(day)), weekend)
  t.equal(read('next weekend', MONDAY, at(4)), '2026-04-04/2026-04-05')
  t.equal(read('this week', MONDAY, at(4)), '2026-03-23/2026-03-29')
  t.equal(read('this week', SUNDAY, at(4)), '2026-03-29/2026-04-04')
  t.end()
})

t.test('leap years and the ends of months', (t) => {
  const at = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day, 12)
  t.equal(read('February 2024'), '2024-02-01/2024-02-29')
  t.equal(read('February 2100'), '2100-02-01/2100-02-28')
  t.equal(read('February 2000'), '2000-02-01/2000-02-29')
  t.equal(read('2025-02-29'), 'E_RANGE')
  t.equal(read('tomorrow', MONDAY, at(2024, 2, 28)), '2024-02-29')
  t.equal(read('next year', MONDAY, at(2024, 2, 29)), '2025-01-01/2025-12-31')
  t.equal(read('next month', MONDAY, at(2024, 1, 31)), '2024-02-01/2024-02-29')
  t.equal(read('last month', MONDAY, at(2024, 3, 31)), '2024-02-01/2024-02-29')
  t.equal(read('the next 1 month', MONDAY, at(2024, 1, 31)), '2024-01-31/2024-02-28')
  t.equal(read('next month', MONDAY, at(2026, 12, 31)), '2027-01-01/2027-01-31')
  t.equal(read('next week', MONDAY, at(2026, 12, 28)), '2027-01-04/2027-01-10')
  t.end()
})

t.test('today is the day where the person is, not where the process runs', (t) => {
  const late = Date.UTC(2026, 2, 25, 22, 30)
  t.equal(read('today', { timeZone: 'Pacific/Kiritimati', weekStart: 1 }, late), '2026-03-26')
  t.equal(read('today', { timeZone: 'Pacific/Pago_Pago', weekStart: 1 }, late), '2026-03-25')
  t.equal(read('today', { timeZone: 'Europe/Berlin', weekStart: 1 }, late), '2026-03-25')
  t.equal(read('in 2 days', { timeZone: 'Pacific/Kiritimati', weekStart: 1 }, late), '2026-03-28')
  // Midnight doesn’t exist: Cairo’s clocks go from 23:59 to 1:00.
  const cairo = Date.UTC(2026, 3, 23, 22, 10)
  t.equal(read('today', { timeZone: 'Africa/Cairo', weekStart: 7 }, cairo), '2026-04-24')
  t.equal(read('tomorrow evening', { timeZone: 'Africa/Cairo', weekStart: 7 }, cairo), '2026-04-25')
  t.equal(read('today', { timeZone: 'Nowhere/Land', weekStart: 1 }, late), '2026-03-25')
  t.end()
})

t.test('current_date gives the date, and ranges as query_calendar takes them', async (t) => {
  const run = currentDate({ clock: clockAt(NOW), locale: MONDAY })
  const { signal } = new AbortController()
  t.same(await run({}, signal), {
    date: '2026-03-25',
    weekday: 'Wednesday',
    time: '14:15',
    timeZone: 'Europe/Berlin',
    weekStart: 'Monday',
    ranges: {
      yesterday: '2026-03-24',
      today: '2026-03-25',
      tomorrow: '2026-03-26',
      'last week': '2026-03-16/2026-03-22',
      'this week': '2026-03-23/2026-03-29',
      'next week': '2026-03-30/2026-04-05',
      'last weekend': '2026-03-21/2026-03-22',
      'this weekend': '2026-03-28/2026-03-29',
      'next weekend': '2026-04-04/2026-04-05',
      'last month': '2026-02-01/2026-02-28',
      'this month': '2026-03-01/2026-03-31',
      'next month': '2026-04-01/2026-04-30',
      'last year': '2025-01-01/2025-12-31',
      'this year': '2026-01-01/2026-12-31',
      'next year': '2027-01-01/2027-12-31'
    }
  })
  const asked = await run({ range: 'Friday next week' }, signal)
  t.match(asked, { date: '2026-03-25', range: '2026-04-03' })
  t.notOk('ranges' in asked)
  const { ranges } = await run({}, signal)
  for (const [words, range] of Object.entries(ranges as Record<string, string>)) {
    t.equal(read(words), range, words)
    t.equal(read(range), range, range)
  }
})

t.test('the system’s region says when a week begins', (t) => {
  const week = (env: NodeJS.ProcessEnv) => {
    const { weekStart, weekend } = systemLocale(env)
    return [weekStart, weekend]
  }
  t.same(week({ LANG: 'en_US.UTF-8' }), [7, [6, 7]])
  t.same(week({ LANG: 'en_US.UTF-8', LC_TIME: 'de_DE.UTF-8' }), [1, [6, 7]])
  t.same(week({ LC_ALL: 'ar_EG', LC_TIME: 'de_DE' }), [6, [5, 6]])
  t.same(week({ LANG: 'ca_ES@valencia' }), [1, [6, 7]])
  for (const LANG of ['C', 'C.UTF-8', 'POSIX', 'not a language']) t.same(week({ LANG }), [1, [6, 7]], LANG)
  t.ok(Intl.supportedValuesOf('timeZone').length > 0 && systemLocale().timeZone)
  t.end()
})

t.test('a range that is printed means itself, whatever the words and the day', (t) => {
  const words = fc.constantFrom(...Object.keys(SAID))
  const locale = fc.record({
    timeZone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'),
    weekStart: fc.integer({ min: 1, max: 7 })
  })
  const time = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2090, 0, 1) })
  fc.assert(
    fc.property(words, locale, time, (words, locale, time) => {
      const range = read(words, locale, time)
      // A weekday beside a date may be another one in another year.
      return range.startsWith('E_') || read(range, locale, time) === range
    }),
    { numRuns: 1500 }
  )
  t.end()
})

t.test('a week holds today, has seven days and begins when it should', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(1950, 0, 1), max: Date.UTC(2150, 0, 1) }),
      fc.integer({ min: 1, max: 7 }),
      (time, weekStart) => {
        const now = nowOf(clockAt(time), { timeZone: 'UTC', weekStart })
        const week = readRange('this week', now)
        const next = readRange('next week', now)
        return (
          week.from <= now.day &&
          now.day <= week.to &&
          week.to - week.from === 6 &&
          weekdayOf(week.from) === weekStart &&
          next.from === week.to + 1
        )
      }
    )
  )
  t.end()
})

t.test('days and dates are each other’s inverse', (t) => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        const day = dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
        return isoDate(day) === date.toISOString().slice(0, 10) && weekdayOf(day) % 7 === date.getUTCDay()
      }
    )
  )
  t.end()
})

t.test('no text makes the reader of ranges throw anything but a refusal', (t) => {
  const part = fc.oneof(
    fc.constantFrom(...Object.keys(SAID), 'to', 'from', '-', '/', 'of', 'week', '2026', 'next', '99', ','),
    fc.string({ maxLength: 20, unit: 'binary' })
  )
  const now = nowOf(clockAt(NOW), MONDAY)
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      try {
        const { from, to } = readRange(parts.join(' '), now)
        return Number.isInteger(from) && Number.isInteger(to) && from <= to
      } catch (error) {
        return isSelkieError(error)
      }
    }),
    { numRuns: 1500 }
  )
  t.end()
})
