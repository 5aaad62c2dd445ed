import type { Contact } from '../../api.js'
import { SelkieError } from '../../base/errors.js'
import { canAsk, confirm } from '../ask.js'
import { renderSafetyWords, shellWord } from '../contact.js'
import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Compare safety words with a contact, and mark them verified',
  positionals: ['CONTACT'],
  flags: {
    yes: { type: 'boolean', about: 'The words are alike: don’t ask' },
    undo: { type: 'boolean', about: 'Take the mark away' }
  },
  run: async ({ args: [typed], flags, use }): Promise<Contact> => {
    if (flags.undo) return use((node) => node.verify(typed, false))
    if (!flags.yes) {
      const contact = await use((node) => node.contact(typed))
      const { name, safetyWords: words } = contact
      // Who can't be asked must still see what is to be compared.
      if (!canAsk()) throw new SelkieError('E_ASK_ALIKE', { name, words, contact: shellWord(typed) })
      const question = `You and ${oneLine(name)} must see the same words:

${renderSafetyWords(contact)}

Does the other side see exactly these?`
      const alike = await confirm(question, '`--yes`, when the words are alike')
      if (!alike) throw new SelkieError('E_NOT_ALIKE', { name, contact: shellWord(typed) })
    }
    return use((node) => node.verify(typed, true))
  },
  text: (contact) => `${oneLine(contact.name)} is ${contact.verified ? 'verified' : 'not verified any more'}.`
})
