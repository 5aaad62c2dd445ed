import type { VersionDiff } from '../../api.js'
import { paintDiff } from '../paint.js'
import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Compare two versions of a skill: the last edit, unless named',
  positionals: ['@slug', '[A]', '[B]'],
  flags: {},
  run: ({ args: [slug, from, to], use }) => use((node) => node.diff(slug, from, to)),
  text: renderDiff
})

export function renderDiff({ slug, diff, files }: VersionDiff): string {
  const changes = files.map(({ path, change }) => `${change} file: ${oneLine(path)}`)
  const parts = [...(diff === '' ? [] : [paintDiff(diff.trimEnd())]), ...changes]
  return parts.length > 0 ? parts.join('\n') : `@${slug} is the same in both.`
}
