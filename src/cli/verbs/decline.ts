import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Decline a received bundle, and tell its sender',
  positionals: ['ID'],
  flags: {},
  run: ({ args: [id], use }) => use((node) => node.decline(id)),
  text: ({ root, contact }) => `@${root} from ${oneLine(contact)} is declined.`
})
