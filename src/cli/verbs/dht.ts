import { interrupted } from '../interrupted.js'
import { defineVerb } from '../verb.js'

interface Address {
  address: string
}

export const verb = defineVerb({
  about: 'Run a network of its own on this machine, until interrupted',
  positionals: [],
  flags: {},
  run: async (_call, print): Promise<undefined> => {
    const { startTestnet } = await import('../../wire/testnet.js')
    const testnet = await startTestnet()
    const stop = interrupted()
    print({ address: testnet.address })
    await stop
    await testnet.close()
  },
  text: ({ address }: Address) => address
})
