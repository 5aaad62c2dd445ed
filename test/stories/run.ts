/**
 * Tells random stories, longer ones than the tests do, until it is stopped or one goes wrong:
 *
 *     npm run stories [-- --seed 7] [--path 12:0:3] [--steps 40] [--stories 100000]
 *
 * A seed with the path that a failure was printed with tells that very story again.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { story } from './arbitrary.js'
import { placeIn } from './place.js'

/** Stories between two lines of progress. */
const ROUND = 500

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    path: { type: 'string' },
    steps: { type: 'string', default: '40' },
    stories: { type: 'string', default: 'Infinity' }
  }
})
const stories = story(Number(values.steps))
const most = Number(values.stories)
const folder = await mkdtemp(join(tmpdir(), 'selkie-stories-'))
try {
  const { tell } = await placeIn(folder)
  const start = performance.now()
  for (let told = 0, seed = Number(values.seed); told < most; told += ROUND, seed++) {
    const { failed, error } = await round(seed, Math.min(ROUND, most - told), tell)
    if (failed) {
      process.stderr.write(`${error}\n`)
      process.exitCode = 1
      break
    }
    const seconds = (performance.now() - start) / 1000
    process.stdout.write(
      `${told + ROUND} stories, ${((told + ROUND) / seconds).toFixed(0)} a second; seed ${seed} done\n`
    )
    if (values.path) break
  }
} finally {
  await rm(folder, { recursive: true })
}

async function round(
  seed: number,
  numRuns: number,
  tell: Awaited<ReturnType<typeof placeIn>>['tell']
): Promise<{ failed: boolean; error: string }> {
  const details = await fc.check(
    fc.asyncProperty(stories, (each) => tell(each)),
    { seed, numRuns, ...(values.path && { path: values.path }) }
  )
  const what = details.errorInstance instanceof Error ? details.errorInstance.message : ''
  return { failed: details.failed, error: `${await fc.asyncDefaultReportMessage(details)}\n${what}` }
}
