import type { Replay } from '../../api.js'
import { oneLine } from '../table.js'
import { untilInterrupted } from '../until-interrupted.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Run it again with the answers that the model gave then: whether the same calls come',
  positionals: ['RUN'],
  flags: {},
  run: async ({ args: [id], use }): Promise<Replay> => {
    const replay = await untilInterrupted((signal) => use((node) => node.replay(id, signal)))
    if (!replay.same) process.exitCode = 1
    return replay
  },
  text: renderReplay
})

export function renderReplay({ same, differences, calls }: Replay): string {
  const made = calls.map(
    ({ tool, args, outcome }) => `  ${oneLine(tool ?? '?')} ${oneLine(JSON.stringify(args))}: ${outcome}`
  )
  const verdict = same
    ? 'The same calls came.'
    : `Not the same:\n${differences.map((each) => `  ${oneLine(each)}`).join('\n')}`
  return [...made, verdict].join('\n')
}
