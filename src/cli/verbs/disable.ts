import type { Switched } from '../../api.js'
import { asHandles } from '../../namespace/as-handles.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Keep a skill without letting it be used or mentioned',
  positionals: ['@slug'],
  flags: {},
  run: ({ args: [slug], use }) => use((node) => node.setEnabled(slug, false)),
  text: renderDisabled
})

export function renderDisabled({ slug, mentionedBy }: Switched): string {
  if (mentionedBy.length === 0) return `@${slug} is disabled.`
  const [mention, text] = mentionedBy.length === 1 ? ['mentions', 'that text'] : ['mention', 'those texts']
  return (
    `@${slug} is disabled. ${asHandles(mentionedBy)} still ${mention} it, to no effect; ` +
    `an edit of ${text} is refused until it is enabled or no longer mentioned.`
  )
}
