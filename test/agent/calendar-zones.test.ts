import fc from 'fast-check'
import t from 'tap'
import { ianaZone, instantAt, isoInstant, wallAt } from '../../src/agent/dates/zone.js'
import { calendar, codes, event, granted, starts } from './calendars.js'

const NEW_YORK = { timeZone: 'America/New_York', weekStart: 7 }
const LORD_HOWE = { timeZone: 'Australia/Lord_Howe', weekStart: 1 }
const KIRITIMATI = { timeZone: 'Pacific/Kiritimati', weekStart: 1 }

/** A zone as the file describes it: the rules of the European Union. */
const zone = (tzid: string, standard = '+0100', daylight = '+0200') =>
  [
    'BEGIN:VTIMEZONE',
    `TZID:${tzid}`,
    'BEGIN:DAYLIGHT',
    `TZOFFSETFROM:${standard}`,
    `TZOFFSETTO:${daylight}`,
    'DTSTART:19810329T020000',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'END:DAYLIGHT',
    'BEGIN:STANDARD',
    `TZOFFSETFROM:${daylight}`,
    `TZOFFSETTO:${standard}`,
    'DTSTART:19961027T030000',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'END:VTIMEZONE'
  ].join('\r\n')

t.test(
  'nine o’clock stays nine o’clock when clocks are set, as the system’s zone or the file’s',
  async (t) => {
    const daily = (zone: string, day: string) => [`DTSTART;TZID=${zone}:${day}T090000`, 'RRULE:FREQ=DAILY']
    t.same(await starts(t, daily('Europe/Berlin', '20260301'), '2026-03-28/2026-03-30'), [
      '2026-03-28T09:00+01:00',
      '2026-03-29T09:00+02:00',
      '2026-03-30T09:00+02:00'
    ])
    t.same(await starts(t, daily('Europe/Berlin', '20261001'), '2026-10-24/2026-10-26'), [
      '2026-10-24T09:00+02:00',
      '2026-10-25T09:00+01:00',
      '2026-10-26T09:00+01:00'
    ])
    t.same(
      await starts(t, daily('America/New_York', '20260301'), '2026-03-07/2026-03-09', { locale: NEW_YORK }),
      ['2026-03-07T09:00-05:00', '2026-03-08T09:00-04:00', '2026-03-09T09:00-04:00']
    )
    // Half an hour, on the first Sunday in October.
    t.same(
      await starts(t, daily('Australia/Lord_Howe', '20260901'), '2026-10-03/2026-10-05', {
        locale: LORD_HOWE
      }),
      ['2026-10-03T09:00+10:30', '2026-10-04T09:00+11:00', '2026-10-05T09:00+11:00']
    )
    const own = calendar(zone('Ours'), event(...daily('Ours', '20260301')))
    t.same(await starts(t, own, '2026-03-28/2026-03-30'), [
      '2026-03-28T09:00+01:00',
      '2026-03-29T09:00+02:00',
      '2026-03-30T09:00+02:00'
    ])
  }
)

t.test(
  'between two zones an event moves in the weeks when only one of them has set its clocks',
  async (t) => {
    const weekly = ['DTSTART;TZID=America/New_York:20260303T090000', 'RRULE:FREQ=WEEKLY']
    t.same(await starts(t, weekly, '2026-03-01/2026-04-01'), [
      '2026-03-03T15:00+01:00',
      '2026-03-10T14:00+01:00',
      '2026-03-17T14:00+01:00',
      '2026-03-24T14:00+01:00',
      '2026-03-31T15:00+02:00'
    ])
  }
)

t.test('a time that clocks skip is an hour later, and one that they show twice is the first', async (t) => {
  const at = async (zone: string, time: string, day: string, locale?: typeof NEW_YORK) =>
    starts(t, [`DTSTART;TZID=${zone}:${time}`], day, locale && { locale })
  t.same(await at('Europe/Berlin', '20260329T023000', '2026-03-29'), ['2026-03-29T03:30+02:00'])
  t.same(await at('Europe/Berlin', '20261025T023000', '2026-10-25'), ['2026-10-25T02:30+02:00'])
  t.same(await at('America/New_York', '20260308T020000', '2026-03-08', NEW_YORK), ['2026-03-08T03:00-04:00'])
  t.same(await at('America/New_York', '20261101T013000', '2026-11-01', NEW_YORK), ['2026-11-01T01:30-04:00'])
  t.same(await at('Australia/Lord_Howe', '20261004T021500', '2026-10-04', LORD_HOWE), [
    '2026-10-04T02:45+11:00'
  ])
  t.same(await at('Australia/Lord_Howe', '20260405T014500', '2026-04-05', LORD_HOWE), [
    '2026-04-05T01:45+11:00'
  ])
  const own = (time: string) => calendar(zone('Ours'), event(`DTSTART;TZID=Ours:${time}`))
  t.same(await starts(t, own('20260329T023000'), '2026-03-29'), ['2026-03-29T03:30+02:00'])
  t.same(await starts(t, own('20261025T023000'), '2026-10-25'), ['2026-10-25T02:30+02:00'])
  t.same(await starts(t, own('20261025T030000'), '2026-10-25'), ['2026-10-25T03:00+01:00'])
  // Every night, also in the one that has no half past two.
  const nightly = ['DTSTART;TZID=Europe/Berlin:20260327T023000', 'RRULE:FREQ=DAILY;COUNT=4']
  t.same(await starts(t, nightly, '2026-03-27/2026-04-10'), [
    '2026-03-27T02:30+01:00',
    '2026-03-28T02:30+01:00',
    '2026-03-29T03:30+02:00',
    '2026-03-30T02:30+02:00'
  ])
})

t.test('an end is as far from its start as it was, a duration of days is by the clock', async (t) => {
  const ends = async (...lines: string[]) => {
    const { ask } = await granted(t, { 'a.ics': calendar(event(...lines)) })
    return (await ask('2026-03-27/2026-03-30')).events.map(({ end }) => end)
  }
  const night = 'DTSTART;TZID=Europe/Berlin:20260327T220000'
  t.same(await ends(night, 'DTEND;TZID=Europe/Berlin:20260328T060000', 'RRULE:FREQ=DAILY;COUNT=2'), [
    '2026-03-28T06:00+01:00',
    '2026-03-29T07:00+02:00'
  ])
  const day = 'DTSTART;TZID=Europe/Berlin:20260328T120000'
  t.same(await ends(day, 'DURATION:P1D'), ['2026-03-29T12:00+02:00'])
  t.same(await ends(day, 'DURATION:PT24H'), ['2026-03-29T13:00+02:00'])
  t.same(await ends(day, 'DURATION:P1DT1H'), ['2026-03-29T13:00+02:00'])
  t.same(await ends(day, 'DTEND;TZID=America/New_York:20260328T120000'), ['2026-03-28T17:00+01:00'])
})

t.test('whole days are the same days wherever one is', async (t) => {
  const lines = ['DTSTART;VALUE=DATE:20260325', 'DTEND;VALUE=DATE:20260327']
  for (const locale of [KIRITIMATI, { timeZone: 'Pacific/Pago_Pago', weekStart: 1 }, NEW_YORK, LORD_HOWE]) {
    const { ask } = await granted(t, { 'a.ics': calendar(event(...lines)) }, { locale })
    const there = async (range: string) => (await ask(range)).events
    t.match(
      await there('2026-03-25'),
      [{ start: '2026-03-25', end: '2026-03-26', allDay: true }],
      locale.timeZone
    )
    t.equal((await there('2026-03-26')).length, 1)
    t.same([await there('2026-03-24'), await there('2026-03-27')], [[], []])
    t.notOk('zone' in (await there('2026-03-25'))[0]!)
  }
  const yearly = ['DTSTART;VALUE=DATE:19800101', 'RRULE:FREQ=YEARLY']
  t.same(await starts(t, yearly, '2026-01-01', { locale: KIRITIMATI }), ['2026-01-01'])
  t.same(await starts(t, yearly, '2025-12-31', { locale: KIRITIMATI }), [])
})

t.test('a time without a zone is where the person is', async (t) => {
  const lines = ['DTSTART:20260325T090000']
  t.same(await starts(t, lines, 'today'), ['2026-03-25T09:00+01:00'])
  t.same(await starts(t, lines, '2026-03-25', { locale: NEW_YORK }), ['2026-03-25T09:00-04:00'])
})

t.test('UTC is shown by the person’s clock, on the person’s day', async (t) => {
  t.same(await starts(t, ['DTSTART:20260325T233000Z'], '2026-03-26'), ['2026-03-26T00:30+01:00'])
  t.same(await starts(t, ['DTSTART:20260325T233000Z'], '2026-03-25'), [])
  // In UTC it doesn’t stay at nine.
  t.same(await starts(t, ['DTSTART:20260328T080000Z', 'RRULE:FREQ=DAILY;COUNT=2'], '2026-03-28/2026-03-29'), [
    '2026-03-28T09:00+01:00',
    '2026-03-29T10:00+02:00'
  ])
})

t.test('names of zones: IANA’s in any case, behind a prefix, Windows’, and quoted', async (t) => {
  const at = (tzid: string) => starts(t, [`DTSTART;TZID=${tzid}:20260325T090000`], 'today')
  for (const [tzid, start] of [
    ['america/new_york', '2026-03-25T14:00+01:00'],
    ['"America/New_York"', '2026-03-25T14:00+01:00'],
    ['US/Eastern', '2026-03-25T14:00+01:00'],
    ['/mozilla.org/20050126_1/America/New_York', '2026-03-25T14:00+01:00'],
    ['/freeassociation.sourceforge.net/America/Argentina/Buenos_Aires', '2026-03-25T13:00+01:00'],
    ['Eastern Standard Time', '2026-03-25T14:00+01:00'],
    ['W. Europe Standard Time', '2026-03-25T09:00+01:00'],
    ['India Standard Time', '2026-03-25T04:30+01:00'],
    ['Asia/Kolkata', '2026-03-25T04:30+01:00']
  ])
    t.same(await at(tzid!), [start], tzid!)
})

t.test('the zone is named where it isn’t the person’s', async (t) => {
  const zoneShown = async (locale: typeof NEW_YORK, ...components: string[]) => {
    const { ask } = await granted(t, { 'a.ics': calendar(...components) }, { locale })
    return (await ask('2026-03-24/2026-03-26')).events[0]!.zone
  }
  const at = (tzid: string) => event(`DTSTART;TZID=${tzid}:20260325T090000`)
  const berlin = { timeZone: 'Europe/Berlin', weekStart: 1 }
  t.equal(await zoneShown(berlin, at('America/New_York')), 'America/New_York')
  t.equal(await zoneShown(berlin, at('Europe/Berlin')), undefined)
  t.equal(await zoneShown(berlin, at('W. Europe Standard Time')), undefined)
  t.equal(await zoneShown(berlin, zone('W. Europe Standard Time'), at('W. Europe Standard Time')), undefined)
  t.equal(await zoneShown(berlin, zone('Ours'), at('Ours')), 'Ours')
  t.equal(await zoneShown(berlin, event('DTSTART:20260325T090000Z')), undefined)
  t.equal(await zoneShown({ timeZone: 'Asia/Calcutta', weekStart: 1 }, at('Asia/Kolkata')), undefined)
})

t.test('what the file says of a zone counts before what its name is known for', async (t) => {
  const text = calendar(
    zone('Europe/Berlin', '+0500', '+0600'),
    event('DTSTART;TZID=Europe/Berlin:20260325T090000')
  )
  t.same(await starts(t, text, 'today'), ['2026-03-25T05:00+01:00'])
  // Not so in the next calendar of the file.
  const both = text + calendar(event('DTSTART;TZID=Europe/Berlin:20260325T100000'))
  t.same(await starts(t, both, 'today'), ['2026-03-25T05:00+01:00', '2026-03-25T10:00+01:00'])
})

t.test('zones by single dates, with seconds, without rules, and before all that is said', async (t) => {
  const observance = (kind: string, from: string, to: string, start: string, ...more: string[]) =>
    [
      `BEGIN:${kind}`,
      `TZOFFSETFROM:${from}`,
      `TZOFFSETTO:${to}`,
      `DTSTART:${start}`,
      ...more,
      `END:${kind}`
    ].join('\r\n')
  const own = (...observances: string[]) =>
    ['BEGIN:VTIMEZONE', 'TZID:Ours', ...observances, 'END:VTIMEZONE'].join('\r\n')
  const at = (time: string, ...observances: string[]) =>
    starts(t, calendar(own(...observances), event(`DTSTART;TZID=Ours:${time}`)), time.slice(0, 4))

  const fixed = observance('STANDARD', '+0300', '+0300', '19700101T000000')
  t.same(await at('20260325T090000', fixed), ['2026-03-25T07:00+01:00'])
  t.same(await at('19600325T090000', fixed), ['1960-03-25T07:00+01:00'])
  const dated = [
    observance('STANDARD', '+0100', '+0100', '20000101T000000', 'RDATE:20260601T000000'),
    observance('DAYLIGHT', '+0100', '+0400', '20260501T000000')
  ]
  t.same(await at('20260430T090000', ...dated), ['2026-04-30T10:00+02:00'])
  t.same(await at('20260502T090000', ...dated), ['2026-05-02T07:00+02:00'])
  t.same(await at('20260602T090000', ...dated), ['2026-06-02T10:00+02:00'])
  const until = [
    observance(
      'STANDARD',
      '+0200',
      '+0100',
      '19961027T030000',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20101031T010000Z'
    ),
    observance(
      'DAYLIGHT',
      '+0100',
      '+0200',
      '19810329T020000',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20110327T010000Z'
    )
  ]
  // Summer time for ever, since 2011.
  t.same(await at('20101215T090000', ...until), ['2010-12-15T09:00+01:00'])
  t.same(await at('20261215T090000', ...until), ['2026-12-15T08:00+01:00'])
  t.same(await at('20260325T090000', observance('STANDARD', '+000000', '+005328', '19000101T000000')), [
    '2026-03-25T09:06:32+01:00'
  ])
})

t.test('a zone that nobody knows is taken for the person’s, and named', async (t) => {
  const broken = [
    'BEGIN:VTIMEZONE',
    'TZID:Odd',
    'BEGIN:STANDARD',
    'TZOFFSETTO:x',
    'END:STANDARD',
    'END:VTIMEZONE'
  ]
  for (const tzid of ['Odd', 'constructor', '__proto__', 'Mars/Olympus']) {
    const lines = [
      broken.join('\r\n'),
      event(`DTSTART;TZID=${tzid}:20260325T090000`),
      event(`DTSTART;TZID=${tzid}:20260325T100000`)
    ]
    const answer = await (await granted(t, { 'a.ics': calendar(...lines) })).ask('today')
    t.same(
      answer.events.map(({ start }) => start),
      ['2026-03-25T09:00+01:00', '2026-03-25T10:00+01:00']
    )
    t.same(codes(answer), ['D_EVENT_ZONE granted/a.ics'])
    t.match(answer.problems[0]!.message, `“${tzid}”`)
  }
})

t.test('a zone whose rules have no end or no sense stops somewhere', async (t) => {
  const own = (rule: string) => zone('Ours').replaceAll(/RRULE:[^\r]*/g, `RRULE:${rule}`)
  for (const rule of [
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;BYMONTH=2',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;COUNT=9999999'
  ]) {
    const text = calendar(own(rule), event('DTSTART;TZID=Ours:20260325T090000'))
    const { ask } = await granted(t, { 'a.ics': text })
    t.equal((await ask('this week')).events.length, 1, rule)
  }
  const many = Array.from({ length: 300 }, (_, i) => own('FREQ=SECONDLY').replace('TZID:Ours', `TZID:Z${i}`))
  const events = many.map((_, i) => event(`DTSTART;TZID=Z${i}:20260325T090000`))
  const { ask } = await granted(t, { 'a.ics': calendar(...many, ...events) })
  t.equal((await ask('this week')).events.length, 100)
})

t.test('an instant shown by any zone’s clock is that instant again', (t) => {
  const names = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Africa/Casablanca'
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.integer({ min: Date.UTC(1980, 0, 1) / 1000, max: Date.UTC(2040, 0, 1) / 1000 }),
      (name, instant) => {
        const zone = ianaZone(name)!
        const again = instantAt(zone, wallAt(zone, instant))
        // Of a time that is shown twice it is the first.
        const isSame = again === instant || (again < instant && wallAt(zone, again) === wallAt(zone, instant))
        return isSame && Date.parse(isoInstant(zone, instant)) === instant * 1000
      }
    ),
    { numRuns: 2000 }
  )
  t.end()
})

t.test('a zone that the file describes is the one that the system knows', async (t) => {
  const known = ianaZone('Europe/Berlin')!
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: Date.UTC(1998, 0, 1) / 1000, max: Date.UTC(2060, 0, 1) / 1000 }),
      async (second) => {
        const wall = second - (second % 60)
        const time = new Date(wall * 1000).toISOString().replace(/[-:]|\.000Z/g, '')
        const text = calendar(zone('Ours'), event(`DTSTART;TZID=Ours:${time}`))
        const year = Number(time.slice(0, 4))
        const found = await starts(t, text, `${year - 1}-12-31/${year + 1}-01-01`)
        t.same(found, [isoInstant(known, instantAt(known, wall))])
      }
    ),
    { numRuns: 60 }
  )
})
