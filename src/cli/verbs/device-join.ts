import type { Joined } from '../../join.js'
import { DEVICE_FLAGS, newPassphrase, refuseHome } from '../new-home.js'
import { paint } from '../paint.js'
import { counted, oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Make this a device of yours, by the invite that another of them opened',
  positionals: ['INVITE'],
  flags: DEVICE_FLAGS,
  run: async ({ args: [invite], flags, globals, note }): Promise<Joined> => {
    const { home, bootstrap } = globals
    await refuseHome(home)
    const passphrase = await newPassphrase(flags, globals)
    const { joinHome } = await import('../../join.js')
    const deviceName = flags['device-name']
    note('Asking the other device. Leave it on until this is done.')
    return joinHome({
      home,
      invite,
      bootstrap,
      ...(deviceName !== undefined && { deviceName }),
      ...passphrase
    })
  },
  text: renderJoined
})

export function renderJoined({ name, deviceName, identity, skills }: Joined): string {
  return `${oneLine(deviceName)} is a device of ${oneLine(name)} now, with ${counted(skills, 'skill')}.
${paint('dim', `identity ${identity}`)}

Next: ${paint('bold', 'selkie up')} on each of your devices keeps them up to date.`
}
