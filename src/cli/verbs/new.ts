import type { Saved } from '../../api.js'
import { asHandles } from '../../namespace/as-handles.js'
import { bodyFrom, BODY_FLAGS } from '../body.js'
import { usage } from '../args.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Write a new skill; `-` reads its body from stdin',
  positionals: ['TITLE', '[-]'],
  flags: {
    summary: { type: 'string', value: 'S', required: true, about: 'What it is for, in one line' },
    ...BODY_FLAGS
  },
  run: async ({ args: [title, dash], flags, use }): Promise<Saved> => {
    const body = await bodyFrom(flags, dash, 'new')
    if (body === undefined) throw usage('The body is missing: --body TEXT, --body-file FILE or -', 'new')
    const { summary } = flags
    return use((node) => node.create({ title, summary, body }))
  },
  text: renderSaved
})

export function renderSaved({ slug, version, mentions }: Saved): string {
  const mentioned = mentions.length > 0 ? `\nIt mentions ${asHandles(mentions)}.` : ''
  return `Saved @${slug}, version ${version}.${mentioned}`
}
