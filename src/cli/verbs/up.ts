import { SelkieError } from '../../base/errors.js'
import { connect } from '../connect.js'
import { askPassphrase } from '../ask.js'
import { interrupted } from '../interrupted.js'
import { defineVerb } from '../verb.js'

interface Ready {
  ready: true
  home: string
  name: string
  identity: string
}

export const verb = defineVerb({
  about: 'Run the node until interrupted: it delivers, receives and lets you pair',
  positionals: [],
  flags: {},
  run: async ({ globals, note }, print): Promise<undefined> => {
    const passphrase = (): Promise<string> => askPassphrase(globals)
    const { node, elsewhere, close } = await connect({ globals, need: 'online', passphrase })
    try {
      if (elsewhere) throw new SelkieError('E_UP_ALREADY')
      const stop = interrupted()
      const { name, identity } = await node.status()
      print({ ready: true, home: globals.home, name, identity })
      await stop
      note('Stopping.')
    } finally {
      await close()
    }
  },
  text: ({ name, home }: Ready) => `${name}’s node is up on ${home}. Ctrl-C stops it.`
})
