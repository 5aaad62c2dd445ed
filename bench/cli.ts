import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { background } from '../demo/person.js'
import { median, ms, timesOf, type Figure } from './measure.js'

const SELKIE = fileURLToPath(new URL('../src/cli/main.js', import.meta.url))
const ROUNDS = 15

/** `selkie list` on a running node beside `node -e 0`, in turn. */
export async function benchList(): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-bench-'))
  const home = join(folder, 'home')
  const dht = await background(['dht', '--quiet'])
  try {
    run([SELKIE, 'init', '--name', 'Bench', '--home', home])
    const up = await background(['up', '--quiet', '--home', home, '--bootstrap', dht.line])
    const bare: number[] = []
    const list: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(...(await timesOf(1, () => run(['-e', '0']))))
      list.push(...(await timesOf(1, () => run([SELKIE, 'list', '--home', home]))))
    }
    await up.stop()
    const [a, b] = [bare, list].map((times) => median(times.sort((x, y) => x - y)))
    const ratio = b! / a!
    return {
      name: '`selkie list` on a running node against `node -e 0`',
      found: `${ratio.toFixed(2)} × (${ms(b!)} against ${ms(a!)})`,
      goal: '≤ 3 ×',
      met: ratio <= 3
    }
  } finally {
    await dht.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function run(words: readonly string[]): void {
  const { status } = spawnSync(process.execPath, words, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}`)
}
