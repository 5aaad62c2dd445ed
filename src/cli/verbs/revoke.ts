import type { GrantsShown } from '../../api.js'
import { grantOf, renderGrants } from '../grant.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Take a grant back; of files or calendar without a path, all of them',
  positionals: ['KIND', '[PATH]'],
  flags: {},
  run: async ({ args: [typed, given], use }): Promise<GrantsShown> => {
    const { kind, path } = grantOf(typed, given, 'revoke')
    return use((node) => node.revoke(kind, path))
  },
  text: renderGrants
})
