import type { ProfileShown } from '../../api.js'
import { paint } from '../paint.js'
import { aligned, oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'List the agent’s profiles, and which version of which skill each binds',
  positionals: [],
  flags: {},
  run: ({ use }): Promise<ProfileShown[]> => use((node) => node.profiles()),
  text: renderProfiles
})

export function renderProfiles(profiles: readonly ProfileShown[]): string {
  if (profiles.length === 0) return 'No profiles. `selkie profile new NAME` makes one.'
  return profiles.map(renderProfile).join('\n')
}

export function renderProfile({ name, bindings }: ProfileShown): string {
  const head = paint('bold', oneLine(name))
  if (bindings.length === 0) return `${head}  binds nothing yet`
  const rows = bindings.map(({ slug, to, version }) => [
    `  @${slug}`,
    typeof to === 'string' ? to : 'version',
    version === null
      ? paint('yellow', MISSING[typeof to === 'string' ? to : 'version'])
      : version.slice(0, 12)
  ])
  return `${head}\n${aligned(rows)}`
}

const MISSING = {
  latest: 'deleted',
  published: 'nothing of it is published, or it is deleted',
  version: 'its text isn’t here, or it is deleted'
} as const
