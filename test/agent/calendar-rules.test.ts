import fc from 'fast-check'
import ICAL from 'ical.js'
import t from 'tap'
import { recurrences } from '../../src/agent/calendar/recurrence.js'
import { ruleOf } from '../../src/agent/calendar/rule.js'
import { Work } from '../../src/agent/calendar/work.js'
import {
  civilOf,
  DAY_SECONDS,
  dayOf,
  daysInMonth,
  daysInYear,
  isoWall,
  weekdayOf
} from '../../src/agent/dates/civil.js'
import { calendar, codes, event, granted, starts } from './calendars.js'

const NEW_YORK = { timeZone: 'America/New_York', weekStart: 7 }

/** Dates of `1997-09-02 04 06 1997-10-01`: a day alone goes with the month before it. */
function dates(text: string): string[] {
  let month = ''
  return text.split(' ').map((each) => {
    if (each.length > 2) month = each.slice(0, 8)
    return month + each.slice(-2)
  })
}

/** The first days of a rule that starts at nine in New York, from its start on. */
async function first(
  t: Parameters<typeof granted>[0],
  rule: string,
  start: string,
  until: string
): Promise<string[]> {
  const lines = [`DTSTART;TZID=America/New_York:${start.replaceAll('-', '')}T090000`, `RRULE:${rule}`]
  const found = await starts(t, lines, `${start}/${until}`, { locale: NEW_YORK })
  return found.map((each) => {
    t.equal(each.slice(10, 16), 'T09:00', `${rule} stays at nine`)
    return each.slice(0, 10)
  })
}

/** The examples of RFC 5545 §3.8.5.3, as it lists them. */
const EXAMPLES: [rule: string, until: string, expected: string][] = [
  ['FREQ=DAILY;COUNT=10', '1997-12-31', '1997-09-02 03 04 05 06 07 08 09 10 11'],
  ['FREQ=DAILY;INTERVAL=2', '1997-09-20', '1997-09-02 04 06 08 10 12 14 16 18 20'],
  ['FREQ=DAILY;INTERVAL=10;COUNT=5', '1997-12-31', '1997-09-02 12 22 1997-10-02 12'],
  ['FREQ=WEEKLY;COUNT=10', '1997-12-31', '1997-09-02 09 16 23 30 1997-10-07 14 21 28 1997-11-04'],
  [
    'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
    '1997-12-31',
    '1997-09-02 04 09 11 16 18 23 25 30 1997-10-02'
  ],
  ['FREQ=WEEKLY;INTERVAL=2;WKST=SU', '1997-11-30', '1997-09-02 16 30 1997-10-14 28 1997-11-11 25'],
  [
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    '1998-01-31',
    '1997-09-01 03 05 15 17 19 29 1997-10-01 03 13 15 17 27 29 31 1997-11-10 12 14 24 26 28 1997-12-08 10 12 22'
  ],
  [
    'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
    '1998-01-31',
    '1997-09-02 04 16 18 30 1997-10-02 14 16'
  ],
  [
    'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    '1999-01-31',
    '1997-09-05 1997-10-03 1997-11-07 1997-12-05 1998-01-02 1998-02-06 1998-03-06 1998-04-03 1998-05-01 1998-06-05'
  ],
  [
    'FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR',
    '1999-01-31',
    '1997-09-05 1997-10-03 1997-11-07 1997-12-05'
  ],
  [
    'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    '1999-01-31',
    '1997-09-07 28 1997-11-02 30 1998-01-04 25 1998-03-01 29 1998-05-03 31'
  ],
  [
    'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
    '1999-01-31',
    '1997-09-22 1997-10-20 1997-11-17 1997-12-22 1998-01-19 1998-02-16'
  ],
  [
    'FREQ=MONTHLY;BYMONTHDAY=-3',
    '1998-02-28',
    '1997-09-28 1997-10-29 1997-11-28 1997-12-29 1998-01-29 1998-02-26'
  ],
  [
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
    '1999-01-31',
    '1997-09-02 15 1997-10-02 15 1997-11-02 15 1997-12-02 15 1998-01-02 15'
  ],
  [
    'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
    '1999-01-31',
    '1997-09-30 1997-10-01 31 1997-11-01 30 1997-12-01 31 1998-01-01 31 1998-02-01'
  ],
  [
    'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
    '2001-01-31',
    '1997-09-10 11 12 13 14 15 1999-03-10 11 12 13'
  ],
  [
    'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
    '1998-03-31',
    '1997-09-02 09 16 23 30 1997-11-04 11 18 25 1998-01-06 13 20 27 1998-03-03 10 17 24 31'
  ],
  [
    'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
    '2009-12-31',
    '1997-06-10 1997-07-10 1998-06-10 1998-07-10 1999-06-10 1999-07-10 2000-06-10 2000-07-10 2001-06-10 2001-07-10'
  ],
  [
    'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
    '2009-12-31',
    '1997-03-10 1999-01-10 1999-02-10 1999-03-10 2001-01-10 2001-02-10 2001-03-10 2003-01-10 2003-02-10 2003-03-10'
  ],
  [
    'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    '2009-12-31',
    '1997-01-01 1997-04-10 1997-07-19 2000-01-01 2000-04-09 2000-07-18 2003-01-01 2003-04-10 2003-07-19 2006-01-01'
  ],
  ['FREQ=YEARLY;BYDAY=20MO', '1999-12-31', '1997-05-19 1998-05-18 1999-05-17'],
  ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '1999-12-31', '1997-05-12 1998-05-11 1999-05-17'],
  [
    'FREQ=YEARLY;BYMONTH=3;BYDAY=TH',
    '1999-12-31',
    '1997-03-13 20 27 1998-03-05 12 19 26 1999-03-04 11 18 25'
  ],
  [
    'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
    '1997-12-31',
    '1997-06-05 12 19 26 1997-07-03 10 17 24 31 1997-08-07 14 21 28'
  ],
  [
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    '2000-12-31',
    '1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13'
  ],
  [
    'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    '1998-06-30',
    '1997-09-13 1997-10-11 1997-11-08 1997-12-13 1998-01-10 1998-02-07 1998-03-07 1998-04-11 1998-05-09 1998-06-13'
  ],
  [
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    '2004-12-31',
    '1996-11-05 2000-11-07 2004-11-02'
  ],
  ['FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '1999-12-31', '1997-09-04 1997-10-07 1997-11-06'],
  [
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    '1998-03-31',
    '1997-09-29 1997-10-30 1997-11-27 1997-12-30 1998-01-29 1998-02-26 1998-03-30'
  ],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO', '1999-12-31', '1997-08-05 10 19 24'],
  ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU', '1999-12-31', '1997-08-05 17 19 31'],
  ['FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5', '2009-12-31', '2007-01-15 30 2007-02-15 2007-03-15 30']
]

t.test('the examples of the standard', async (t) => {
  for (const [rule, until, text] of EXAMPLES) {
    const expected = dates(text)
    t.same(await first(t, rule, expected[0]!, until), expected, rule)
  }
  const january = 'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA'
  const daily = 'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1'
  const days = await first(t, daily, '1998-01-01', '2001-12-31')
  t.equal(days.length, 93)
  t.same(await first(t, january, '1998-01-01', '2001-12-31'), days)
})

t.test('rules that calendars on the market write, worked out by hand', async (t) => {
  const table: [rule: string, until: string, expected: string][] = [
    // The last day of February, whatever the year.
    [
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1',
      '2028-12-31',
      '2023-02-28 2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29'
    ],
    // A birthday on 29 February is only then.
    ['FREQ=YEARLY', '2033-12-31', '2024-02-29 2028-02-29 2032-02-29'],
    ['FREQ=MONTHLY', '2026-08-31', '2026-01-31 2026-03-31 2026-05-31 2026-07-31 2026-08-31'],
    [
      'FREQ=MONTHLY;INTERVAL=3;BYMONTH=3,6,9,12',
      '2027-03-31',
      '2026-03-10 2026-06-10 2026-09-10 2026-12-10 2027-03-10'
    ],
    ['FREQ=MONTHLY;INTERVAL=2;BYMONTH=7,10', '2029-12-31', '2026-07-15 2027-07-15 2028-07-15 2029-07-15'],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1',
      '2026-06-30',
      '2026-01-01 2026-02-02 2026-03-02 2026-04-01 2026-05-01 2026-06-01'
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1',
      '2026-06-30',
      '2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30'
    ],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=-1', '2026-04-08', '2026-03-18 25 2026-04-01 08'],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', '2028-12-31', '2025-11-27 2026-11-26 2027-11-25 2028-11-23'],
    ['FREQ=YEARLY;BYDAY=-1FR', '2027-12-31', '2025-12-26 2026-12-25 2027-12-31'],
    ['FREQ=YEARLY;BYYEARDAY=-1', '2028-12-31', '2026-12-31 2027-12-31 2028-12-31'],
    ['FREQ=YEARLY;BYYEARDAY=366', '2033-12-31', '2024-12-31 2028-12-31 2032-12-31'],
    // The week that has 53 only now and then, and the weekday of the start in it.
    ['FREQ=YEARLY;BYWEEKNO=53', '2033-12-31', '2026-12-31 2032-12-30'],
    ['FREQ=YEARLY;BYMONTHDAY=1', '2026-05-31', '2026-01-01 2026-02-01 2026-03-01 2026-04-01 2026-05-01'],
    ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', '2026-03-10', '2026-03-02 03 04 05 06 09 10'],
    ['FREQ=DAILY;INTERVAL=3;BYDAY=SA,SU', '2026-04-30', '2026-03-01 07 22 28 2026-04-12 18'],
    ['FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=4', '2026-12-31', '2026-03-30 2026-04-01 03 06'],
    ['FREQ=WEEKLY;INTERVAL=1;BYDAY=SU', '2027-01-17', '2026-12-27 2027-01-03 10 17']
  ]
  for (const [rule, until, text] of table) {
    const expected = dates(text)
    t.same(await first(t, rule, expected[0]!, until), expected, `${rule} from ${expected[0]}`)
  }
})

t.test('a start that doesn’t fit the rule is the first all the same, and counts', async (t) => {
  // 1 March 2026 is a Sunday.
  t.same(
    await first(t, 'FREQ=WEEKLY;BYDAY=MO;COUNT=3', '2026-03-01', '2026-12-31'),
    dates('2026-03-01 02 09')
  )
  t.same(
    await first(t, 'FREQ=MONTHLY;BYMONTHDAY=15;COUNT=2', '2026-03-20', '2026-12-31'),
    dates('2026-03-20 2026-04-15')
  )
  t.same(await first(t, 'FREQ=DAILY;COUNT=1', '2026-03-01', '2026-12-31'), ['2026-03-01'])
})

t.test('hours, minutes and seconds', async (t) => {
  const times = async (rule: string) => {
    const lines = ['DTSTART;TZID=America/New_York:19970902T090000', `RRULE:${rule}`]
    return (await starts(t, lines, '1997-09-02', { locale: NEW_YORK })).map((each) => each.slice(11, -6))
  }
  t.same(await times('FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z'), ['09:00', '12:00', '15:00'])
  t.same(await times('FREQ=MINUTELY;INTERVAL=15;COUNT=6'), [
    '09:00',
    '09:15',
    '09:30',
    '09:45',
    '10:00',
    '10:15'
  ])
  t.same(await times('FREQ=MINUTELY;INTERVAL=90;COUNT=4'), ['09:00', '10:30', '12:00', '13:30'])
  const twenty = await times('FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40')
  t.equal(twenty.length, 24)
  t.same(await times('FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16'), twenty)
  t.same(await times('FREQ=HOURLY;BYMINUTE=0,30;BYSETPOS=-1;COUNT=3'), ['09:00', '09:30', '10:30'])
  t.same(await times('FREQ=HOURLY;BYMINUTE=15,45;COUNT=4'), ['09:00', '09:15', '09:45', '10:15'])
  t.same(await times('FREQ=SECONDLY;INTERVAL=1800;BYHOUR=9;COUNT=99'), ['09:00', '09:30'])
  t.same(await times('FREQ=SECONDLY;BYHOUR=9;BYMINUTE=0;BYSECOND=0,20,40'), ['09:00', '09:00:20', '09:00:40'])
})

t.test('UNTIL as a date, in UTC and by the clock, always with its last time', async (t) => {
  const until = async (start: string, value: string) => {
    const found = await starts(
      t,
      [`DTSTART${start}`, `RRULE:FREQ=DAILY;UNTIL=${value}`],
      '2026-03-01/2026-03-31'
    )
    return found.map((each) => each.slice(8, 10)).join(' ')
  }
  const berlin = ';TZID=Europe/Berlin:20260301T233000'
  t.equal(await until(berlin, '20260303'), '01 02 03')
  t.equal(await until(berlin, '20260303T223000Z'), '01 02 03')
  t.equal(await until(berlin, '20260303T222959Z'), '01 02')
  t.equal(await until(berlin, '20260303T233000'), '01 02 03')
  t.equal(await until(';VALUE=DATE:20260301', '20260303'), '01 02 03')
  t.equal(await until(';VALUE=DATE:20260301', '20260303T000000Z'), '01 02 03')
  // How some programs write that nothing is left of it.
  t.equal(await until(berlin, '20260228T000000Z'), '')
})

t.test('several rules of one event are taken together, each time once', async (t) => {
  const lines = ['DTSTART:20260302T090000', 'RRULE:FREQ=WEEKLY;BYDAY=MO', 'RRULE:FREQ=DAILY;COUNT=3']
  const found = await starts(t, lines, '2026-03-02/2026-03-16')
  t.same(found.map((each) => each.slice(5, 10)).sort(), ['03-02', '03-03', '03-04', '03-09', '03-16'])
})

t.test('a rule that can’t be read leaves the start, and says so', async (t) => {
  for (const rule of ['FREQ=FORTNIGHTLY', 'INTERVAL=2', 'FREQ=DAILY;BYDAY=XX', 'FREQ=DAILY;UNTIL=soon', '']) {
    const broken = event('SUMMARY:Odd', 'DTSTART:20260325T090000', `RRULE:${rule}`)
    const { ask } = await granted(t, { 'a.ics': calendar(broken, event('DTSTART:20260326T090000')) })
    const answer = await ask('this week')
    t.same([answer.events.length, codes(answer)], [2, ['D_EVENT_PART granted/a.ics']], rule)
    t.match(answer.problems[0]!.message, /“Odd” \(RRULE\)/)
  }
})

t.test('rules without an end, and such as never come true, are bounded and say so', async (t) => {
  const rules: [rule: string, range: string, problem: string | undefined][] = [
    ['FREQ=SECONDLY', '2026', 'D_EVENT_OFTEN'],
    ['FREQ=MINUTELY', '2026', 'D_EVENT_OFTEN'],
    ['FREQ=SECONDLY;COUNT=2000000000', '2026', 'D_EVENT_WORK'],
    ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30', '1990-01-01/2190-01-01', undefined],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', '1990-01-01/2190-01-01', undefined],
    ['FREQ=DAILY;BYMONTHDAY=31;BYMONTH=4', '1990-01-01/2190-01-01', undefined],
    ['FREQ=DAILY;INTERVAL=99999999999999999999', '2026', undefined],
    ['FREQ=MONTHLY;BYDAY=5MO;BYMONTH=2;INTERVAL=12', '1990-01-01/2020-01-01', undefined]
  ]
  const events = rules.map(([rule]) =>
    event(`SUMMARY:${rule.slice(0, 50)}`, 'DTSTART:19900101T000000', `RRULE:${rule}`)
  )
  for (const [i, [rule, range, problem]] of rules.entries()) {
    const { ask } = await granted(t, { 'a.ics': calendar(events[i]!) })
    const { problems, events: found } = await ask(range)
    t.same(
      problems.map(({ code }) => code),
      problem ? [problem] : [],
      rule
    )
    t.ok(found.length <= 100, rule)
  }
  const numbers = (length: number) => Array.from({ length }, (_, i) => i).join()
  const all = `RRULE:FREQ=YEARLY;BYHOUR=${numbers(24)};BYMINUTE=${numbers(60)};BYSECOND=${numbers(60)}`
  const many = Array.from({ length: 60 }, () => event('DTSTART:19900101T000000', all))
  const answer = await (await granted(t, { 'a.ics': calendar(...many) })).ask('2026')
  t.equal(answer.events.length, 100)
  t.ok(codes(answer).every((code) => /D_EVENT_(OFTEN|WORK)/.test(code)))
})

t.test('an event that repeats since long ago is found where it is asked for', async (t) => {
  for (const rule of [
    'FREQ=DAILY',
    'FREQ=WEEKLY',
    'FREQ=HOURLY;INTERVAL=24',
    'FREQ=MINUTELY;INTERVAL=1440',
    'FREQ=DAILY;COUNT=999999'
  ]) {
    const found = await starts(t, ['DTSTART:19010325T090000', `RRULE:${rule}`], '2026-03-23/2026-03-29')
    t.equal(found.length, rule === 'FREQ=WEEKLY' ? 1 : 7, rule)
  }
  t.same(await starts(t, ['DTSTART;VALUE=DATE:00010325', 'RRULE:FREQ=YEARLY'], '2026-03-25'), ['2026-03-25'])
})

// Properties

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const [FIRST, LAST] = [dayOf(2020, 1, 1), dayOf(2027, 12, 31)]

interface Parts {
  freq: 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY'
  interval: number
  wkst: number
  bymonth?: number[]
  bymonthday?: number[]
  byday?: [nth: number, weekday: number][]
  byyearday?: number[]
  byweekno?: number[]
  bysetpos?: number[]
  count?: number
}

function text(parts: Parts): string {
  const byday = parts.byday?.map(([nth, weekday]) => `${nth || ''}${DAYS[weekday - 1]}`)
  return Object.entries({ ...parts, byday, wkst: DAYS[parts.wkst - 1] })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name.toUpperCase()}=${String(value)}`)
    .join(';')
}

/**
 * Day by day from the start: which period a day is in, whether that is one of those that
 * count, and whether the day is what each part says.
 */
function naive(parts: Parts, start: number): number[] {
  const of = (day: number) => ({ ...civilOf(day), weekday: weekdayOf(day) })
  const began = of(start)
  const week = (day: number) => Math.floor((day + 4 - parts.wkst) / 7)
  const period = (day: number) => {
    const { year, month } = of(day)
    return { YEARLY: year, MONTHLY: year * 12 + month, WEEKLY: week(day), DAILY: day }[parts.freq]
  }
  const yearDay = (day: number) => day - dayOf(of(day).year, 1, 1) + 1
  // Week 1 is the first that has four days of the year.
  const weekOne = (year: number) => {
    const first = week(dayOf(year, 1, 1))
    return 7 - (dayOf(year, 1, 1) - (first * 7 - 4 + parts.wkst)) >= 4 ? first : first + 1
  }
  const has = (values: number[] | undefined, value: number, length: number) =>
    !values || values.some((each) => each === value || each + length + 1 === value)
  const isDay = (day: number) => {
    const { year, month, day: date, weekday } = of(day)
    const month31 = daysInMonth(year, month)
    if (parts.bymonth && !parts.bymonth.includes(month)) return false
    if (!has(parts.bymonthday, date, month31) || !has(parts.byyearday, yearDay(day), daysInYear(year)))
      return false
    if (parts.byweekno) {
      const itsYear = [year - 1, year, year + 1].findLast((each) => weekOne(each) <= week(day))!
      if (!has(parts.byweekno, week(day) - weekOne(itsYear) + 1, weekOne(itsYear + 1) - weekOne(itsYear)))
        return false
    }
    if (!parts.byday) return true
    const inMonth = parts.freq === 'MONTHLY' || parts.bymonth
    const [from, to] = inMonth
      ? [day - date + 1, day - date + month31]
      : [dayOf(year, 1, 1), dayOf(year, 12, 31)]
    return parts.byday.some(([nth, each]) => {
      if (each !== weekday) return false
      const same = Array.from({ length: to - from + 1 }, (_, i) => from + i).filter(
        (d) => weekdayOf(d) === each
      )
      return nth === 0 || same.at(nth > 0 ? nth - 1 : nth) === day
    })
  }
  const isMeant = (day: number) => {
    const { byday, bymonthday, byyearday, byweekno, bymonth, freq } = parts
    if (!isDay(day)) return false
    if (byday || bymonthday || byyearday) return true
    const { month, day: date, weekday } = of(day)
    if (freq === 'WEEKLY' || (freq === 'YEARLY' && byweekno)) return weekday === began.weekday
    if (freq === 'DAILY') return true
    return date === began.day && (freq === 'MONTHLY' || bymonth !== undefined || month === began.month)
  }
  const sets = new Map<number, number[]>()
  // The first period may begin up to a year before the start.
  for (let day = start - 366; day <= LAST + 366; day++) {
    const number = period(day) - period(start)
    if (number < 0 || number % parts.interval !== 0 || !isMeant(day)) continue
    sets.set(number, [...(sets.get(number) ?? []), day])
  }
  const all = [...sets.values()].flatMap((days) => {
    if (!parts.bysetpos) return days
    const at = parts.bysetpos.map((position) => days.at(position > 0 ? position - 1 : position))
    return days.filter((day) => at.includes(day))
  })
  return [start, ...all.filter((day) => day > start)].slice(0, parts.count ?? Infinity)
}

const among = (values: number[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
const anyRule: fc.Arbitrary<Parts> = fc
  .record(
    {
      freq: fc.constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY'),
      interval: fc.integer({ min: 1, max: 5 }),
      wkst: fc.integer({ min: 1, max: 7 }),
      bymonth: among([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
      bymonthday: among([1, 2, 13, 15, 28, 29, 30, 31, -1, -2, -30, -31]),
      byday: fc.uniqueArray(
        fc.tuple(fc.constantFrom(0, 0, 1, 2, 5, 20, -1, -2), fc.integer({ min: 1, max: 7 })),
        { minLength: 1, maxLength: 3 }
      ),
      byyearday: among([1, 60, 100, 365, 366, -1, -100, -366]),
      byweekno: among([1, 2, 20, 52, 53, -1, -53]),
      bysetpos: among([1, 2, 3, -1, -2]),
      count: fc.integer({ min: 1, max: 30 })
    },
    { requiredKeys: ['freq', 'interval', 'wkst'] }
  )
  .map(({ byyearday, byweekno, byday, ...parts }) => ({
    ...parts,
    // What the standard allows of these, and nothing that is undefined.
    ...(parts.freq === 'YEARLY' && byyearday && { byyearday }),
    ...(parts.freq === 'YEARLY' && byweekno && { byweekno }),
    ...(byday && {
      byday: byday.map(([nth, day]): [number, number] => [
        parts.freq === 'YEARLY' || (parts.freq === 'MONTHLY' && Math.abs(nth) < 6) ? nth : 0,
        day
      ])
    })
  })) as fc.Arbitrary<Parts>

t.test('any rule gives what holding each day against it gives, in any window', (t) => {
  const day = fc.integer({ min: FIRST, max: FIRST + 1500 })
  fc.assert(
    fc.property(anyRule, day, fc.integer({ min: -30, max: 1500 }), (parts, start, later) => {
      const rule = ruleOf(
        (ICAL.parse.property(`RRULE:${text(parts)}`) as unknown[])[3] as Record<string, unknown>,
        () => 0
      )!
      const from = start + later
      const wall = start * DAY_SECONDS + 9 * 3600
      const window = { from: from * DAY_SECONDS, to: (LAST + 1) * DAY_SECONDS - 1 }
      const found = [wall, ...recurrences(rule, wall, window, new Work(1e7))].map(isoWall)
      const expected = naive(parts, start).map((day) => isoWall(day * DAY_SECONDS + 9 * 3600))
      const within = (all: string[]) =>
        [...new Set(all)].filter((each) => each >= isoWall(window.from) && each <= isoWall(window.to))
      t.same(within(found), within(expected), `${text(parts)} from ${isoWall(wall)}`)
    }),
    { numRuns: 100 }
  )
  t.end()
})

t.test('daily and weekly events in a range are those of all days that lie in it', async (t) => {
  const weekly = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: FIRST, max: FIRST + 700 }),
      fc.integer({ min: 1, max: 4 }),
      weekly,
      fc.integer({ min: 0, max: 700 }),
      fc.integer({ min: 1, max: 60 }),
      async (start, interval, weekdays, later, length) => {
        const freq = weekdays.length > 0 ? 'WEEKLY' : 'DAILY'
        const byday = weekdays.length > 0 ? `;BYDAY=${weekdays.map((each) => DAYS[each - 1]).join()}` : ''
        const iso = (day: number) => isoWall(day * DAY_SECONDS).slice(0, 10)
        const [from, to] = [start + later - 20, start + later - 20 + length]
        const lines = [
          `DTSTART;TZID=Europe/Berlin:${iso(start).replaceAll('-', '')}T090000`,
          `RRULE:FREQ=${freq};INTERVAL=${interval}${byday}`
        ]
        const expected: string[] = []
        for (let day = start; day <= to; day++) {
          const weeks = (day - weekdayOf(day) - (start - weekdayOf(start))) / 7
          const isDay =
            freq === 'DAILY'
              ? (day - start) % interval === 0
              : weeks % interval === 0 && weekdays.includes(weekdayOf(day))
          if ((isDay || day === start) && day >= from) expected.push(iso(day))
        }
        const found = await starts(t, lines, `${iso(from)}/${iso(to)}`)
        t.same(
          found.map((each) => each.slice(0, 16)),
          expected.map((day) => `${day}T09:00`),
          lines.join(' ')
        )
      }
    ),
    { numRuns: 120 }
  )
})
