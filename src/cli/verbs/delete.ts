import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Delete a skill that no other mentions; `selkie restore` brings it back',
  positionals: ['@slug'],
  flags: {},
  run: ({ args: [slug], use }) => use((node) => node.delete(slug)),
  text: ({ slug }) => `@${slug} is deleted. \`selkie restore @${slug}\` brings it back.`
})
