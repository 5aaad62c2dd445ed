import type { Run } from '../../api.js'
import { readText } from '../files.js'
import { interrupted } from '../interrupted.js'
import { RunTeller, renderEnd, tellProblem } from '../run-teller.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Ask the agent: it plans with your skills, binds their tools, and works; `-` reads stdin',
  positionals: ['TEXT…'],
  flags: {
    profile: { type: 'string', value: 'NAME', about: 'With the skills of this profile' },
    after: { type: 'string', value: 'RUN', about: 'Go on from that run' }
  },
  run: async ({ args: [words], flags, globals, use, note }, print): Promise<undefined> => {
    const text = words.length === 1 && words[0] === '-' ? await readText('-') : words.join(' ')
    const stop = new AbortController()
    void interrupted().then(() => stop.abort())
    const teller = new RunTeller(globals, note)
    const { profile, after } = flags
    const options = { ...(profile !== undefined && { profile }), ...(after !== undefined && { after }) }
    const run = await use((node) => node.ask(text, options, teller.tell, stop.signal))
    teller.end()
    process.exitCode = exitCodeOf(run)
    if (globals.json || (run.answer !== '' && !teller.hasStreamed(run))) print(run)
    if (!globals.json) tellProblem(run)
    note(renderEnd(run))
  },
  text: ({ answer }: Run) => answer
})

/** The exit code of what a person broke off. */
export const BROKEN_OFF = 130

/** A run that broke down is a refusal; one that was broken off ends as anything else so does. */
export function exitCodeOf({ state }: Pick<Run, 'state'>): number {
  if (state === 'stopped') return BROKEN_OFF
  return state === 'done' ? 0 : 1
}
