import type { OwnDevice } from '../../api.js'
import { SelkieError } from '../../base/errors.js'
import { askWords, confirm } from '../ask.js'
import { namedDevice, shortKey } from '../device.js'
import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Remove one of your devices for good, with the 24 words of your identity',
  positionals: ['DEVICE'],
  flags: { yes: { type: 'boolean', about: 'Don’t ask; the words are needed all the same' } },
  words: true,
  run: async ({ args: [typed], flags, use, note }): Promise<OwnDevice> => {
    const device = namedDevice(await use((node) => node.devices()), typed)
    if (device.current) throw new SelkieError('E_DEVICE_CURRENT', { name: device.name })
    if (!flags.yes && !(await confirm(renderQuestion(device), '`--yes`')))
      throw new SelkieError('E_NOT_CONFIRMED')
    const words = await askWords()
    return use(async (node) => {
      // By its key, so that what was confirmed is what is removed.
      const removed = await node.removeDevice(device.device, words)
      if (!(await node.status()).online)
        note('No node is up, so nobody knows yet. `selkie up` tells your devices and contacts.')
      return removed
    })
  },
  text: renderRemoved
})

export function renderQuestion(device: OwnDevice): string {
  return `Remove ${oneLine(device.name)} (${shortKey(device)}) from your devices? It can never come back under this key.`
}

export function renderRemoved(device: OwnDevice): string {
  const name = oneLine(device.name)
  return `${name} is removed.

Your store was founded anew, under keys that ${name} doesn’t have. Your other devices follow by
themselves, and your contacts get a card without it, as each comes online.

What ${name} had, it keeps: your skills, contacts and bundles up to now. It can read nothing of what
comes after, and what it writes no longer counts. Until a contact has the new card, what they
seal to you can still be opened on it.`
}
