import type { Shown } from '../../api.js'
import { paint } from '../paint.js'
import { aligned, oneLine, sized } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Show a skill: what it says, its files and where it stands',
  positionals: ['@slug'],
  flags: { version: { type: 'string', value: 'V', about: 'An earlier version of it; see `selkie log`' } },
  run: ({ args: [slug], flags, use }) => use((node) => node.show(slug, flags.version)),
  text: renderShown
})

export function renderShown(skill: Shown): string {
  const head = [
    `${paint('bold', `@${skill.slug}`)}  ${oneLine(skill.title)}`,
    oneLine(skill.summary),
    paint('dim', `${standing(skill)}, version ${skill.version}`)
  ]
  if (skill.diverged.length > 0) {
    head.push(
      paint('yellow', `Edited elsewhere at the same time, kept beside it: ${skill.diverged.join(', ')}`)
    )
  }
  return [
    head.join('\n'),
    skill.body.trimEnd(),
    ...(skill.files.length > 0 ? [renderFiles(skill)] : [])
  ].join('\n\n')
}

function standing({ deleted, enabled, advertised, hidden }: Shown): string {
  if (deleted) return 'deleted'
  if (!enabled) return 'disabled'
  if (hidden) return 'enabled, not for models by themselves'
  return advertised ? 'enabled, advertised' : 'enabled'
}

function renderFiles({ files }: Shown): string {
  const rows = files.map(({ path, size, exec }) => [
    `  ${sized(size)}`,
    exec ? 'executable' : '',
    oneLine(path)
  ])
  return `${paint('bold', 'Files')}\n${aligned(rows)}`
}
