import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Figure } from './measure.js'
import { autopasses, selkies, type Pair, type Writer } from './pairs.js'

const EDITS = 10_000
/** The edits go round among so many names. */
const NAMES = 1000
/** Characters of a text. */
const LENGTH = 1000
/** Edits ahead of what is measured, so that neither side comes to code that hasn't run yet. */
const WARM_UP = 300
/**
 * How many times as long as ours theirs may take. Where the other device speaks up before
 * it has all, which it does after ten seconds, autopass may take minutes.
 */
const PATIENCE = 3

/**
 * Edits made on one device while it is alone, until another has them all, beside as many
 * puts of the npm package autopass with texts of the same length: once on the device that
 * has founded the store, and once on the one that joined it.
 */
export async function benchApart(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-bench-'))
  try {
    const figures: Figure[] = []
    for (const writer of ['founder', 'joiner'] as const) {
      const place = (name: string): string => join(folder, `${name}-${writer}`)
      await run(await selkies(place('selkie-warm'), writer), WARM_UP)
      await run(await autopasses(place('autopass-warm'), writer), WARM_UP)
      const ours = await run(await selkies(place('selkie'), writer))
      const theirs = await run(await autopasses(place('autopass'), writer), EDITS, PATIENCE * ours.meeting)
      figures.push(figure(writer, ours, theirs))
    }
    return figures
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Milliseconds of making the edits, and from the meeting until the other has them all. */
interface Times {
  readonly saving: number
  readonly meeting: number
  /** Whether it was cut off before it had them all. */
  readonly isCut: boolean
}

async function run(pair: Pair, edits = EDITS, patience = 2 ** 31 - 1): Promise<Times> {
  const name = (n: number): string => `skill-${n % NAMES}`
  const text = (n: number): string => `Edit ${n}. `.padEnd(LENGTH, 'Then go on. ')
  const start = performance.now()
  for (let n = 0; n < edits; n++) await pair.save(name(n), text(n))
  const apart = performance.now()
  const stop = new AbortController()
  const { signal } = stop
  const isCut = await Promise.race([
    pair.meet(name(edits - 1), text(edits - 1), signal).then(() => false),
    setTimeout(patience, true, { signal, ref: false })
  ])
  const together = performance.now()
  stop.abort()
  await pair.close()
  return { saving: apart - start, meeting: together - apart, isCut }
}

function figure(writer: Writer, ours: Times, theirs: Times): Figure {
  const s = (time: number): string => `${(time / 1000).toPrecision(3)} s`
  const more = theirs.isCut ? 'more than ' : ''
  const beside = (a: number, b: number, more = ''): string =>
    `${more && 'less than '}${(a / b).toFixed(2)} × (${s(a)} against ${more}${s(b)})`
  const meeting = beside(ours.meeting, theirs.meeting, more)
  const saving = beside(ours.saving, theirs.saving)
  const both = beside(ours.saving + ours.meeting, theirs.saving + theirs.meeting, more)
  return {
    name: `${EDITS} edits made apart by the ${writer} of a store, until the other has them, against autopass`,
    found: `${meeting}; making them ${saving}; both ${both}`,
    goal: '≤ 1 ×',
    met: ours.meeting <= theirs.meeting
  }
}
