import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'List the tools that a plan with these handles binds, in order',
  positionals: ['@slug…'],
  flags: {},
  run: ({ args: [slugs], use }) =>
    use(async (node) => {
      for (const slug of slugs) {
        // A plan passes over what it can’t find; a person has mistyped.
        if ((await node.resolve(slug)).kind === 'nothing') await node.show(slug)
      }
      return node.toolsForPlan(slugs)
    }),
  text: (tools) => (tools.length > 0 ? tools.join('\n') : 'No tools.')
})
