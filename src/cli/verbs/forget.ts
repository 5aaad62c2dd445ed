import type { Contact } from '../../api.js'
import { SelkieError } from '../../base/errors.js'
import { confirm } from '../ask.js'
import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Forget a contact; their skills that you took in stay',
  positionals: ['CONTACT'],
  flags: { yes: { type: 'boolean', about: 'Don’t ask' } },
  run: async ({ args: [typed], flags, use }): Promise<Contact> => {
    if (!flags.yes) {
      const { name } = await use((node) => node.contact(typed))
      if (!(await confirm(`Forget ${oneLine(name)}?`, '`--yes`'))) throw new SelkieError('E_NOT_CONFIRMED')
    }
    return use((node) => node.forget(typed))
  },
  text: ({ name }) => `${oneLine(name)} is forgotten.`
})
