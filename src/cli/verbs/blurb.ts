import type { Alignment, Blurb } from '../../api.js'
import { usage } from '../args.js'
import { defineVerb } from '../verb.js'
import { renderAlignment } from './menu.js'

const BLURBS: readonly Blurb[] = ['notebook', 'files', 'calendar', 'date']

export const verb = defineVerb({
  about: 'Switch on or off what the model is told of a source: notebook, files, calendar or date',
  positionals: ['NAME', 'on|off'],
  flags: {},
  run: async ({ args: [name, state], use }): Promise<Alignment> => {
    const blurb = BLURBS.find((each) => each === name)
    if (!blurb) throw usage(`There is no blurb “${name}”: it is one of ${BLURBS.join(', ')}`, 'blurb')
    if (state !== 'on' && state !== 'off') throw usage(`“${state}” is neither on nor off`, 'blurb')
    return use((node) => node.setBlurb(blurb, state === 'on'))
  },
  text: renderAlignment
})
