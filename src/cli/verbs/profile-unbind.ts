import { defineVerb } from '../verb.js'
import { renderProfile } from './profiles.js'

export const verb = defineVerb({
  about: 'Take a skill out of a profile',
  positionals: ['NAME', '@slug'],
  flags: {},
  run: ({ args: [name, slug], use }) => use((node) => node.unbindProfile(name, slug)),
  text: renderProfile
})
