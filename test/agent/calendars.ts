import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { Grants } from '../../src/agent/grants.js'
import type { Locale } from '../../src/agent/locale.js'
import { queryCalendar } from '../../src/agent/tools/query-calendar.js'
import type { Diagnostic } from '../../src/api.js'

/** Wednesday, 25 March 2026, a quarter past two in the afternoon in Berlin. */
export const NOW = Date.UTC(2026, 2, 25, 13, 15)
export const BERLIN: Locale = { timeZone: 'Europe/Berlin', weekStart: 1 }

/** What query_calendar answers. */
export interface Answer {
  range: { from: string; to: string; timeZone: string }
  events: {
    title: string
    start: string
    end: string
    allDay: boolean
    place?: string
    notes?: string
    calendar: string
    zone?: string
    cancelled?: boolean
    recurring?: boolean
  }[]
  problems: Diagnostic[]
  more: number
}

export interface Granted {
  /** The granted folder. */
  readonly folder: string
  readonly grants: Grants
  readonly ask: (range: string, words?: string) => Promise<Answer>
}

/** A granted folder with some files, and a person who asks about them. */
export async function granted(
  t: Test,
  files: Record<string, string | Uint8Array>,
  { locale = BERLIN, now = NOW }: { locale?: Locale; now?: number } = {}
): Promise<Granted> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'selkie-calendars-')))
  t.teardown(() => rm(home, { recursive: true, force: true }))
  const folder = join(home, 'granted')
  await mkdir(folder)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  const grants = await Grants.open(home, (error) => void t.error(error))
  await grants.grant('calendar', folder)
  const clock = { now: () => now, random: (length: number) => new Uint8Array(length) }
  const run = queryCalendar({ grants, clock, locale })
  const { signal } = new AbortController()
  const ask = async (range: string, words?: string) => {
    const answer = await run({ range, ...(words !== undefined && { words }) }, signal)
    // Plain JSON, and nothing but: it is what a model gets.
    t.same(JSON.parse(JSON.stringify(answer)), answer)
    return answer as unknown as Answer
  }
  return { folder, grants, ask }
}

/** A VCALENDAR of components, its lines ended as the standard has it. */
export function calendar(...components: string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...components, 'END:VCALENDAR', ''].join('\r\n')
}

let count = 0

/** A VEVENT of lines; with a title and a uid unless they are among them. */
export function event(...lines: string[]): string {
  const more = [
    ...(lines.some((line) => line.startsWith('UID')) ? [] : [`UID:${count++}@example.org`]),
    ...(lines.some((line) => line.startsWith('SUMMARY')) ? [] : ['SUMMARY:It'])
  ]
  return ['BEGIN:VEVENT', ...more, ...lines, 'END:VEVENT'].join('\r\n')
}

/** When the events of some lines start, on some days; and that nothing is wrong with them. */
export async function starts(
  t: Test,
  lines: readonly string[] | string,
  range: string,
  options: { locale?: Locale; now?: number } = {}
): Promise<string[]> {
  const text = typeof lines === 'string' ? lines : calendar(event(...lines))
  const { events, problems, more } = await (await granted(t, { 'a.ics': text }, options)).ask(range)
  t.same([problems, more], [[], 0])
  return events.map(({ start }) => start)
}

/** Codes of problems, each with its path. */
export function codes({ problems }: Answer): string[] {
  return problems.map(({ code, path }) => `${code} ${path}`)
}
