import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Point at a version as the published one; what is saved after it are drafts',
  positionals: ['@slug'],
  flags: {
    version: { type: 'string', value: 'V', about: 'This version; unless given, the one that is shown' }
  },
  run: ({ args: [slug], flags: { version }, use }) => use((node) => node.publish(slug, version)),
  text: ({ slug, version }) => `@${slug} is published as version ${version}.`
})
