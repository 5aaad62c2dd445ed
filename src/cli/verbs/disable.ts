import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Keep a skill without letting it be used or mentioned',
  positionals: ['@slug'],
  flags: {},
  run: ({ args: [slug], use }) => use((node) => node.setEnabled(slug, false)),
  text: ({ slug }) => `@${slug} is disabled.`
})
