import type { GrantsShown } from '../../api.js'
import { renderGrants } from '../grant.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Show what the tools may see on this device',
  positionals: [],
  flags: {},
  run: ({ use }): Promise<GrantsShown> => use((node) => node.grants()),
  text: renderGrants
})
