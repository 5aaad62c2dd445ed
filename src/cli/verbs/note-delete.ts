import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'
import { ID_SHOWN } from './note-add.js'

export const verb = defineVerb({
  about: 'Delete a note; `selkie note restore` brings it back',
  positionals: ['ID'],
  flags: {},
  run: ({ args: [id], use }) => use((node) => node.deleteNote(id)),
  text: ({ id, title }) =>
    `“${oneLine(title)}” is deleted. \`selkie note restore ${id.slice(0, ID_SHOWN)}\` brings it back.`
})
