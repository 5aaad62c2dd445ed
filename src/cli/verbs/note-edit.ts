import type { NoteShown } from '../../api.js'
import { usage } from '../args.js'
import { canAsk } from '../ask.js'
import { Draft } from '../draft.js'
import { defineVerb } from '../verb.js'
import { ID_SHOWN, NOTE_FLAGS, noteText, renderSaved } from './note-add.js'

export const verb = defineVerb({
  about: 'Give a note another text: here, or in $VISUAL or $EDITOR on a terminal',
  positionals: ['ID', '[TEXT]'],
  flags: NOTE_FLAGS,
  run: async ({ args: [id, text], flags, use, note }): Promise<NoteShown> => {
    const given = await noteText(text, flags.file, 'note edit')
    if (given !== undefined) return use((node) => node.editNote(id, given, {}))
    if (!canAsk()) throw usage('The text is missing: give TEXT, --file or -', 'note edit')

    // The node is let go while the person writes.
    const shown = await use((node) => node.note(id))
    const draft = await Draft.of('note', `${shown.text}\n`)
    const edited = await draft.edit()
    try {
      const saved = await use((node) => node.editNote(shown.id, edited, { base: shown.revision }))
      await draft.discard()
      return saved
    } catch (error) {
      note(`Your text is kept: \`selkie note edit ${shown.id.slice(0, ID_SHOWN)} --file ${draft.path}\``)
      throw error
    }
  },
  text: renderSaved
})
