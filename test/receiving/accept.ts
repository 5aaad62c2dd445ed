/** Opens a home and accepts a bundle of its inbox, saying when it begins and when it is done. */
import { openNode } from '../../src/node.js'

const [home = '', id = ''] = process.argv.slice(2)
const node = await openNode({ home, passphrase: async () => '' })
process.stdout.write('begins\n')
await node.accept(id, {})
process.stdout.write('done\n')
await node.close()
