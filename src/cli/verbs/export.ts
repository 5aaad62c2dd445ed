import { resolve } from 'node:path'
import type { FolderExport } from '../../api.js'
import { renderDiagnostics } from '../diagnostics.js'
import { paint } from '../paint.js'
import { aligned, oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Write skills as SKILL.md folders, as other agents read them',
  positionals: ['@slug…'],
  flags: {
    to: {
      type: 'string',
      value: 'DIR',
      required: true,
      about: 'The folder that gets a folder for each skill'
    },
    closure: { type: 'boolean', about: 'With all that they mention' }
  },
  run: ({ args: [slugs], flags, use }) => {
    const to = resolve(flags.to)
    return use((node) => node.exportFolders(slugs, to, { closure: flags.closure ?? false }))
  },
  text: renderFolderExport
})

export function renderFolderExport({ exported, diagnostics }: FolderExport): string {
  const rows = exported.map(({ slug, folder, unchanged }) => [
    paint('bold', `@${slug}`),
    unchanged ? 'unchanged' : 'written',
    oneLine(folder)
  ])
  return [aligned(rows), ...renderDiagnostics(diagnostics)].join('\n')
}
