import type { Run, RunCall, RunSkill } from '../../api.js'
import { asHandles } from '../../namespace/as-handles.js'
import { oneLine, quoted, timed } from '../table.js'
import { defineVerb } from '../verb.js'

/** Characters of a call’s result that are shown unless all of it is asked for. */
const SHOWN = 400

export const verb = defineVerb({
  about: 'Show the transcript of a run: the plan, what was loaded, each call and its result',
  positionals: ['RUN'],
  flags: { full: { type: 'boolean', about: 'With the texts of the skills, and results whole' } },
  run: async ({ args: [id], flags, globals, use }): Promise<Run> => {
    const full = flags.full ?? false
    const run = await use((node) => node.run(id, { full }))
    return full || globals.json ? run : withShortResults(run)
  },
  text: renderRun
})

export function renderRun(run: Run): string {
  const lines = [
    `Run ${run.id}, ${timed(run.time)}: ${run.state}`,
    ...(run.model === null ? [] : [`Model: ${oneLine(run.model)}`]),
    ...(run.profile === null ? [] : [`Profile: ${oneLine(run.profile)}`]),
    ...(run.after === null ? [] : [`Went on from run ${run.after.slice(0, 8)}`]),
    '',
    quoted(run.question, '> ')
  ]
  if (run.plan) lines.push('', `Plan: ${oneLine(run.plan.text)}`)
  if (run.plan && run.plan.ignored.length > 0) lines.push(`In vain: ${asHandles(run.plan.ignored)}`)
  if (run.bound.length > 0) lines.push(`Bound: ${run.bound.join(', ')}`)
  lines.push(...run.skills.map((skill) => renderSkill(skill)))
  for (const { text, calls } of run.steps) {
    const isAnswer = calls.length === 0 && text === run.answer
    if (text.trim() !== '' && !isAnswer) lines.push('', quoted(text.trim()))
    lines.push(...calls.map((call) => renderCall(call)))
  }
  if (run.state === 'running') lines.push('', 'It goes on. What it does is shown once it has ended.')
  if (run.answer !== '') lines.push('', quoted(run.answer.trim()))
  if (run.truncations.length > 0) lines.push('', ...run.truncations)
  if (run.problem) lines.push('', `${run.problem.message}\n${run.problem.hint} (${run.problem.code})`)
  if (run.tokens) lines.push('', `${run.tokens.input} tokens in, ${run.tokens.output} out`)
  return lines.join('\n')
}

function renderSkill({ slug, version, body }: RunSkill): string {
  const loaded = `Loaded @${slug}, version ${version.slice(0, 12)}`
  return body === undefined ? loaded : `${loaded}\n${quoted(body)}`
}

function renderCall({ name, tool, skill, args, outcome, result }: RunCall): string {
  const whom = skill === null ? '' : ` for @${oneLine(skill)}`
  const how = outcome === 'ran' ? '' : ` – ${outcome}`
  return `\n${oneLine(tool ?? name)} ${oneLine(JSON.stringify(args) ?? '')}${whom}${how}\n${quoted(result)}`
}

function withShortResults(run: Run): Run {
  const short = (call: RunCall): RunCall =>
    call.result.length <= SHOWN ? call : { ...call, result: `${call.result.slice(0, SHOWN)}…` }
  return { ...run, steps: run.steps.map(({ text, calls }) => ({ text, calls: calls.map(short) })) }
}
