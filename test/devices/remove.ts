/**
 * Opens a home, offline, and removes a device from it. It kills itself once its store has grown by
 * more than so many bytes: looked at from within, the removal can’t get ahead of that.
 */
import { join } from 'node:path'
import { openNode } from '../../src/node.js'
import { sizeOf } from '../store/size-of.js'

const [home = '', device = '', words = '', growth] = process.argv.slice(2)
const store = join(home, 'store')
const node = await openNode({ home, passphrase: async () => '' })
const most = sizeOf(store) + Number(growth)
const look = (): void => {
  if (sizeOf(store) > most) process.kill(process.pid, 'SIGKILL')
  setImmediate(look).unref()
}
look()
await node.removeDevice(device, words)
await node.close()
