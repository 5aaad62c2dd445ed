/**
 * Opens a home and accepts a bundle of its inbox, and says how many milliseconds that took. It
 * kills itself so many after it begins, where it is told to: no other process comes too late.
 */
import { openNode } from '../../src/node.js'

const [home = '', id = '', killAfter] = process.argv.slice(2)
const node = await openNode({ home, passphrase: async () => '' })
const begun = performance.now()
if (killAfter !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(killAfter))
await node.accept(id, {})
process.stdout.write(`${performance.now() - begun}`)
await node.close()
