import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Give a skill another slug; whatever mentions it shows the new one',
  positionals: ['@old', 'NEW'],
  flags: {},
  run: ({ args: [old, to], use }) => use((node) => node.rename(old, to)),
  text: ({ from, slug, mentionedBy }) => {
    if (from === slug) return `@${slug} is its name already.`
    const mentioned =
      mentionedBy.length > 0 ? ` ${mentionedBy.map((by) => `@${by}`).join(', ')} now say so too.` : ''
    return `@${from} is now @${slug}.${mentioned}`
  }
})
