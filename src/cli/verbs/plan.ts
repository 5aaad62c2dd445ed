import type { PlanShown } from '../../api.js'
import { asHandles } from '../../namespace/as-handles.js'
import { readText } from '../files.js'
import { oneLine } from '../table.js'
import { untilInterrupted } from '../until-interrupted.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Show the plan for a request and the tools it would bind; nothing is run',
  positionals: ['TEXT…'],
  flags: {
    'by-words': { type: 'boolean', about: 'Pick skills by their words; no model is asked' },
    profile: { type: 'string', value: 'NAME', about: 'With the skills of this profile' }
  },
  run: async ({ args: [words], flags, use }): Promise<PlanShown> => {
    const text = words.length === 1 && words[0] === '-' ? await readText('-') : words.join(' ')
    const { profile } = flags
    const options = { byWords: flags['by-words'] ?? false, ...(profile !== undefined && { profile }) }
    return untilInterrupted((signal) => use((node) => node.plan(text, options, signal)))
  },
  text: renderPlan
})

export function renderPlan({ how, model, plan, handles, ignored, bound, notGranted }: PlanShown): string {
  const said = {
    model: `${oneLine(model ?? '')} plans: ${oneLine(plan)}`,
    words: 'No model chose. By their words these fit:',
    direct: 'No skill is on the menu, so there is no plan: the agent would answer directly.'
  }[how]
  const lines = [said]
  if (how !== 'direct') lines.push(`  names  ${asHandles(handles) || 'nothing'}`)
  if (ignored.length > 0) lines.push(`  in vain  ${asHandles(ignored)}`)
  lines.push(`  binds  ${bound.join(', ') || 'nothing'}`)
  if (notGranted.length > 0) {
    lines.push(`  not granted  ${notGranted.join(', ')}: \`selkie grants\` shows what is`)
  }
  return lines.join('\n')
}
