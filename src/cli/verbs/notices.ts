import type { Notice } from '../../api.js'
import { renderNotice } from '../notice.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Show what changed by itself when devices met, and was not told here yet',
  positionals: [],
  flags: {},
  run: ({ use }) => use((node) => node.notices()),
  text: renderNotices
})

export function renderNotices(notices: Notice[]): string {
  if (notices.length === 0) return 'Nothing changed by itself.'
  return notices.map(renderNotice).join('\n')
}
