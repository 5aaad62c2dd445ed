import { setTimeout } from 'node:timers/promises'
import { openNode } from '../src/node.js'

/*
 * A node in a process of its own: opens the home that it is given, on the network that it
 * is given, and says on standard output how many bytes of memory it takes once it is idle.
 */
const [home, network] = process.argv.slice(2)
const node = await openNode({
  home: home!,
  bootstrap: [network!],
  online: true,
  passphrase: () => Promise.resolve('')
})
// What starting took is given back to the system only after a while.
for (let second = 0; second < 10; second++) {
  globalThis.gc!()
  await setTimeout(1000)
}
console.log(process.memoryUsage.rss())
await node.close()
