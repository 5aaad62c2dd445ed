import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { story } from './arbitrary.js'
import { beginning, skillFolder } from './cast.js'
import { MemoryWorld } from './memory-world.js'
import { tell } from './tell.js'

const folder = await mkdtemp(join(tmpdir(), 'selkie-stories-'))
const from = await beginning(folder)
const set = await skillFolder(folder)
const seed = Number(process.env.SEED ?? 1)
const refusals = new Map<string, number>()
let ignored = 0
let n = 0, facts = 0
const start = performance.now()
try {
  await fc.assert(
    fc.asyncProperty(story(Number(process.env.LENGTH ?? 25)), async (each) => {
      const world = new MemoryWorld(from, each)
      let told
      try { told = await tell(world, each, set) } catch (e) { if (process.env.IGNORE && new RegExp(process.env.IGNORE).test((e as Error).message)) { ignored++; return } throw e } finally { await world.close() }
      n++
      facts += told.facts.length
      for (const [i, code] of told.refusals.entries()) { const k = `${each.steps[i]!.does} ${code}`; refusals.set(k, (refusals.get(k) ?? 0) + 1) }
    }),
    { numRuns: Number(process.env.SELKIE_STORIES ?? 200), seed }
  )
} catch (e) { console.log(String((e as Error).message).slice(0, 6000)) ; console.log(String(((e as Error).cause as Error)?.stack).slice(0,1500)) }
console.log([...refusals].sort().map(([k, v]) => `${k} ${v}`).join('\n'))
console.log('cpu ms each', (process.cpuUsage().user/1000/n).toFixed(2)); console.log(ignored, 'ignored', n, 'stories', facts, 'facts', ((performance.now() - start) / n).toFixed(2), 'ms each')
await rm(folder, { recursive: true })
