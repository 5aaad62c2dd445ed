import fc from 'fast-check'
import t from 'tap'
import { story } from './arbitrary.js'
import { place } from './place.js'

/** How many; `npm run stories` tells more of them. */
const STORIES = Number(process.env.SELKIE_STORIES ?? 2000)
const STEPS = 16

t.test('whatever happens on two to five devices, all come to the same and nothing is lost', async (t) => {
  const { tell } = await place(t)
  // A failure is printed with its seed, its path and the shortest story that still fails:
  // `npm run stories -- --steps 16 --seed … --path …` tells it again.
  await fc.assert(
    fc.asyncProperty(story(STEPS), (each) => tell(each)),
    { numRuns: STORIES, includeErrorInReport: true }
  )
  t.pass(`${STORIES} stories`)
})
