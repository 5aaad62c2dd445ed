import type { Recovered } from '../../recover.js'
import { askWords } from '../ask.js'
import { DEVICE_FLAGS, newPassphrase, refuseHome } from '../new-home.js'
import { paint } from '../paint.js'
import { counted, oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Bring your identity back from its 24 words, and your skills from a device of yours',
  positionals: [],
  flags: {
    name: {
      type: 'string',
      value: 'N',
      about: 'What your contacts see, where none of your devices is there to tell'
    },
    ...DEVICE_FLAGS
  },
  words: true,
  run: async ({ flags, globals, note }): Promise<Recovered> => {
    const { home, bootstrap } = globals
    await refuseHome(home)
    const words = await askWords()
    const passphrase = await newPassphrase(flags, globals)
    const { recoverHome } = await import('../../recover.js')
    const deviceName = flags['device-name']
    note('Looking for a device of yours. If there is one, let `selkie up` run on it.')
    return recoverHome({
      home,
      words,
      bootstrap,
      ...(flags.name !== undefined && { name: flags.name }),
      ...(deviceName !== undefined && { deviceName }),
      ...passphrase
    })
  },
  text: renderRecovered
})

export function renderRecovered({ name, deviceName, identity, reached, skills }: Recovered): string {
  const head = `${oneLine(name)}, your identity is back, on ${oneLine(deviceName)}.
${paint('dim', `identity ${identity}`)}\n`
  if (reached)
    return `${head}
A device of yours was reached: ${counted(skills, 'skill')} came from it, and your contacts.

Next: ${paint('bold', 'selkie up')} on each of your devices keeps them up to date.`
  return `${head}
None of your devices was reached, so your skills and contacts did not come.
Should one turn up, it is no device of this identity any more: \`selkie export @slug --to DIR\` takes its skills out as folders.

Next: ${paint('bold', 'selkie invite')} to pair with your contacts again. They see that it is you.`
}
