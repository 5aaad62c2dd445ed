import type { NoteShown } from '../../api.js'
import { paint } from '../paint.js'
import { aligned, oneLine, timed } from '../table.js'
import { defineVerb } from '../verb.js'
import { ID_SHOWN } from './note-add.js'

/** For a person it matters what was looked for, where nothing is found. */
export interface NoteListing {
  readonly notes: readonly NoteShown[]
  readonly search?: string
  readonly deleted?: boolean
}

export const verb = defineVerb({
  about: 'List your notes, the newest first',
  positionals: [],
  flags: {
    search: { type: 'string', value: 'WORDS', about: 'Only those that have these words, the best first' },
    deleted: { type: 'boolean', about: 'The deleted ones instead' }
  },
  run: async ({ flags: { search, deleted }, globals, use }): Promise<NoteShown[] | NoteListing> => {
    const options = { ...(search !== undefined && { search }), ...(deleted && { deleted }) }
    const notes = await use((node) => node.notes(options))
    return globals.json ? notes : { ...options, notes }
  },
  text: renderNotes
})

export function renderNotes({ notes, search, deleted = false }: NoteListing): string {
  if (notes.length === 0) {
    if (search !== undefined) return `No ${deleted ? 'deleted ' : ''}note is found by “${oneLine(search)}”.`
    return deleted ? 'No note is deleted.' : 'No notes. `selkie note add` writes one.'
  }
  return aligned(
    notes.map(({ id, time, title }) => [paint('bold', id.slice(0, ID_SHOWN)), timed(time), oneLine(title)])
  )
}
