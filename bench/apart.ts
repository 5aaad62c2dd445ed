import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
 * Edits made on one device while it is alone, until another has them all, beside as many
 * puts of the npm package autopass with texts of the same length: once on the device that
 * has founded the store, and once on the one that joined it.
 */
export async function benchApart(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-bench-'))
  try {
    const figures: Figure[] = []
    for (const writer of ['founder', 'joiner'] as const) {
      const [theirs, ours] = [join(folder, `autopass-${writer}`), join(folder, `selkie-${writer}`)]
      await run(await autopasses(`${theirs}-warm`, writer), WARM_UP)
      await run(await selkies(`${ours}-warm`, writer), WARM_UP)
      figures.push(
        figure(writer, await run(await selkies(ours, writer)), await run(await autopasses(theirs, writer)))
      )
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
}

async function run(pair: Pair, edits = EDITS): Promise<Times> {
  const name = (n: number): string => `skill-${n % NAMES}`
  const text = (n: number): string => `Edit ${n}. `.padEnd(LENGTH, 'Then go on. ')
  const start = performance.now()
  for (let n = 0; n < edits; n++) await pair.save(name(n), text(n))
  const apart = performance.now()
  await pair.meet(name(edits - 1), text(edits - 1))
  const together = performance.now()
  await pair.close()
  return { saving: apart - start, meeting: together - apart }
}

function figure(writer: Writer, ours: Times, theirs: Times): Figure {
  const s = (time: number): string => `${(time / 1000).toPrecision(3)} s`
  const beside = (a: number, b: number): string => `${(a / b).toFixed(2)} × (${s(a)} against ${s(b)})`
  const saving = beside(ours.saving, theirs.saving)
  const both = beside(ours.saving + ours.meeting, theirs.saving + theirs.meeting)
  return {
    name: `${EDITS} edits made apart by the ${writer} of a store, until another device has them, against autopass`,
    found: `${beside(ours.meeting, theirs.meeting)}; making them ${saving}; both ${both}`,
    goal: '≤ 1 ×',
    met: ours.meeting <= theirs.meeting
  }
}
