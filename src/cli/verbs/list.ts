import type { Listed } from '../../api.js'
import { paint } from '../paint.js'
import { aligned, oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'List the skills',
  positionals: [],
  flags: {},
  run: ({ use }) => use((node) => node.list()),
  text: renderList
})

export function renderList(skills: Listed[]): string {
  if (skills.length === 0) return 'No skills yet. `selkie new` writes one.'
  return aligned(
    skills.map((skill) => [paint('bold', `@${skill.slug}`), standing(skill), oneLine(skill.title)])
  )
}

function standing({ enabled, advertised }: Listed): string {
  if (!enabled) return paint('dim', 'disabled')
  return advertised ? 'advertised' : ''
}
