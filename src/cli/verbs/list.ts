import type { Listed } from '../../api.js'
import { beginningOf } from '../../namespace/beginning.js'
import { paint } from '../paint.js'
import { aligned, counted, oneLine, timed } from '../table.js'
import { defineVerb } from '../verb.js'

/** For a person it matters which of the two it is, also where there is none. */
interface Listing {
  readonly deleted: boolean
  readonly skills: Listed[]
}

export const verb = defineVerb({
  about: 'List the skills',
  positionals: [],
  flags: { deleted: { type: 'boolean', about: 'The deleted ones instead' } },
  run: async ({ flags: { deleted = false }, globals, use }): Promise<Listed[] | Listing> => {
    const skills = await use((node) => node.list({ deleted }))
    return globals.json ? skills : { deleted, skills }
  },
  text: ({ deleted, skills }: Listing) => (deleted ? renderDeleted(skills) : renderList(skills))
})

export function renderList(skills: readonly Listed[]): string {
  if (skills.length === 0) return 'No skills yet. `selkie new` writes one.'
  return aligned(
    skills.map((skill) => [paint('bold', `@${skill.slug}`), standing(skill), oneLine(skill.title)])
  )
}

export function renderDeleted(skills: readonly Listed[]): string {
  if (skills.length === 0) return 'No skill is deleted.'
  const rows = skills.map(({ slug, uid, versions, time, title }) => {
    const uids = skills.filter((other) => other.slug === slug).map((other) => other.uid)
    return [
      paint('bold', `@${slug}`),
      beginningOf(uid, uids),
      counted(versions, 'version'),
      timed(time ?? ''),
      oneLine(title)
    ]
  })
  const isTwice = new Set(skills.map(({ slug }) => slug)).size < skills.length
  const which = isTwice ? ' Of several of one slug, say which: `--uid` and the digits beside it.' : ''
  return `${aligned(rows)}\n\n\`selkie restore @slug\` brings one back, with all its versions.${which}`
}

function standing({ enabled, advertised, hidden }: Listed): string {
  if (!enabled) return paint('dim', 'disabled')
  if (hidden) return 'not for models'
  return advertised ? 'advertised' : ''
}
