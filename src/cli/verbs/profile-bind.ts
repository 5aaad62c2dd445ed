import type { BindTo, ProfileShown } from '../../api.js'
import { usage } from '../args.js'
import { defineVerb } from '../verb.js'
import { renderProfile } from './profiles.js'

export const verb = defineVerb({
  about: 'Bind a skill in a profile: to its newest version unless another is chosen',
  positionals: ['NAME', '@slug'],
  flags: {
    latest: { type: 'boolean', about: 'Whatever is its newest version' },
    published: { type: 'boolean', about: 'Whatever is its published version' },
    version: { type: 'string', value: 'V', about: 'That version; see `selkie log`' }
  },
  run: async ({ args: [name, slug], flags, use }): Promise<ProfileShown> => {
    const to: BindTo[] = [
      ...(flags.latest ? ['latest' as const] : []),
      ...(flags.published ? ['published' as const] : []),
      ...(flags.version !== undefined ? [{ version: flags.version }] : [])
    ]
    if (to.length > 1) throw usage('Give one of --latest, --published and --version', 'profile bind')
    return use((node) => node.bindProfile(name, slug, to[0] ?? 'latest'))
  },
  text: renderProfile
})
