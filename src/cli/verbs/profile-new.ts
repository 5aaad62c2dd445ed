import { shellWord } from '../contact.js'
import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Make a profile: skills for the agent, each in the version that you choose',
  positionals: ['NAME'],
  flags: {},
  run: ({ args: [name], use }) => use((node) => node.newProfile(name)),
  text: ({ name }) =>
    `The profile ${oneLine(name)} is there. To bind a skill in it: selkie profile bind ${shellWord(oneLine(name))} @slug`
})
