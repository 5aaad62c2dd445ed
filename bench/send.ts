import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { NodeApi } from '../src/api.js'
import { attach } from '../src/attach/client.js'
import { background } from '../demo/person.js'
import { median, ms, timesOf, type Figure } from './measure.js'
import { initHome } from '../src/node.js'

const ROUNDS = 21
const ROOT = '@writing-plans'

/** Where the skills lie that are sent: SELKIE_CORPUS, or beside the checkout. */
const CORPUS = join(process.env.SELKIE_CORPUS ?? join(process.cwd(), '..', 'shared', 'corpus'), 'superpowers')

/**
 * From `send` to *in the inbox*, between two nodes that are up, each in a process of
 * its own, on a network of this machine. Undefined where the skills aren't at hand.
 */
export async function benchSend(): Promise<Figure | undefined> {
  if (!existsSync(CORPUS)) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'selkie-bench-'))
  const stops: (() => Promise<void>)[] = []
  try {
    const dht = await background(['dht', '--quiet'])
    stops.push(dht.stop)
    const up = async (name: string): Promise<NodeApi> => {
      const home = join(folder, name)
      await initHome({ home, name })
      stops.push((await background(['up', '--quiet', '--home', home, '--bootstrap', dht.line])).stop)
      return (await attach(home))!
    }
    const [ada, ben] = [await up('Ada'), await up('Ben')]
    await ben.pair((await ada.invite({ expiresInSeconds: 600 })).invite)
    await ada.importFolders([CORPUS])
    while ((await ada.status()).connected.length === 0) await setImmediate()

    const { skills } = await ada.closure(ROOT)
    const times = await timesOf(ROUNDS, async (round) => {
      const { id } = await ada.send(ROOT, 'Ben', { note: `round ${round}` })
      while (!(await ben.inbox()).some((bundle) => bundle.id === id)) await setImmediate()
    })
    await ada.close()
    await ben.close()
    const middle = median(times)
    return {
      name: `send to in the inbox, a closure of ${skills.length} skills`,
      found: `${ms(middle)} at the median of ${ROUNDS}, ${ms(times.at(-1)!)} at most`,
      goal: '≤ 150 ms',
      met: middle <= 150
    }
  } finally {
    for (const stop of stops.reverse()) await stop()
    await rm(folder, { recursive: true, force: true })
  }
}
