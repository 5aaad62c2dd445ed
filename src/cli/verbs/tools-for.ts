import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'List the tools that a plan with these handles binds, in order',
  positionals: ['@slug…'],
  flags: {},
  run: ({ args: [slugs], use }) => use((node) => node.toolsForPlan(slugs)),
  text: (tools) => (tools.length > 0 ? tools.join('\n') : 'No tools.')
})
