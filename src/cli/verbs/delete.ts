import { beginningOf } from '../../namespace/beginning.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Delete a skill that no other mentions; `selkie restore` brings it back',
  positionals: ['@slug'],
  flags: {},
  run: ({ args: [slug], use }) => use((node) => node.delete(slug)),
  // Others that were called so may be deleted already, or later.
  text: ({ slug, uid }) =>
    `@${slug} is deleted. \`selkie restore @${slug} --uid ${beginningOf(uid, [])}\` brings it back.`
})
