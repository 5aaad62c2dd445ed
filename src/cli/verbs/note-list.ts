import type { NoteShown } from '../../api.js'
import { paint } from '../paint.js'
import { aligned, oneLine, timed } from '../table.js'
import { defineVerb } from '../verb.js'
import { ID_SHOWN } from './note-add.js'

export const verb = defineVerb({
  about: 'List your notes, the newest first',
  positionals: [],
  flags: {
    search: { type: 'string', value: 'WORDS', about: 'Only those that have these words, the best first' },
    deleted: { type: 'boolean', about: 'The deleted ones instead' }
  },
  run: ({ flags: { search, deleted }, use }): Promise<NoteShown[]> =>
    use((node) => node.notes({ ...(search !== undefined && { search }), ...(deleted && { deleted }) })),
  text: renderNotes
})

export function renderNotes(notes: readonly NoteShown[]): string {
  if (notes.length === 0) return 'No notes. `selkie note add` writes one.'
  return aligned(
    notes.map(({ id, time, title }) => [paint('bold', id.slice(0, ID_SHOWN)), timed(time), oneLine(title)])
  )
}
