import { stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { NodeApi } from '../api.js'
import { attach } from '../attach/client.js'
import { socketPath } from '../attach/socket.js'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { Globals } from './globals.js'
import type { Need } from './verb.js'

/** How long to wait for a process that holds the store but doesn’t listen, and between two looks. */
const BUSY_MS = 30_000
const PAUSE_MS = 50

/** A node to use: one that runs in another process, or one in this process. */
export interface Connection {
  node: NodeApi
  elsewhere: boolean
  close: () => Promise<void>
}

export interface ConnectOptions {
  globals: Globals
  need: Need
  passphrase: () => Promise<string>
  /** Told of what fails where no one waits, if the node runs in this process. */
  onProblem: (error: unknown) => void
}

/**
 * Attaches to the node that listens in this home, or else opens the store in this
 * process and listens there meanwhile, so that whoever comes can attach. A process
 * that holds the store and isn’t what is needed is waited for, up to half a minute each:
 * where many start at once, and the machine has other work too, it takes long until one
 * of them listens.
 *
 * @throws SelkieError E_NODE_DOWN when `need` is `up` and no node is, E_HOME_BUSY, and
 *   what opening the store throws
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { globals, need } = options
  let holder = await holderOf(globals.home)
  let until = Date.now() + BUSY_MS
  for (;;) {
    const node = await attach(globals.home)
    if (node && (need === 'any' || (await isOnline(node)))) {
      return { node, elsewhere: true, close: () => node.close() }
    }
    // Who holds it for long, as for an agent, lets go of it and goes on with ours.
    if (need === 'online') await node?.giveWay().catch(() => {})
    await node?.close()
    if (need === 'up') throw new SelkieError('E_NODE_DOWN')
    try {
      return await open(options)
    } catch (error) {
      if (!isSelkieError(error, 'E_HOME_BUSY')) throw error
      const next = await holderOf(globals.home)
      // Another one’s turn: the queue moves on.
      if (next !== holder) until = Date.now() + BUSY_MS
      else if (Date.now() > until) throw error
      holder = next
    }
    await setTimeout(PAUSE_MS)
  }
}

/** What tells one process that listens in a home from the next; empty while none does. */
async function holderOf(home: string): Promise<string> {
  try {
    const { ino, ctimeMs } = await stat(socketPath(home))
    return `${ino} ${ctimeMs}`
  } catch {
    return ''
  }
}

async function isOnline(node: NodeApi): Promise<boolean> {
  try {
    return (await node.status()).online
  } catch (error) {
    // It was about to end: look again who is there.
    if (isSelkieError(error, 'E_NODE_GONE')) return false
    throw error
  }
}

async function open({ globals, need, passphrase, onProblem }: ConnectOptions): Promise<Connection> {
  const { home, bootstrap } = globals
  const online = need === 'online'
  const [{ openNode }, { serve }] = await Promise.all([import('../node.js'), import('../attach/server.js')])
  const node = await openNode({ home, online, passphrase, onProblem, ...(bootstrap && { bootstrap }) })
  try {
    const server = await serve(node, home)
    const close = async (): Promise<void> => {
      // Who came meanwhile with a run of theirs has it to its end, unless the node was kept up.
      await server.close(online)
      await node.close()
    }
    return { node, elsewhere: false, close }
  } catch (error) {
    await node.close()
    throw error
  }
}
