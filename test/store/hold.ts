/** Opens a home and holds it until it is killed. */
import { openNode } from '../../src/node.js'

await openNode({ home: process.argv[2]!, passphrase: async () => '' })
process.stdout.write('held\n')
process.stdin.resume()
