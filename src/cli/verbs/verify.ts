import type { Contact } from '../../api.js'
import { SelkieError } from '../../base/errors.js'
import { confirm } from '../ask.js'
import { renderSafetyWords } from '../contact.js'
import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Compare safety words with a contact, and mark them verified',
  positionals: ['CONTACT'],
  flags: {
    yes: { type: 'boolean', about: 'The words are alike: don’t ask' },
    undo: { type: 'boolean', about: 'Take the mark away' }
  },
  run: async ({ args: [name], flags, use }): Promise<Contact> => {
    if (flags.undo) return use((node) => node.verify(name, false))
    if (!flags.yes) {
      const contact = await use((node) => node.contact(name))
      const question = `You and ${oneLine(contact.name)} must see the same words:

${renderSafetyWords(contact)}

Does the other side see exactly these?`
      const alike = await confirm(question, '`--yes`, when the words are alike')
      if (!alike) throw new SelkieError('E_NOT_ALIKE', { name: contact.name })
    }
    return use((node) => node.verify(name, true))
  },
  text: (contact) => `${oneLine(contact.name)} is ${contact.verified ? 'verified' : 'not verified any more'}.`
})
