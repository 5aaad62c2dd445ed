import type { Diagnostic } from '../api.js'
import { paint } from './paint.js'
import { counted, oneLine } from './table.js'

/** What was found wrong with folders, as lines; none where nothing was. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[]): string[] {
  if (diagnostics.length === 0) return []
  const lines = diagnostics.map(({ code, message, path, line }) => {
    const where = path === undefined ? '' : `${oneLine(path)}${line === undefined ? '' : `:${line}`}: `
    return `  ${where}${oneLine(message)} ${paint('dim', `(${code})`)}`
  })
  return [paint('yellow', `${counted(diagnostics.length, 'remark')}:`), ...lines]
}
