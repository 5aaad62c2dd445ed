import type { Decisions, Imported } from '../../api.js'
import { usage } from '../args.js'
import { paint } from '../paint.js'
import { aligned } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Take in a bundle as it was reviewed, all of it in one step',
  positionals: ['ID'],
  flags: {
    rename: { type: 'string', multiple: true, value: 'incoming=slug', about: 'Give a skill this slug here' },
    'use-mine': {
      type: 'string',
      multiple: true,
      value: 'incoming=slug',
      about: 'Use your own skill in its place'
    },
    drop: {
      type: 'string',
      multiple: true,
      value: 'slug',
      about: 'Leave a skill out that nothing else needs'
    },
    exec: { type: 'boolean', about: 'Let files be executable that its author made so' }
  },
  run: async ({ args: [id], flags, use }): Promise<Imported> => {
    const decisions: Decisions = {
      ...(flags.rename && { rename: pairs(flags.rename, '--rename') }),
      ...(flags['use-mine'] && { useMine: pairs(flags['use-mine'], '--use-mine') }),
      ...(flags.drop && { drop: flags.drop.map(bare) }),
      ...(flags.exec && { exec: true })
    }
    return use((node) => node.accept(id, decisions))
  },
  text: renderImported
})

export function renderImported({ imported }: Imported): string {
  const rows = imported.map(({ incoming, slug, status }) => [
    status === 'dropped' ? paint('dim', `@${incoming}`) : paint('bold', `@${slug}`),
    status,
    incoming === slug || status === 'dropped' ? '' : `from @${incoming}`
  ])
  const apart = imported
    .filter(({ status }) => status === 'diverged')
    .map(({ slug }) => `\n  selkie merge @${slug}`)
  const next =
    apart.length > 0 ? `\nYours stays shown, and theirs is kept beside it. To merge:${apart.join('')}` : ''
  return aligned(rows) + next
}

/** `incoming=slug`, each, as one record. */
export function pairs(given: readonly string[], flag: string): Record<string, string> {
  const record = Object.create(null) as Record<string, string>
  for (const pair of given) {
    const [incoming, slug, ...more] = pair.split('=').map(bare)
    if (!incoming || !slug || more.length > 0) throw usage(`“${pair}” is not incoming=slug`, 'accept')
    if (incoming in record) throw usage(`${flag} names ${incoming} twice`, 'accept')
    record[incoming] = slug
  }
  return record
}

function bare(slug: string): string {
  return slug.replace(/^@/, '')
}
