import type { Contact } from '../../api.js'
import { paint } from '../paint.js'
import { aligned, counted, oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'List your contacts',
  positionals: [],
  flags: {},
  run: ({ use }) => use((node) => node.contacts()),
  text: renderContacts
})

export function renderContacts(contacts: Contact[]): string {
  if (contacts.length === 0) return 'No contacts yet. `selkie invite` makes one.'
  return aligned(
    contacts.map(({ name, identity, verified, devices, online }) => [
      paint('bold', oneLine(name)),
      verified ? paint('green', 'verified') : paint('yellow', 'not verified'),
      online ? 'online' : '',
      counted(devices.length, 'device'),
      paint('dim', identity)
    ])
  )
}
