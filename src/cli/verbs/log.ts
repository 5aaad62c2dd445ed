import type { LogEntry } from '../../api.js'
import { paint } from '../paint.js'
import { aligned, oneLine, timed } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'List the versions of a skill, newest first',
  positionals: ['@slug'],
  flags: {},
  run: ({ args: [slug], use }) => use((node) => node.log(slug)),
  text: renderLog
})

export function renderLog(entries: LogEntry[]): string {
  return aligned(
    entries.map(({ version, time, author, title, head, published, here }) => [
      head ? paint('green', '*') : ' ',
      here ? version : paint('dim', version),
      timed(time),
      oneLine(author),
      oneLine(title) + (here ? '' : paint('dim', ' (its text is not here)')),
      published ? paint('yellow', 'published') : ''
    ])
  )
}
