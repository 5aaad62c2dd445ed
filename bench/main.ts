import { benchApart } from './apart.js'
import { benchList } from './cli.js'
import { benchFiles } from './files.js'
import { benchIdle } from './idle.js'
import type { Figure } from './measure.js'
import { benchMemory } from './memory.js'
import { benchMenu } from './menu.js'
import { benchQueries, benchRename } from './namespace.js'
import { benchSeal } from './seal.js'
import { benchSeen } from './seen.js'
import { benchSend } from './send.js'

/*
 * Every figure beside its goal. Where a ratio is given, both sides were measured in
 * this run, in turn: machines are shared and noisy. Names after `--` run only those.
 */
const benches: Readonly<Record<string, () => Promise<Figure[]> | Figure[]>> = {
  send: async () => [await benchSend()].filter((figure) => figure !== undefined),
  seal: () => [benchSeal()],
  rename: async () => [await benchRename()],
  queries: benchQueries,
  list: async () => [await benchList()],
  menu: async () => [await benchMenu()],
  files: benchFiles,
  memory: benchMemory,
  seen: async () => [await benchSeen()],
  idle: async () => [await benchIdle()],
  apart: benchApart
}

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !(name in benches))
if (unknown !== undefined) {
  console.error(`There is no bench ${unknown}: ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
  for (const { name: what, found, goal, met } of await benches[name]!()) {
    console.log(`${met ? 'met ' : 'MISS'}  ${what}\n      ${found}, goal ${goal}`)
  }
}
