import t from 'tap'
import { calendar, codes, event, granted, starts, type Answer } from './calendars.js'

const START = 'DTSTART;TZID=Europe/Berlin:20260302T090000'
const WEEKLY = [START, 'DTEND;TZID=Europe/Berlin:20260302T100000', 'RRULE:FREQ=WEEKLY']

/** The days and times of March of events with one uid. */
async function march(t: Parameters<typeof granted>[0], ...events: string[][]): Promise<string[]> {
  const lines = events.map((each) => event('UID:one', ...each))
  return (await starts(t, calendar(...lines), 'March 2026')).map((each) => each.slice(5, 16))
}

async function answered(
  t: Parameters<typeof granted>[0],
  range: string,
  ...events: string[][]
): Promise<Answer> {
  const lines = events.map((each) => event('UID:one', ...each))
  const { ask } = await granted(t, { 'a.ics': calendar(...lines) })
  const answer = await ask(range)
  t.same(answer.problems, [])
  return answer
}

const ALL = ['03-02T09:00', '03-09T09:00', '03-16T09:00', '03-23T09:00', '03-30T09:00']
const without = (...gone: number[]) => ALL.filter((_, i) => !gone.includes(i))

t.test('EXDATE in the event’s zone, another zone, UTC, without a zone, as a date, and several', async (t) => {
  for (const [exdate, ...gone] of [
    ['EXDATE;TZID=Europe/Berlin:20260309T090000', 1],
    ['EXDATE;TZID=America/New_York:20260309T040000', 1],
    ['EXDATE:20260309T080000Z', 1],
    // Summer time has begun.
    ['EXDATE:20260330T070000Z', 4],
    ['EXDATE:20260309T090000', 1],
    ['EXDATE;VALUE=DATE:20260309', 1],
    ['EXDATE:20260309', 1],
    ['EXDATE;TZID=Europe/Berlin:20260309T090000,20260316T090000', 1, 2],
    ['EXDATE;TZID=Europe/Berlin:20260302T090000', 0],
    // Times when there is nothing.
    ['EXDATE;TZID=Europe/Berlin:20260309T100000'],
    ['EXDATE;TZID=Europe/Berlin:20260310T090000']
  ] as [string, ...number[]][])
    t.same(await march(t, [...WEEKLY, exdate]), without(...gone), exdate)
  t.same(await march(t, [...WEEKLY, 'EXDATE:20260309T080000Z', 'EXDATE:20260316T080000Z']), without(1, 2))
})

t.test('EXDATE of whole days, also where it is written as a time', async (t) => {
  const days = (exdate: string) =>
    starts(t, ['DTSTART;VALUE=DATE:20260323', 'RRULE:FREQ=DAILY;COUNT=3', exdate], 'this week')
  const expected = ['2026-03-23', '2026-03-25']
  t.same(await days('EXDATE;VALUE=DATE:20260324'), expected)
  t.same(await days('EXDATE:20260324T000000Z'), expected)
  t.same(await days('EXDATE;TZID=Europe/Berlin:20260324T000000'), expected)
})

t.test('EXDATE of a time that clocks skip', async (t) => {
  const nightly = ['DTSTART;TZID=Europe/Berlin:20260328T023000', 'RRULE:FREQ=DAILY;COUNT=3']
  for (const exdate of ['EXDATE;TZID=Europe/Berlin:20260329T023000', 'EXDATE:20260329T013000Z'])
    t.same(await march(t, [...nightly, exdate]), ['03-28T02:30', '03-30T02:30'], exdate)
})

t.test('RDATE as a time, in UTC, as a date, as a period, and with what it repeats', async (t) => {
  const at = (...lines: string[]) => march(t, [START, 'DURATION:PT1H', ...lines])
  t.same(await at('RDATE;TZID=Europe/Berlin:20260304T110000'), ['03-02T09:00', '03-04T11:00'])
  t.same(await at('RDATE:20260304T100000Z,20260305T100000Z'), ['03-02T09:00', '03-04T11:00', '03-05T11:00'])
  t.same(await at('RDATE;VALUE=DATE:20260304'), ['03-02T09:00', '03-04T09:00'])
  t.same(await at('RDATE:20260302T080000Z'), ['03-02T09:00'])
  t.same(await at('RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20260309T080000Z', 'RDATE:20260304T080000Z'), [
    '03-02T09:00',
    '03-04T09:00',
    '03-09T09:00'
  ])
  t.same(await at('RDATE:20260304T080000Z', 'EXDATE:20260304T080000Z'), ['03-02T09:00'])

  const period = 'RDATE;VALUE=PERIOD:20260304T080000Z/PT3H,20260305T080000Z/20260305T083000Z'
  const { events } = await answered(t, 'March 2026', [START, 'DURATION:PT1H', period])
  t.same(
    events.map(({ start, end }) => `${start.slice(8, 16)} ${end.slice(11, 16)}`),
    ['02T09:00 10:00', '04T09:00 12:00', '05T09:00 09:30']
  )
  t.ok(events.every(({ recurring }) => recurring))

  // Of a time that is said twice, what says more counts.
  const both = ['RRULE:FREQ=DAILY;COUNT=3', 'RDATE;VALUE=PERIOD:20260304T080000Z/PT3H']
  const three = await answered(t, 'March 2026', [START, 'DURATION:PT1H', ...both])
  t.same(
    three.events.map(({ end }) => end.slice(8, 16)),
    ['02T10:00', '03T10:00', '04T12:00']
  )

  const elsewhere = ['DTSTART;TZID=America/New_York:20260302T230000', 'RDATE:20260306T040000Z']
  const there = await answered(t, 'March 2026', elsewhere)
  t.same(
    there.events.map(({ start, zone }) => [start, zone]),
    [
      ['2026-03-03T05:00+01:00', 'America/New_York'],
      ['2026-03-06T05:00+01:00', 'America/New_York']
    ]
  )
  // By the day that it is there: the fifth.
  t.same(await march(t, [...elsewhere, 'EXDATE;VALUE=DATE:20260305']), ['03-03T05:00'])
})

t.test('a changed time is shown as it is now, and the one that it was isn’t', async (t) => {
  const change = (id: string, start: string) => [`RECURRENCE-ID${id}`, `DTSTART${start}`, 'SUMMARY:Moved']
  const berlin = ';TZID=Europe/Berlin:'
  for (const id of [
    `${berlin}20260309T090000`,
    ':20260309T080000Z',
    ';VALUE=DATE:20260309',
    ':20260309T090000'
  ])
    t.same(
      await march(t, WEEKLY, change(id, `${berlin}20260311T140000`)),
      ['03-02T09:00', '03-11T14:00', '03-16T09:00', '03-23T09:00', '03-30T09:00'],
      id
    )
  // Whatever comes first in the file.
  t.same(await march(t, change(`${berlin}20260309T090000`, `${berlin}20260309T100000`), WEEKLY), [
    '03-02T09:00',
    '03-09T10:00',
    ...ALL.slice(2)
  ])
  const { events } = await answered(
    t,
    'March 2026',
    WEEKLY,
    change(`${berlin}20260309T090000`, `${berlin}20260309T100000`)
  )
  t.match(events[1], { title: 'Moved', recurring: true })
})

t.test('a time moved into the range, out of it, and one that is moved within another range', async (t) => {
  const change = ['RECURRENCE-ID:20260309T080000Z', 'DTSTART;TZID=Europe/Berlin:20260520T090000']
  const days = async (range: string) =>
    (await answered(t, range, WEEKLY, change)).events.map(({ start }) => start.slice(5, 10))
  t.same(await days('2026-03-09/2026-03-10'), [])
  t.same(await days('2026-05-20'), ['05-20'])
  t.same(await days('2026-03-02/2026-03-16'), ['03-02', '03-16'])
})

t.test('of a time changed twice the later change counts', async (t) => {
  const change = (sequence: number, hour: string) => [
    'RECURRENCE-ID:20260309T080000Z',
    `SEQUENCE:${sequence}`,
    `DTSTART;TZID=Europe/Berlin:20260309T${hour}0000`
  ]
  for (const changes of [
    [change(1, '11'), change(2, '12')],
    [change(2, '12'), change(1, '11')]
  ])
    t.same(await march(t, WEEKLY, ...changes), ['03-02T09:00', '03-09T12:00', ...ALL.slice(2)])
})

t.test('this and what follows', async (t) => {
  const future = (id: string, ...lines: string[]) => [`RECURRENCE-ID;RANGE=THISANDFUTURE${id}`, ...lines]
  const later = future(
    ';TZID=Europe/Berlin:20260316T090000',
    'DTSTART;TZID=Europe/Berlin:20260317T103000',
    'DURATION:PT2H',
    'SUMMARY:Later'
  )
  t.same(await march(t, WEEKLY, later), [
    '03-02T09:00',
    '03-09T09:00',
    '03-17T10:30',
    '03-24T10:30',
    '03-31T10:30'
  ])
  const { events } = await answered(t, '2026-04-01/2026-04-30', WEEKLY, later)
  t.match(events[0], { start: '2026-04-07T10:30+02:00', end: '2026-04-07T12:30+02:00', title: 'Later' })

  // A single change among them, and what follows a second time.
  const single = ['RECURRENCE-ID:20260323T080000Z', 'DTSTART;TZID=Europe/Berlin:20260323T200000']
  t.same(await march(t, WEEKLY, later, single), [
    '03-02T09:00',
    '03-09T09:00',
    '03-17T10:30',
    '03-23T20:00',
    '03-31T10:30'
  ])
  const again = future(':20260330T070000Z', 'DTSTART;TZID=Europe/Berlin:20260330T080000')
  t.same(await march(t, WEEKLY, again, later), [
    '03-02T09:00',
    '03-09T09:00',
    '03-17T10:30',
    '03-24T10:30',
    '03-30T08:00'
  ])

  // Three weeks earlier or later.
  const moved = async (start: string, range: string) => {
    const change = future(':20260316T080000Z', `DTSTART;TZID=Europe/Berlin:${start}T090000`)
    return (await answered(t, range, WEEKLY, change)).events.map(({ start }) => start.slice(0, 10))
  }
  t.same(await moved('20260223', '2026-04-01/2026-04-08'), ['2026-04-06'])
  t.same(await moved('20260406', '2026-04-12/2026-04-14'), ['2026-04-13'])

  // From times in a zone to whole days, and to another zone.
  const days = await answered(
    t,
    '2026-03-16/2026-03-25',
    WEEKLY,
    future(':20260316T080000Z', 'DTSTART;VALUE=DATE:20260317')
  )
  t.same(
    days.events.map(({ start, allDay }) => [start, allDay]),
    [
      ['2026-03-17', true],
      ['2026-03-24', true]
    ]
  )
  const york = future(':20260316T080000Z', 'DTSTART;TZID=America/New_York:20260316T090000')
  t.same(
    (await answered(t, '2026-03-16/2026-04-01', WEEKLY, york)).events.map(({ start }) => start),
    ['2026-03-16T14:00+01:00', '2026-03-23T14:00+01:00', '2026-03-30T14:00+02:00']
  )
})

t.test(
  'what is called off is marked: all of it, one time, and by a calendar that does only that',
  async (t) => {
    const gone = await answered(t, 'March 2026', [...WEEKLY, 'STATUS:CANCELLED'])
    t.ok(gone.events.every(({ cancelled }) => cancelled))
    const one = await answered(t, 'March 2026', WEEKLY, [
      'RECURRENCE-ID:20260309T080000Z',
      START.replace('0302', '0309'),
      'STATUS:cancelled'
    ])
    t.same(
      one.events.map(({ cancelled = false }) => cancelled),
      [false, true, false, false, false]
    )

    const text = calendar('METHOD:CANCEL', event(START))
    const { ask } = await granted(t, { 'a.ics': text })
    t.match((await ask('2026-03-02')).events, [{ cancelled: true }])
  }
)

t.test('a change without its pattern is an event of its own', async (t) => {
  t.same(await march(t, ['RECURRENCE-ID:20260309T080000Z', 'DTSTART;TZID=Europe/Berlin:20260311T140000']), [
    '03-11T14:00'
  ])
})

t.test('of two states of an event in one file the later counts; two of one number are two', async (t) => {
  const state = (sequence: number, hour: string) => [
    `SEQUENCE:${sequence}`,
    `DTSTART;TZID=Europe/Berlin:20260309T${hour}0000`
  ]
  t.same(await march(t, state(1, '11'), state(0, '10')), ['03-09T11:00'])
  t.same(await march(t, state(0, '10'), state(0, '11')), ['03-09T10:00', '03-09T11:00'])
  t.same(await march(t, state(0, '10'), ['SEQUENCE:many', ...state(0, '11').slice(1)]), [
    '03-09T10:00',
    '03-09T11:00'
  ])
})

t.test('one uid in two files: what is alike is shown once, what differs twice', async (t) => {
  const one = calendar(event('UID:same', 'SUMMARY:It', START))
  const two = calendar(event('UID:same', 'SUMMARY:It', START), event('UID:same', 'SUMMARY:Other', START))
  const { ask } = await granted(t, { 'one.ics': one, 'two.ics': two })
  const { events } = await ask('March 2026')
  t.same(
    events.map(({ title, calendar }) => [title, calendar]),
    [
      ['It', 'one'],
      ['Other', 'two']
    ]
  )
})

t.test('a change in one file doesn’t touch what another file has under its uid', async (t) => {
  const { ask } = await granted(t, {
    'mine.ics': calendar(event('UID:one', ...WEEKLY)),
    'theirs.ics': calendar(
      event(
        'UID:one',
        'SEQUENCE:99',
        'RECURRENCE-ID:20260309T080000Z',
        'DTSTART:20300101T000000',
        'STATUS:CANCELLED'
      )
    )
  })
  t.equal((await ask('March 2026')).events.length, 5)
})

t.test('events that begin before the range or end after it', async (t) => {
  const trip = ['DTSTART;TZID=Europe/Berlin:20260320T180000', 'DTEND;TZID=Europe/Berlin:20260402T120000']
  t.equal((await starts(t, trip, 'today')).length, 1)
  t.equal((await starts(t, trip, '2026-03-20')).length, 1)
  t.equal((await starts(t, trip, '2026-04-02')).length, 1)
  t.equal((await starts(t, trip, '2026-04-03')).length, 0)
  const days = ['DTSTART;VALUE=DATE:20260320', 'DTEND;VALUE=DATE:20260326']
  t.equal((await starts(t, days, '2026-03-25')).length, 1)
  t.equal((await starts(t, days, '2026-03-26')).length, 0)
  // It ends as the range begins, or begins as it ends.
  const night = ['DTSTART;TZID=Europe/Berlin:20260325T220000', 'DTEND;TZID=Europe/Berlin:20260326T000000']
  t.same(
    [(await starts(t, night, '2026-03-25')).length, (await starts(t, night, '2026-03-26')).length],
    [1, 0]
  )
  const moment = ['DTSTART;TZID=Europe/Berlin:20260326T000000']
  t.same(
    [(await starts(t, moment, '2026-03-25')).length, (await starts(t, moment, '2026-03-26')).length],
    [0, 1]
  )
  // One that repeats each month, three weeks long.
  const long = ['DTSTART;VALUE=DATE:20260110', 'DTEND;VALUE=DATE:20260131', 'RRULE:FREQ=MONTHLY']
  t.same(await starts(t, long, '2026-03-25'), ['2026-03-10'])
  // And one that is longer than it takes to come again.
  const longer = ['DTSTART;VALUE=DATE:20260110', 'DURATION:P50D', 'RRULE:FREQ=MONTHLY']
  t.same(await starts(t, longer, '2026-04-11'), ['2026-03-10', '2026-04-10'])
})

t.test('a change that can’t be placed doesn’t lose the series', async (t) => {
  const { ask } = await granted(t, {
    'a.ics': calendar(
      event('UID:one', ...WEEKLY),
      event('UID:one', 'RECURRENCE-ID:nonsense', 'DTSTART:20260304T090000')
    )
  })
  const answer = await ask('March 2026')
  t.equal(answer.events.length, 6)
  t.same(codes(answer), ['D_EVENT_PART granted/a.ics'])
})
