import { link, mkdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { toolByName } from '../../src/namespace/tool.js'
import { queryCalendar } from '../../src/agent/tools/query-calendar.js'
import { BERLIN, calendar, codes, event, granted, NOW, starts } from './calendars.js'
import { refused } from './refused.js'

const TODAY = 'DTSTART;TZID=Europe/Berlin:20260325T090000'
const titles = (answer: { events: { title: string }[] }) => answer.events.map(({ title }) => title)

t.test('what a model is told of an event', async (t) => {
  const { ask } = await granted(t, {
    'work.ics': calendar(
      'X-WR-CALNAME:Work\\, mostly',
      event(
        'SUMMARY:Talk\\, then lunch',
        'LOCATION:Room 5\\; first floor',
        'DESCRIPTION:Bring:\\n- slides\\n- \\\\ a backslash',
        'DTSTART;TZID=America/New_York:20260325T090000',
        'DTEND;TZID=America/New_York:20260325T103000',
        'BEGIN:VALARM',
        'ACTION:DISPLAY',
        'DESCRIPTION:An alarm',
        'TRIGGER:-PT15M',
        'END:VALARM'
      ),
      event(
        'SUMMARY:Holiday',
        'DTSTART;VALUE=DATE:20260325',
        'DTEND;VALUE=DATE:20260328',
        'RRULE:FREQ=YEARLY'
      ),
      event('SUMMARY:Call', TODAY)
    )
  })
  t.same(await ask('today'), {
    range: { from: '2026-03-25', to: '2026-03-25', timeZone: 'Europe/Berlin' },
    events: [
      {
        title: 'Holiday',
        start: '2026-03-25',
        end: '2026-03-27',
        allDay: true,
        calendar: 'Work, mostly',
        recurring: true
      },
      {
        title: 'Call',
        start: '2026-03-25T09:00+01:00',
        end: '2026-03-25T09:00+01:00',
        allDay: false,
        calendar: 'Work, mostly'
      },
      {
        title: 'Talk, then lunch',
        start: '2026-03-25T14:00+01:00',
        end: '2026-03-25T15:30+01:00',
        allDay: false,
        place: 'Room 5; first floor',
        notes: 'Bring:\n- slides\n- \\ a backslash',
        calendar: 'Work, mostly',
        zone: 'America/New_York'
      }
    ],
    problems: [],
    more: 0
  })
})

t.test('nothing is read unless a calendar is granted, at the moment of the call', async (t) => {
  const { ask, grants, folder } = await granted(t, { 'a.ics': calendar(event(TODAY)) })
  t.equal((await ask('today')).events.length, 1)
  await grants.revoke('calendar')
  await refused(t, ask('today'), 'E_NOT_GRANTED')
  await grants.grant('calendar', join(folder, 'a.ics'))
  t.equal((await ask('today')).events.length, 1)
  t.match(toolByName('query_calendar'), { grant: 'calendar', schema: { required: ['range'] } })
})

t.test('a range that can’t be read is refused, with examples', async (t) => {
  const { ask } = await granted(t, { 'a.ics': calendar(event(TODAY)) })
  t.match((await refused(t, ask('some time'), 'E_RANGE')).hint, /this weekend/)
  await refused(t, ask('2026-03-07/2026-03-01'), 'E_RANGE_ORDER')
})

t.test('words must all be there, in title, place or notes, in any case', async (t) => {
  const { ask } = await granted(t, {
    'a.ics': calendar(
      event('SUMMARY:Zahnarzt ÄRZTEHAUS', TODAY),
      event('SUMMARY:Lunch', 'LOCATION:Café Central', TODAY),
      event('SUMMARY:Lunch', 'DESCRIPTION:with Anna', TODAY),
      event('SUMMARY:Weekly', TODAY, 'UID:w', 'RRULE:FREQ=DAILY'),
      event('SUMMARY:Weekly with Anna', 'UID:w', 'RECURRENCE-ID:20260326T080000Z', 'DTSTART:20260326T090000')
    )
  })
  const found = async (words: string) => titles(await ask('2026-03-25/2026-03-26', words))
  t.same(await found('ärztehaus'), ['Zahnarzt ÄRZTEHAUS'])
  t.same(await found('lunch'), ['Lunch', 'Lunch'])
  t.same(await found('ANNA lunch'), ['Lunch'])
  t.same(await found('cafe\u0301'), ['Lunch'])
  t.same(await found('anna'), ['Lunch', 'Weekly with Anna'])
  t.same(await found('weekly'), ['Weekly', 'Weekly with Anna'])
  t.same(await found('nobody'), [])
  t.equal((await found('  ')).length, 5)
})

t.test('the earliest first; a hundred, and how many more', async (t) => {
  const minute = (i: number) =>
    `DTSTART:20260325T${String(i % 24).padStart(2, '0')}${String(i % 60).padStart(2, '0')}00`
  const events = Array.from({ length: 130 }, (_, i) => event(`SUMMARY:${i}`, minute(i * 7)))
  const { ask } = await granted(t, { 'a.ics': calendar(...events) })
  const { events: found, more } = await ask('today')
  t.same([found.length, more], [100, 30])
  const times = found.map(({ start }) => start)
  t.same(times, times.toSorted())
})

t.test('long titles, places and notes are cut, whole characters only', async (t) => {
  const { ask } = await granted(t, {
    'a.ics': calendar(
      event(
        `SUMMARY:${'🦭'.repeat(300)}`,
        `LOCATION:${'x'.repeat(500)}`,
        `DESCRIPTION:${'y'.repeat(90_000)}`,
        TODAY
      )
    )
  })
  const [found] = (await ask('today')).events
  t.equal(found!.title, `${'🦭'.repeat(199)}…`)
  t.same([found!.place!.length, found!.notes!.length], [200, 300])
})

t.test('folded lines, in the midst of a character too, and every kind of line end', async (t) => {
  const folded = calendar(event('SUMMARY:A lo', ' ng', '\t title', TODAY.replace('Berlin', '\r\n Berlin')))
  for (const text of [
    folded,
    folded.replaceAll('\r\n', '\n'),
    folded.replaceAll('\r\n', '\r'),
    folded.replaceAll('\r\n', '\r\n\r\n')
  ]) {
    const { ask } = await granted(t, { 'a.ics': text })
    const answer = await ask('today')
    t.same([titles(answer), answer.problems], [['A long title'], []])
  }
  const [before, after] = calendar(event('SUMMARY:Mün|chen', TODAY)).split('ü')
  const bytes = Buffer.concat([
    Buffer.from(before!),
    Buffer.from([0xc3]),
    Buffer.from('\r\n '),
    Buffer.from([0xbc]),
    Buffer.from(after!)
  ])
  const answer = await (await granted(t, { 'a.ics': bytes })).ask('today')
  t.same([titles(answer), answer.problems], [['Mün|chen'], []])
})

t.test('marks at the beginning, UTF-16, and what isn’t Unicode', async (t) => {
  const text = calendar(event('SUMMARY:Müsli', TODAY))
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  for (const [bytes, problems] of [
    [Buffer.from(`\ufeff${text}`), []],
    [Buffer.from(`\ufeff${text}\ufeff${calendar()}`), []],
    [utf16, []],
    [Buffer.from(utf16).swap16(), []],
    [Buffer.from(text, 'latin1'), ['D_CALENDAR_ENCODING granted/a.ics']]
  ] as [Buffer, string[]][]) {
    const answer = await (await granted(t, { 'a.ics': bytes })).ask('today')
    t.same([titles(answer), codes(answer)], [['Müsli'], problems])
  }
})

t.test('several calendars in a file, each with its name', async (t) => {
  const one = calendar('X-WR-CALNAME:One', event('SUMMARY:1', TODAY))
  const two = calendar('NAME:Two', event('SUMMARY:2', TODAY))
  const { events } = await (
    await granted(t, { 'a.ics': one + two + calendar(event('SUMMARY:3', TODAY)) })
  ).ask('today')
  t.same(
    events.map(({ title, calendar }) => [title, calendar]),
    [
      ['1', 'One'],
      ['2', 'Two'],
      ['3', 'a']
    ]
  )
})

t.test('one file for each event: the calendar is called like the folder', async (t) => {
  const { ask } = await granted(t, {
    'home/4f1c.ics': calendar(event('UID:4f1c', TODAY)),
    'other.ics': calendar(event('UID:x', 'SUMMARY:Other', TODAY))
  })
  t.same((await ask('today')).events.map(({ calendar }) => calendar).sort(), ['home', 'other'])
})

t.test('tasks, journals and times of being busy are no events', async (t) => {
  const others = ['VTODO', 'VJOURNAL', 'VFREEBUSY'].map((kind) =>
    event(TODAY, 'DUE:20260325T100000').replaceAll('VEVENT', kind)
  )
  t.same(await starts(t, calendar(...others, event(TODAY)), 'today'), ['2026-03-25T09:00+01:00'])
})

t.test('events without an end, with one before the start, and odd ones of whole days', async (t) => {
  const ends = async (...lines: string[]) => {
    const { events, problems } = await (
      await granted(t, { 'a.ics': calendar(event(...lines)) })
    ).ask('2026-03-25/2026-03-26')
    t.same(problems, [])
    return events.map(({ end }) => end)
  }
  const day = 'DTSTART;VALUE=DATE:20260325'
  t.same(await ends(TODAY), ['2026-03-25T09:00+01:00'])
  t.same(await ends(TODAY, 'DTEND;TZID=Europe/Berlin:20260324T090000'), ['2026-03-25T09:00+01:00'])
  t.same(await ends(TODAY, 'DURATION:-PT1H'), ['2026-03-25T09:00+01:00'])
  t.same(await ends(TODAY, 'DTEND;VALUE=DATE:20260326'), ['2026-03-26T00:00+01:00'])
  t.same(await ends(day), ['2026-03-25'])
  t.same(await ends('DTSTART:20260325'), ['2026-03-25'])
  t.same(await ends(day, 'DTEND;VALUE=DATE:20260325'), ['2026-03-25'])
  t.same(await ends(day, 'DTEND;VALUE=DATE:20260327'), ['2026-03-26'])
  t.same(await ends(day, 'DURATION:P2D'), ['2026-03-26'])
  t.same(await ends(day, 'DURATION:PT36H'), ['2026-03-26'])
  t.same(await ends(day, 'DURATION:P1W'), ['2026-03-31'])
})

t.test('one broken event doesn’t lose the others', async (t) => {
  const broken = [
    event('SUMMARY:No start'),
    event('SUMMARY:Bad start', 'DTSTART:tomorrow'),
    event('DTSTART:20260231T090000'),
    event('DTSTART;TZID=:x'),
    'BEGIN:VEVENT\r\nno colon at all\r\nEND:VEVENT',
    // Not closed.
    'BEGIN:VEVENT\r\nSUMMARY:Open',
    event('SUMMARY:Fine', 'X-JUNK', ';;;', 'ATTENDEE;CN="a:b', 'SUMMARY2:x', TODAY)
  ]
  const { ask } = await granted(t, { 'a.ics': calendar(event('SUMMARY:First', TODAY), ...broken) })
  const answer = await ask('today')
  t.same(titles(answer), ['Fine', 'First'])
  t.same(codes(answer), ['D_EVENT granted/a.ics'])
  t.match(answer.problems[0]!.message, /6, such as “No start”/)
})

t.test('a file that ends too early gives what it has, and a problem', async (t) => {
  const text = calendar(event('SUMMARY:1', TODAY), event('SUMMARY:2', TODAY))
  const at = text.indexOf('SUMMARY:2')
  const { ask } = await granted(t, {
    'a.ics': text.slice(0, at + 9),
    'b.ics': '',
    'c.ics': 'BEGIN:VCARD\nEND:VCARD\n'
  })
  const answer = await ask('today')
  t.same(titles(answer), ['1'])
  t.same(codes(answer), [
    'D_CALENDAR_CUT granted/a.ics',
    'D_EVENT granted/a.ics',
    'D_CALENDAR_FORM granted/b.ics',
    'D_CALENDAR_FORM granted/c.ics'
  ])
})

t.test('what can’t be read of an event in part is said', async (t) => {
  const parts = [
    'DTEND:x',
    'DURATION:x',
    'EXDATE:x',
    'RDATE:x',
    'RECURRENCE-ID:x',
    'EXRULE:FREQ=DAILY',
    'DURATION:P99999999999W'
  ]
  for (const part of parts) {
    const answer = await (
      await granted(t, { 'a.ics': calendar(event('SUMMARY:Odd', TODAY, part)) })
    ).ask('today')
    t.same([titles(answer), codes(answer)], [['Odd'], ['D_EVENT_PART granted/a.ics']], part)
    t.match(answer.problems[0]!.message, `(${part.split(':')[0]})`)
  }
})

t.test('a file that changed on the disk is seen by the next call', async (t) => {
  const { ask, folder } = await granted(t, { 'a.ics': calendar(event('SUMMARY:One', TODAY)) })
  const path = join(folder, 'a.ics')
  const { atime, mtime } = await stat(path)
  t.same(titles(await ask('today')), ['One'])
  // The same length, at the same time, in the same file.
  await writeFile(path, calendar(event('SUMMARY:Two', TODAY)))
  await utimes(path, atime, mtime)
  t.same(titles(await ask('today')), ['Two'])
  await writeFile(join(folder, 'new'), calendar(event('SUMMARY:Six', TODAY)))
  await rename(join(folder, 'new'), path)
  t.same(titles(await ask('today')), ['Six'])
  await writeFile(join(folder, 'b.ics'), calendar(event('SUMMARY:More', TODAY)))
  t.same(titles(await ask('today')), ['More', 'Six'])
  await rm(path)
  t.same(titles(await ask('today')), ['More'])
})

t.test('all .ics beneath a folder; links aren’t followed, and a file is read once', async (t) => {
  const text = (title: string) => calendar(event(`SUMMARY:${title}`, TODAY))
  const { ask, folder, grants } = await granted(t, {
    'a.ics': text('a'),
    'deep/er/B.ICS': text('b'),
    'deep/empty.ics': '',
    'c.txt': text('c'),
    'd.ics.bak': text('d')
  })
  const outside = join(folder, '../outside')
  await mkdir(outside)
  await writeFile(join(outside, 'secret.ics'), text('secret'))
  await symlink(outside, join(folder, 'linked'))
  await symlink(join(outside, 'secret.ics'), join(folder, 'linked.ics'))
  await link(join(folder, 'a.ics'), join(folder, 'z.ics'))
  await mkdir(join(folder, 'folder.ics'))
  await grants.grant('calendar', join(folder, 'a.ics'))
  await grants.grant('calendar', join(folder, 'deep'))
  const answer = await ask('today')
  t.same(titles(answer), ['a', 'b'])
  t.same(codes(answer), ['D_CALENDAR_FORM granted/deep/empty.ics', 'D_SYMLINK granted/linked.ics'])
})

t.test('a granted folder that was swapped for a link gives nothing', async (t) => {
  const { ask, folder } = await granted(t, { 'a.ics': calendar(event('SUMMARY:mine', TODAY)) })
  const outside = join(folder, '../outside')
  await mkdir(outside)
  await writeFile(join(outside, 'a.ics'), calendar(event('SUMMARY:secret', TODAY)))
  await rm(folder, { recursive: true })
  t.same(codes(await ask('today')), ['D_UNREADABLE granted'])
  await symlink(outside, folder)
  const answer = await ask('today')
  t.same([answer.events, codes(answer)], [[], ['D_UNREADABLE granted/a.ics']])
})

t.test('a file that is too large is left out, and too many problems are counted', async (t) => {
  const { ask, folder } = await granted(t, {
    'a.ics': calendar(event(TODAY)),
    'large.ics': 'BEGIN:VCALENDAR\n'
  })
  await truncate(join(folder, 'large.ics'), 16 * 1024 * 1024 + 1)
  const answer = await ask('today')
  t.same([answer.events.length, codes(answer)], [1, ['D_CALENDAR_SIZE granted/large.ics']])
  for (let i = 0; i < 40; i++) await writeFile(join(folder, `empty${i}.ics`), '')
  const { problems } = await ask('today')
  t.equal(problems.length, 21)
  t.match(problems.at(-1), { code: 'D_CALENDAR_PROBLEMS', message: 'More problems were found: 21.' })
})

t.test('a call that is broken off stops', async (t) => {
  const { grants } = await granted(t, { 'a.ics': calendar(event(TODAY)) })
  const run = queryCalendar({
    grants,
    clock: { now: () => NOW, random: () => new Uint8Array() },
    locale: BERLIN
  })
  const reason = new Error('enough')
  await t.rejects(run({ range: 'today' }, AbortSignal.abort(reason)), reason)
})

t.test('invisible characters of a title don’t reach a problem’s sentence', async (t) => {
  const { ask } = await granted(t, { 'a.ics': calendar(event('SUMMARY:a\u202eb\u001b[31m')) })
  const { problems } = await ask('today')
  t.match(problems[0]!.message, '“a\\u{202e}b\\u{1b}[31m”')
})

// Hostile files

t.test('files made to be slow are read all the same', async (t) => {
  const lines = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i))
  const slow: Record<string, string> = {
    parameters: event(`DTSTART${';a=b'.repeat(200_000)}:20260325T090000`),
    quoted: event(...lines(2000, () => `DTSTART;x=":"${';a=b'.repeat(500)}:20260325T090000`), TODAY),
    exceptions: event(
      TODAY,
      'RRULE:FREQ=DAILY',
      ...lines(50_000, (i) => `EXDATE:20260325T09${String(i % 60).padStart(2, '0')}00`)
    ),
    dates: event(
      TODAY,
      `RDATE:${lines(50_000, (i) => `2026${String(1 + (i % 12)).padStart(2, '0')}10T100000`).join()}`
    ),
    changes: [
      event('UID:u', TODAY, 'RRULE:FREQ=HOURLY'),
      ...lines(5000, (i) =>
        event(
          'UID:u',
          TODAY,
          `RECURRENCE-ID;RANGE=THISANDFUTURE:${2000 + (i % 30)}0325T0900${String(i % 60).padStart(2, '0')}`
        )
      )
    ].join('\r\n'),
    patterns: lines(3000, () => event('UID:u', TODAY, 'RRULE:FREQ=DAILY')).join('\r\n'),
    zones: lines(5000, (i) => event(`DTSTART;TZID=Zone/No${i}:20260325T090000`)).join('\r\n'),
    nested: 'BEGIN:A\r\n'.repeat(50_000) + event(TODAY),
    opened: 'BEGIN:VEVENT\r\n'.repeat(50_000) + event(TODAY),
    folded: event(TODAY, `DESCRIPTION:${'x\r\n '.repeat(200_000)}`, 'RRULE:FREQ=HOURLY'),
    rules: event(TODAY, ...lines(2000, () => 'RRULE:FREQ=MINUTELY')),
    commas: event(TODAY, `RRULE:FREQ=DAILY;BYDAY=${'MO,'.repeat(100_000)}TU`),
    lengths: event(TODAY, `DURATION:P${'1W'.repeat(100_000)}`)
  }
  for (const [name, text] of Object.entries(slow)) {
    const { ask } = await granted(t, { 'a.ics': calendar(text) })
    const { events } = await ask('2026', 'It')
    t.ok(events.length <= 100, name)
  }
})

t.test('a revision that is no number ended the whole answer', async (t) => {
  const text = calendar(event('SUMMARY:Tea', 'SEQUENCE;VALUE=RECUR:20260325T090000', TODAY))
  t.same(titles(await (await granted(t, { 'a.ics': text })).ask('today')), ['Tea'])
})

t.test('any bytes as a calendar give an answer', async (t) => {
  const names = [
    'DTSTART',
    'DTEND',
    'DURATION',
    'RRULE',
    'RDATE',
    'EXDATE',
    'RECURRENCE-ID',
    'SUMMARY',
    'UID',
    'SEQUENCE',
    'TZOFFSETTO',
    'TZOFFSETFROM',
    'TZID',
    'STATUS'
  ]
  const parameter = fc.constantFrom(
    '',
    ';TZID=Europe/Berlin',
    ';TZID=Ours',
    ';VALUE=DATE',
    ';VALUE=PERIOD',
    ';VALUE=TEXT',
    ';VALUE=RECUR',
    ';RANGE=THISANDFUTURE',
    ';X="',
    ';='
  )
  const value = fc.oneof(
    fc.constantFrom(
      '20260325T090000',
      '20260325',
      '20260325T090000Z',
      '99999999T999999',
      '00000000',
      'PT1H',
      '-P9999999D',
      'P1D',
      '+9999',
      '-0100',
      'FREQ=DAILY',
      'FREQ=WEEKLY;BYDAY=MO,-1TU',
      'FREQ=SECONDLY;COUNT=9',
      'FREQ=YEARLY;BYWEEKNO=53;UNTIL=2',
      'FREQ=',
      'INTERVAL=0',
      '20260325T090000/PT1H',
      'x',
      '1',
      'CANCELLED'
    ),
    fc.string({ unit: 'binary', maxLength: 20 })
  )
  const line = fc
    .tuple(fc.constantFrom(...names), parameter, value)
    .map(([name, parameter, value]) => `${name}${parameter}:${value}`)
  const edge = fc.constantFrom(
    ...['VCALENDAR', 'VEVENT', 'VTIMEZONE', 'STANDARD', 'VALARM'].flatMap((name) => [
      `BEGIN:${name}`,
      `END:${name}`
    ])
  )
  const component = fc
    .array(line, { maxLength: 8 })
    .map((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n'))
  const text = fc
    .array(fc.oneof({ weight: 3, arbitrary: line }, edge, component), { maxLength: 30 })
    .map((lines) => Buffer.from(`BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Ours\r\n${lines.join('\r\n')}`))
  const bytes = fc.oneof(text, fc.uint8Array({ maxLength: 500 }))
  const { ask, folder } = await granted(t, {})
  const range = fc.constantFrom('2026-03-25', '2026', '1900-01-01/2199-12-31')
  await fc.assert(
    fc.asyncProperty(bytes, range, async (bytes, range) => {
      await writeFile(join(folder, 'a.ics'), bytes)
      const { events, problems } = await ask(range)
      for (const { start, end } of events) t.match(`${start} ${end}`, /^\d{4}-\d\d-\d\d.* -?\d+-\d\d-\d\d/)
      return problems.every(({ code }) => code.startsWith('D_'))
    }),
    { numRuns: 400 }
  )
})

t.test('a range in words, and the dates that it prints, give the same events', async (t) => {
  const { ask, folder } = await granted(t, {})
  const words = fc.constantFrom(
    'today',
    'this weekend',
    'next week',
    'from Monday to Friday',
    'March 2026',
    'the next 10 days',
    'last month',
    'until Friday'
  )
  const anyEvent = fc
    .record({
      day: fc.integer({ min: 1, max: 28 }),
      month: fc.integer({ min: 1, max: 6 }),
      hour: fc.integer({ min: 0, max: 23 }),
      zone: fc.constantFrom('', ';TZID=America/New_York', ';TZID=Pacific/Kiritimati'),
      rule: fc.constantFrom('', 'FREQ=DAILY;INTERVAL=5', 'FREQ=WEEKLY', 'FREQ=MONTHLY;BYDAY=-1FR'),
      length: fc.constantFrom('PT1H', 'P1D', 'P9D')
    })
    .map(({ day, month, hour, zone, rule, length }) => {
      const two = (value: number) => String(value).padStart(2, '0')
      const start = `DTSTART${zone}:2026${two(month)}${two(day)}T${two(hour)}0000`
      return event(start, `DURATION:${length}`, ...(rule ? [`RRULE:${rule}`] : []))
    })
  await fc.assert(
    fc.asyncProperty(words, fc.array(anyEvent, { minLength: 1, maxLength: 8 }), async (words, events) => {
      await writeFile(join(folder, 'a.ics'), calendar(...events))
      const said = await ask(words)
      const { from, to } = said.range
      t.same(await ask(`${from}/${to}`), said, words)
    }),
    { numRuns: 100 }
  )
})
