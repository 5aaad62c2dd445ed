import type { Alignment } from '../../api.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Show the whole Alignment document, as the model gets it, and its price in tokens',
  positionals: [],
  flags: { profile: { type: 'string', value: 'NAME', about: 'With the skills of this profile' } },
  run: ({ flags: { profile }, use }): Promise<Alignment> =>
    use((node) => node.menu(profile === undefined ? {} : { profile })),
  text: renderAlignment
})

export function renderAlignment({ text, tokens, edited, blurbs, menu, planning }: Alignment): string {
  const on = blurbs.filter((blurb) => blurb.on).map(({ blurb }) => blurb)
  const price = `${tokens.exact ? '' : '~'}${tokens.count} tokens (${tokens.by})`
  const whose = edited ? 'yours: `selkie instructions reset` takes it back' : 'the one that Selkie comes with'
  const onMenu =
    planning === null
      ? 'no skill is on it, so the agent answers directly, without a plan'
      : `${menu.length} on it; it and what follows it can’t be edited`
  return `${text}

── ${price}
   instructions  ${whose}
   blurbs on     ${on.join(', ') || 'none'}
   menu          ${onMenu}`
}
