import type { Adopted } from '../../adopt.js'
import { askPassphrase, askWords, confirm } from '../ask.js'
import { paint } from '../paint.js'
import { BrokenOff } from '../prompted.js'
import { counted, oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Make a copy of a home, as from a backup, the device that it was copied from',
  positionals: [],
  flags: {
    yes: { type: 'boolean', about: 'The original will never run again: don’t ask' },
    alone: { type: 'boolean', about: 'All your other devices are gone for good too: remove them' }
  },
  words: true,
  run: async ({ flags, globals, note }): Promise<Adopted> => {
    const { home, bootstrap } = globals
    const question =
      'This copy becomes the device, and the home that it was copied from must never run again. Go on?'
    if (!flags.yes && !(await confirm(question, '--yes'))) throw new BrokenOff()
    const { adoptHome } = await import('../../adopt.js')
    const words = flags.alone ? await askWords() : undefined
    return adoptHome({
      home,
      bootstrap,
      passphrase: () => askPassphrase(globals),
      onWaiting: () => note('Looking for a device of yours: let `selkie up` run on one of them.'),
      ...(words !== undefined && { words })
    })
  },
  text: renderAdopted
})

export function renderAdopted({ name, deviceName, skills, reached, removed }: Adopted): string {
  const head = `This home is ${oneLine(deviceName)}, a device of ${oneLine(name)}, with ${counted(skills, 'skill')}.\n`
  const gone = removed.length === 0 ? '' : `Removed for good: ${removed.map(oneLine).join(', ')}.\n`
  const state = reached
    ? 'Another device of yours has brought it up to date.'
    : 'What was done after it was copied isn’t in it. With contacts from after that, pair again.'
  return `${head}${gone}${state}

Next: ${paint('bold', 'selkie up')}. The home that it was copied from must never run again.`
}
