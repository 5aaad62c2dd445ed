import { asHandles } from '../../namespace/as-handles.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Give a skill another slug; whatever mentions it shows the new one',
  positionals: ['@old', 'NEW'],
  flags: {},
  run: ({ args: [old, to], use }) => use((node) => node.rename(old, to)),
  text: ({ from, slug, mentionedBy }) => {
    if (from === slug) return `@${slug} is its name already.`
    if (mentionedBy.length === 0) return `@${from} is now @${slug}.`
    const say = mentionedBy.length === 1 ? 'says' : 'say'
    return `@${from} is now @${slug}. ${asHandles(mentionedBy)} now ${say} so too.`
  }
})
