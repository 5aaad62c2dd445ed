import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Take a skill out of the planner’s menu; others may still mention it',
  positionals: ['@slug'],
  flags: {},
  run: ({ args: [slug], use }) => use((node) => node.setAdvertised(slug, false)),
  text: ({ slug }) => `@${slug} is no longer advertised.`
})
