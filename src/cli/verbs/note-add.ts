import type { NoteShown } from '../../api.js'
import { usage } from '../args.js'
import { canAsk } from '../ask.js'
import { Draft } from '../draft.js'
import { readText } from '../files.js'
import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

/** Digits of an id that are shown. */
export const ID_SHOWN = 12

export const NOTE_FLAGS = {
  file: { type: 'string', value: 'FILE', about: 'Its text, from a file' }
} as const

export const verb = defineVerb({
  about: 'Put a note into your notebook; `-` reads it from stdin',
  positionals: ['[TEXT]'],
  flags: NOTE_FLAGS,
  run: async ({ args: [text], flags, use, note }): Promise<NoteShown> => {
    const given = await noteText(text, flags.file, 'note add')
    if (given !== undefined) return use((node) => node.addNote(given))
    if (!canAsk()) throw usage('The text is missing: give TEXT, --file or -', 'note add')
    const draft = await Draft.of('note', '')
    const written = await draft.edit()
    try {
      const added = await use((node) => node.addNote(written))
      await draft.discard()
      return added
    } catch (error) {
      if (written.trim()) note(`Your text is kept: \`selkie note add --file ${draft.path}\``)
      else await draft.discard()
      throw error
    }
  },
  text: renderSaved
})

/**
 * The text that was given, from stdin for `-`, or undefined where none was.
 *
 * @throws SelkieError E_USAGE when it was given twice, E_INPUT_FILE
 */
export async function noteText(
  text: string | undefined,
  file: string | undefined,
  verb: string
): Promise<string | undefined> {
  if (text !== undefined && file !== undefined) throw usage('The text is given twice', verb)
  if (file !== undefined) return readText(file)
  return text === '-' ? readText('-') : text
}

export function renderSaved({ id, title }: NoteShown): string {
  return `Saved “${oneLine(title)}” as note ${id.slice(0, ID_SHOWN)}.`
}
