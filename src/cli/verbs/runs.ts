import type { RunListed } from '../../api.js'
import { usage } from '../args.js'
import { aligned, counted, oneLine, timed } from '../table.js'
import { defineVerb } from '../verb.js'

/** Runs that are listed unless more are asked for. */
const FEW = 20

export const verb = defineVerb({
  about: 'List what the agent was asked on this device, the newest first, and what goes on',
  positionals: [],
  flags: { limit: { type: 'string', value: 'N', about: `At most so many, instead of ${FEW}` } },
  run: async ({ flags, use }): Promise<RunListed[]> => {
    const limit = Number(flags.limit ?? FEW)
    if (!Number.isSafeInteger(limit) || limit < 1) throw usage('--limit takes a number from 1', 'runs')
    return use((node) => node.runs({ limit }))
  },
  text: renderRuns
})

export function renderRuns(runs: readonly RunListed[]): string {
  if (runs.length === 0) return 'Nothing was asked yet: `selkie ask "What is planned for today?"`'
  return aligned(
    runs.map(({ id, time, state, calls, question }) => [
      id.slice(0, 8),
      timed(time),
      state,
      // How many there will be isn’t known yet.
      state === 'running' ? '' : counted(calls, 'call'),
      oneLine(question)
    ])
  )
}
