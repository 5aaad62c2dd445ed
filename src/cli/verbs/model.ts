import { renderModel } from '../model.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Show which model is set on this device, and whether its key is there',
  positionals: [],
  flags: {},
  run: ({ use }) => use((node) => node.model()),
  text: renderModel
})
