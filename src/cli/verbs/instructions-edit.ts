import type { Alignment } from '../../api.js'
import { usage } from '../args.js'
import { canAsk } from '../ask.js'
import { readText } from '../files.js'
import { Draft } from '../draft.js'
import { defineVerb } from '../verb.js'
import { renderAlignment } from './menu.js'

export const verb = defineVerb({
  about: 'Change what the agent is told first: in $VISUAL or $EDITOR, or from a file; `-` reads stdin',
  positionals: ['[FILE]'],
  flags: {},
  run: async ({ args: [file], use, note }): Promise<Alignment> => {
    if (file !== undefined) {
      const text = await readText(file)
      return use((node) => node.setInstructions(text))
    }
    if (!canAsk()) throw usage('Without a terminal, give a FILE or -', 'instructions edit')
    // The node is let go while the person writes.
    const before = await use((node) => node.menu({}))
    const draft = await Draft.of('instructions', before.instructions)
    const edited = await draft.edit()
    try {
      const after =
        edited === before.instructions ? before : await use((node) => node.setInstructions(edited))
      await draft.discard()
      return after
    } catch (error) {
      note(`Your text is kept: \`selkie instructions edit ${draft.path}\``)
      throw error
    }
  },
  text: renderAlignment
})
