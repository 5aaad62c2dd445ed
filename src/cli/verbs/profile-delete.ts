import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Delete a profile; the skills stay',
  positionals: ['NAME'],
  flags: {},
  run: ({ args: [name], use }) => use((node) => node.deleteProfile(name)),
  text: ({ name }) => `The profile ${oneLine(name)} is deleted.`
})
