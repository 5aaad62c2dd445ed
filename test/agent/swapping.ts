import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'

/**
 * Swaps the folder `sub` of a folder with a link to another one, as fast as a process can,
 * until the test ends. Settles when it has begun.
 */
export async function swapping(t: Test, root: string, out: string): Promise<void> {
  const swapper = spawn(process.execPath, [
    '-e',
    `const { renameSync, symlinkSync } = require('node:fs')
     symlinkSync(process.argv[2], process.argv[1] + '/away')
     process.chdir(process.argv[1])
     console.log('swapping')
     for (;;) {
       renameSync('sub', 'kept'); renameSync('away', 'sub')
       renameSync('sub', 'away'); renameSync('kept', 'sub')
     }`,
    root,
    out
  ])
  const gone = once(swapper, 'exit')
  t.teardown(async () => {
    swapper.kill('SIGKILL')
    await gone
  })
  await once(swapper.stdout, 'data')
}
