import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Offer a skill in the planner’s menu',
  positionals: ['@slug'],
  flags: {},
  run: ({ args: [slug], use }) => use((node) => node.setAdvertised(slug, true)),
  text: ({ slug }) => `@${slug} is advertised.`
})
