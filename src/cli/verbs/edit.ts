import type { Saved, Shown } from '../../api.js'
import { usage } from '../args.js'
import { canAsk } from '../ask.js'
import { bodyFrom, BODY_FLAGS } from '../body.js'
import { Draft } from '../draft.js'
import { defineVerb } from '../verb.js'
import { renderSaved } from './new.js'

export const verb = defineVerb({
  about: 'Change a skill: by flags, or in $VISUAL or $EDITOR on a terminal',
  positionals: ['@slug', '[-]'],
  flags: {
    title: { type: 'string', value: 'T', about: 'Its new title; the slug stays' },
    summary: { type: 'string', value: 'S', about: 'What it is for, in one line' },
    ...BODY_FLAGS
  },
  run: async ({ args: [slug, dash], flags, use, note }): Promise<Saved> => {
    const body = await bodyFrom(flags, dash, 'edit')
    const { title, summary } = flags
    const change = {
      ...(title !== undefined && { title }),
      ...(summary !== undefined && { summary }),
      ...(body !== undefined && { body })
    }
    if (Object.keys(change).length > 0) return use((node) => node.edit(slug, change))
    if (!canAsk()) throw usage('Nothing to change: give --title, --summary, --body, --body-file or -', 'edit')

    // The node is let go while the person writes.
    const shown = await use((node) => node.show(slug))
    const draft = await Draft.of(shown.slug, shown.body)
    const edited = await draft.edit()
    if (edited !== shown.body) {
      try {
        const saved = await use((node) => node.edit(slug, { body: edited, base: shown.version }))
        await draft.discard()
        return saved
      } catch (error) {
        note(`Your text is kept: \`selkie edit @${shown.slug} --body-file ${draft.path}\``)
        throw error
      }
    }
    await draft.discard()
    return unchanged(shown)
  },
  text: renderSaved
})

function unchanged({ uid, slug, title, summary, version, mentions }: Shown): Saved {
  return { uid, slug, title, summary, version, mentions }
}
