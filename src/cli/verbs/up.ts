import { setTimeout } from 'node:timers/promises'
import { asSelkieError } from '../../base/system.js'
import { SelkieError } from '../../base/errors.js'
import { connect, type Connection } from '../connect.js'
import { askPassphrase } from '../ask.js'
import { interrupted } from '../interrupted.js'
import { defineVerb } from '../verb.js'

interface Ready {
  ready: true
  home: string
  name: string
  identity: string
}

/** Milliseconds between two looks whether a disk that was full has room again. */
const PAUSE_MS = 2000

export const verb = defineVerb({
  about: 'Run the node until interrupted: it delivers, receives and lets you pair',
  positionals: [],
  flags: {},
  run: async ({ globals, note, problem }, print): Promise<undefined> => {
    const passphrase = (): Promise<string> => askPassphrase(globals)
    /** The node, and what settles when it must be opened anew, for it can’t write any more. */
    const start = async (): Promise<Connection & { stuck: Promise<void> }> => {
      let getStuck = (): void => {}
      const stuck = new Promise<void>((resolve) => (getStuck = resolve))
      const onProblem = (error: unknown): void => {
        problem(error)
        if (isDiskFull(error)) getStuck()
      }
      const connection = await connect({ globals, need: 'online', passphrase, onProblem })
      if (!connection.elsewhere) return { ...connection, stuck }
      await connection.close()
      throw new SelkieError('E_UP_ALREADY')
    }

    let up: Awaited<ReturnType<typeof start>> | undefined = await start()
    try {
      const stopped = interrupted().then(() => true)
      const { name, identity } = await up.node.status()
      print({ ready: true, home: globals.home, name, identity })
      while (!(await Promise.race([stopped, up ? up.stuck : setTimeout(PAUSE_MS)]))) {
        if (up) {
          // It isn’t opened anew at once: what there was no room for would come at once again.
          const { close } = up
          up = undefined
          await close()
          continue
        }
        up = await start().catch(unlessDiskIsFull)
        if (up) note('The node has started anew. An invite that was open has ended.')
      }
      note('Stopping.')
    } finally {
      await up?.close()
    }
  },
  text: ({ name, home }: Ready) => `${name}’s node is up on ${home}. Ctrl-C stops it.`
})

function isDiskFull(error: unknown): boolean {
  return asSelkieError(error).code === 'E_DISK_FULL'
}

/** Nothing: it is to be tried again later. */
function unlessDiskIsFull(error: unknown): undefined {
  if (!isDiskFull(error)) throw error
}
