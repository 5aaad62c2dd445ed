import type { Alignment } from '../../api.js'
import { defineVerb } from '../verb.js'
import { renderAlignment } from './menu.js'

export const verb = defineVerb({
  about: 'Take the instructions that Selkie comes with',
  positionals: [],
  flags: {},
  run: ({ use }): Promise<Alignment> => use((node) => node.setInstructions(null)),
  text: renderAlignment
})
