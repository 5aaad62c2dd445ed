/** Opens a home, offline, and removes a device from it, saying when it begins and when it is done. */
import { openNode } from '../../src/node.js'

const [home = '', device = '', words = ''] = process.argv.slice(2)
const node = await openNode({ home, passphrase: async () => '' })
process.stdout.write('begins\n')
await node.removeDevice(device, words)
process.stdout.write('done\n')
await node.close()
