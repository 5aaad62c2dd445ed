import type { Resolution } from '../../api.js'
import { asHandles } from '../../namespace/as-handles.js'
import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Say what a slug names: a skill, a tool or nothing',
  positionals: ['SLUG'],
  flags: {},
  run: ({ args: [slug], use }) => use((node) => node.resolve(slug)),
  text: renderResolution
})

export function renderResolution(found: Resolution): string {
  if (found.kind === 'skill') {
    return `@${found.slug} is a skill${found.enabled ? '' : ', disabled'}: ${oneLine(found.title)}`
  }
  if (found.kind === 'tool') return `@${found.slug} is the tool ${found.name}: ${oneLine(found.summary)}`
  const near = found.near.length > 0 ? ` Near: ${asHandles(found.near)}` : ''
  return `@${found.slug} names nothing here.${near}`
}
