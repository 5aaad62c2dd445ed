import { resolve } from 'node:path'
import type { FolderImport } from '../../api.js'
import { paint } from '../paint.js'
import { aligned, counted, oneLine } from '../table.js'
import { renderDiagnostics } from '../diagnostics.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Take in skills from SKILL.md folders, or from folders of such folders',
  positionals: ['DIR…'],
  flags: {},
  run: ({ args: [folders], use, onProgress }) => {
    const paths = folders.map((folder) => resolve(folder))
    return use((node) => node.importFolders(paths, onProgress))
  },
  text: renderFolderImport
})

export function renderFolderImport({ imported, diagnostics }: FolderImport): string {
  const rows = imported.map(({ folder, slug, status }) => [
    `  ${paint('bold', `@${slug}`)}`,
    status,
    oneLine(folder)
  ])
  const parts =
    imported.length > 0
      ? [`Imported ${counted(imported.length, 'skill')}:`, aligned(rows)]
      : ['Imported nothing.']
  return [...parts, ...renderDiagnostics(diagnostics)].join('\n')
}
