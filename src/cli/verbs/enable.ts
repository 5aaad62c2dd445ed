import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Let a skill be used and mentioned again',
  positionals: ['@slug'],
  flags: {},
  run: ({ args: [slug], use }) => use((node) => node.setEnabled(slug, true)),
  text: ({ slug }) => `@${slug} is enabled.`
})
