import type { Contact } from '../../api.js'
import { usage } from '../args.js'
import { renderPaired } from '../contact.js'
import { readText } from '../files.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Make a contact: by the invite that they opened, or by their card',
  positionals: ['[INVITE]'],
  flags: { card: { type: 'string', value: 'FILE', about: 'Their card as a file, in place of an invite' } },
  run: async ({ args: [invite], flags, use }): Promise<Contact> => {
    if ((invite === undefined) === (flags.card === undefined))
      throw usage('Give an invite or --card FILE', 'pair')
    if (invite !== undefined) return use((node) => node.pair(invite), 'online')
    const card = await readText(flags.card!)
    return use((node) => node.addCard(card))
  },
  text: renderPaired
})
