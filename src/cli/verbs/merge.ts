import type { MergeResult } from '../../api.js'
import { bodyFrom, BODY_FLAGS } from '../body.js'
import { quoted } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Merge a version that was made apart: shown first, saved with --save',
  positionals: ['@slug', '[VERSION]'],
  flags: {
    save: { type: 'boolean', about: 'Save it as the next version, where it is clean' },
    ...BODY_FLAGS
  },
  run: async ({ args: [slug, version], flags, use }): Promise<MergeResult> => {
    const body = await bodyFrom(flags, undefined, 'merge')
    return use((node) =>
      node.merge(slug, {
        ...(version !== undefined && { with: version }),
        ...(flags.save && { save: true }),
        ...(body !== undefined && { body })
      })
    )
  },
  text: renderMerge
})

export function renderMerge({ slug, conflicts, title, summary, body, saved }: MergeResult): string {
  if (saved !== null) return `Merged into @${slug}, version ${saved}.`
  const how =
    conflicts.length === 0
      ? `Both edits go together. To save it: selkie merge @${slug} --save`
      : `Both edits changed the same: ${conflicts.join(', ')}.
Put the body right by hand and give it: selkie merge @${slug} --body-file FILE`
  return `${quoted(`title: ${title}\nsummary: ${summary}\n\n${body}`)}\n${how}`
}
