import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { background } from '../demo/person.js'
import type { Figure } from './measure.js'
import { homeWith } from './skills.js'

const IDLE = fileURLToPath(new URL('idle-node.js', import.meta.url))
const MANY = 10_000

/** Memory of a process with a node of 10,000 skills that is up and has nothing to do. */
export async function benchIdle(): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-bench-'))
  const dht = await background(['dht', '--quiet'])
  try {
    const home = await homeWith(MANY, folder)
    const child = spawn(process.execPath, ['--expose-gc', IDLE, home, dht.line], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const megabytes = Number(await text(child.stdout)) / 1e6
    return {
      name: `memory of an idle node with ${MANY} skills`,
      found: `${megabytes.toFixed(0)} MB`,
      goal: '< 200 MB',
      met: megabytes > 0 && megabytes < 200
    }
  } finally {
    await dht.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
