import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Bring a deleted note back',
  positionals: ['ID'],
  flags: {},
  run: ({ args: [id], use }) => use((node) => node.restoreNote(id)),
  text: ({ title }) => `“${oneLine(title)}” is back.`
})
