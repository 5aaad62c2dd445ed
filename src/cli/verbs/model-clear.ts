import { renderModel } from '../model.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Set no model on this device; its key stays where it is',
  positionals: [],
  flags: {},
  run: ({ use }) => use((node) => node.setModel(null)),
  text: renderModel
})
