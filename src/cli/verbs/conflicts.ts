import type { Conflict } from '../../api.js'
import { paint } from '../paint.js'
import { aligned, oneLine, timed } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'List the skills of which versions were made apart',
  positionals: [],
  flags: {},
  run: ({ use }): Promise<Conflict[]> => use((node) => node.conflicts()),
  text: renderConflicts
})

export function renderConflicts(conflicts: readonly Conflict[]): string {
  if (conflicts.length === 0) return 'No versions were made apart.'
  const rows = conflicts.flatMap(({ slug, beside }) =>
    beside.map(({ version, author, time }) => [
      paint('bold', `@${slug}`),
      version.slice(0, 12),
      `by ${oneLine(author)}`,
      timed(time)
    ])
  )
  return `${aligned(rows)}\nTo see one merged: selkie merge @slug`
}
