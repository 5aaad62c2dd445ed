import { resolve } from 'node:path'
import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Take a sealed file into the inbox; nothing of it is used before a review',
  positionals: ['FILE'],
  flags: {},
  run: ({ args: [file], use }) => use((node) => node.receive(resolve(file))),
  text: ({ id, contact, root }) =>
    `@${root} from ${oneLine(contact)} is in the inbox. Look at it with: selkie review ${id}`
})
