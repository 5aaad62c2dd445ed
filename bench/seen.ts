import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { attach } from '../src/attach/client.js'
import { joinHome } from '../src/join.js'
import { initHome } from '../src/node.js'
import { background } from '../demo/person.js'
import { median, ms, timesOf, type Figure } from './measure.js'

const ROUNDS = 100

/**
 * From an edit on one device to the same on another, both up, each in a process of its
 * own, on a network of this machine.
 */
export async function benchSeen(): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-bench-'))
  const stops: (() => Promise<void>)[] = []
  const up = async (home: string, network: string): Promise<void> => {
    stops.push((await background(['up', '--quiet', '--home', home, '--bootstrap', network])).stop)
  }
  try {
    const { line: network, stop } = await background(['dht', '--quiet'])
    stops.push(stop)
    const [laptop, desktop] = [join(folder, 'laptop'), join(folder, 'desktop')]
    await initHome({ home: laptop, name: 'Bench' })
    await up(laptop, network)
    const one = (await attach(laptop))!
    const { invite } = await one.deviceInvite({ expiresInSeconds: 600 })
    await joinHome({ home: desktop, invite, bootstrap: [network] })
    await up(desktop, network)
    const other = (await attach(desktop))!
    while (!(await one.devices()).every(({ online }) => online)) await setImmediate()

    const { slug } = await one.create({ title: 'Plan', summary: 'How to plan.', body: 'Plan it.' })
    while ((await other.resolve(slug)).kind === 'nothing') await setImmediate()
    const times = await timesOf(ROUNDS, async (round) => {
      const body = `Plan it ${round} times.`
      await one.edit(slug, { body })
      while ((await other.show(slug)).body !== body) await setImmediate()
    })
    await one.close()
    await other.close()
    const middle = median(times)
    return {
      name: 'an edit seen on another device that is up',
      found: `${ms(middle)} at the median of ${ROUNDS}, ${ms(times.at(-1)!)} at most`,
      goal: '≤ 100 ms',
      met: middle <= 100
    }
  } finally {
    for (const stop of stops.reverse()) await stop()
    await rm(folder, { recursive: true, force: true })
  }
}
