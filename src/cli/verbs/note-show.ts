import type { NoteShown } from '../../api.js'
import { paint } from '../paint.js'
import { timed } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Show a note, a deleted one too',
  positionals: ['ID'],
  flags: {},
  run: ({ args: [id], use }): Promise<NoteShown> => use((node) => node.note(id)),
  text: renderNote
})

export function renderNote({ id, time, text, deleted }: NoteShown): string {
  return `${paint('dim', `note ${id}, ${timed(time)}${deleted ? ', deleted' : ''}`)}\n\n${text}`
}
