import type { GrantsShown } from '../../api.js'
import { grantOf, renderGrants } from '../grant.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about:
    'Let a tool see a folder (files), a calendar, the notebook or the memory, on this device; `revoke` undoes it',
  positionals: ['KIND', '[PATH]'],
  flags: {},
  run: async ({ args: [typed, given], use }): Promise<GrantsShown> => {
    const { kind, path } = grantOf(typed, given, 'grant')
    return use((node) => node.grant(kind, path))
  },
  text: renderGrants
})
