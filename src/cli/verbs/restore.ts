import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Bring a deleted skill back, or go back to a version of it',
  positionals: ['@slug', '[VERSION]'],
  flags: {},
  run: ({ args: [slug, version], use }) => use((node) => node.restore(slug, version)),
  text: ({ slug, version }) => `@${slug} is as it was, in version ${version}.`
})
