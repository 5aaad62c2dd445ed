import type { ClosureListing } from '../../api.js'
import { paint } from '../paint.js'
import { aligned, oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'List a skill and all that it mentions, however deep',
  positionals: ['@slug'],
  flags: {},
  run: ({ args: [slug], use }) => use((node) => node.closure(slug)),
  text: renderClosure
})

export function renderClosure({ skills, tools }: ClosureListing): string {
  const rows = skills.map(({ slug, title, enabled }) => [
    paint('bold', `@${slug}`),
    oneLine(title) + (enabled ? '' : paint('dim', ' (disabled)'))
  ])
  return `${aligned(rows)}\nTools: ${tools.length > 0 ? tools.join(', ') : 'none'}`
}
