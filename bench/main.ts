import { benchApart } from './apart.js'
import { benchList } from './cli.js'
import { benchIdle } from './idle.js'
import type { Figure } from './measure.js'
import { benchQueries, benchRename } from './namespace.js'
import { benchSeal } from './seal.js'
import { benchSeen } from './seen.js'
import { benchSend } from './send.js'

/*
 * Every figure beside its goal. Where a ratio is given, both sides were measured in
 * this run, in turn: machines are shared and noisy.
 */
const benches: (() => Promise<Figure[]> | Figure[])[] = [
  async () => [await benchSend()].filter((figure) => figure !== undefined),
  () => [benchSeal()],
  async () => [await benchRename()],
  benchQueries,
  async () => [await benchList()],
  async () => [await benchSeen()],
  async () => [await benchIdle()],
  benchApart
]

for (const bench of benches) {
  for (const { name, found, goal, met } of await bench()) {
    console.log(`${met ? 'met ' : 'MISS'}  ${name}\n      ${found}, goal ${goal}`)
  }
}
