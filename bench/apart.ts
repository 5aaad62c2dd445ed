import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './measure.js'
import { autopasses, selkies, type Replicas } from './replicas.js'

const EDITS = Number(process.env.SELKIE_BENCH_EDITS ?? 10_000)
/** The edits go round among so many skills. */
const SKILLS = EDITS / 10
/** Characters of a text. */
const LENGTH = 1000

/**
 * Edits made on one device while it is alone, until another has them all, beside as many
 * puts of the npm package autopass, with texts of the same length.
 */
export async function benchApart(): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-bench-'))
  try {
    const theirs = await run(await autopasses(join(folder, 'autopass')))
    const ours = await run(await selkies(join(folder, 'selkie')))
    const ratio = ours.meeting / theirs.meeting
    const beside = (a: number, b: number): string => `${(a / b).toFixed(2)} × (${s(a)} against ${s(b)})`
    return {
      name: `${EDITS} edits made apart, until the other device has them, against autopass`,
      found: `${beside(ours.meeting, theirs.meeting)}; to make them ${beside(
        ours.saving,
        theirs.saving
      )}; both ${beside(ours.saving + ours.meeting, theirs.saving + theirs.meeting)}`,
      goal: '≤ 1 ×',
      met: ratio <= 1
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(replicas: Replicas): Promise<{ saving: number; meeting: number }> {
  const name = (n: number): string => `skill-${n % SKILLS}`
  const text = (n: number): string => `Edit ${n}. `.padEnd(LENGTH, 'Then go on. ')
  const start = performance.now()
  for (let n = 0; n < EDITS; n++) await replicas.save(name(n), text(n))
  const apart = performance.now()
  await replicas.meet(name(EDITS - 1), text(EDITS - 1))
  const together = performance.now()
  await replicas.close()
  return { saving: apart - start, meeting: together - apart }
}

function s(time: number): string {
  return `${(time / 1000).toPrecision(3)} s`
}
