import { usage } from '../args.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Bring a deleted skill back, or go back to a version of it',
  positionals: ['@slug', '[VERSION]'],
  flags: {
    uid: {
      type: 'string',
      value: 'DIGITS',
      about: 'Of several deleted ones of that slug, the one whose uid begins so'
    }
  },
  run: ({ args: [slug, version], flags: { uid }, use }) => {
    if (version !== undefined && uid !== undefined)
      throw usage('--uid names a deleted skill, and VERSION goes with one that isn’t', 'restore')
    return use((node) => node.restore(slug, version, uid === undefined ? {} : { uid }))
  },
  text: ({ slug, version }) => `@${slug} is as it was, in version ${version}.`
})
