import type { CheckReport } from '../../api.js'
import { paint } from '../paint.js'
import { counted, oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Check every skill, version and file of this node against its hash',
  positionals: [],
  flags: {},
  run: async ({ use, onProgress }): Promise<CheckReport> => {
    const report = await use((node) => node.check(onProgress))
    if (!report.ok) process.exitCode = 1
    return report
  },
  text: renderCheck
})

export function renderCheck({ ok, skills, versions, files, problems }: CheckReport): string {
  const sum = `${counted(skills, 'skill')}, ${counted(versions, 'version')}, ${counted(files, 'file')}`
  if (ok) return `${paint('green', 'All is well')}: ${sum}.`
  const lines = problems.map(
    ({ slug, message, code }) => `  ${slug ? `@${slug}: ` : ''}${oneLine(message)} (${code})`
  )
  return [`${paint('red', counted(problems.length, 'problem'))} in ${sum}:`, ...lines].join('\n')
}
