import { createInterface } from 'node:readline/promises'
import type { Run } from '../../api.js'
import { interrupted } from '../interrupted.js'
import { RunTeller, tellProblem } from '../run-teller.js'
import { defineVerb } from '../verb.js'
import { BROKEN_OFF, exitCodeOf } from './ask.js'

export const verb = defineVerb({
  about: 'Talk with the agent, a line a turn, until an empty line or the end of the input',
  positionals: [],
  flags: {
    profile: { type: 'string', value: 'NAME', about: 'With the skills of this profile' },
    after: { type: 'string', value: 'RUN', about: 'Go on from that run' }
  },
  run: async ({ flags: { profile, after }, globals, use, note }, print): Promise<Run[] | undefined> => {
    const stop = new AbortController()
    const terminal = process.stdin.isTTY && process.stderr.isTTY
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal, prompt: '› ' })
    void interrupted().then(() => stop.abort())
    stop.signal.addEventListener('abort', () => lines.close())
    // A terminal that is read by lines gives Ctrl-C to them; a second one ends the process here too.
    lines.on('SIGINT', () => process.emit('SIGINT', 'SIGINT'))
    // After a Ctrl-Z they stand still until somebody asks for one.
    lines.on('SIGCONT', () => lines.prompt())
    const runs: Run[] = []
    let previous = after
    if (terminal) lines.prompt()
    try {
      for await (const line of lines) {
        if (line.trim() === '' || stop.signal.aborted) break
        const teller = new RunTeller(globals, note)
        const options = {
          ...(profile !== undefined && { profile }),
          ...(previous !== undefined && { after: previous })
        }
        // The node is let go while the person thinks.
        const run = await use((node) => node.ask(line, options, teller.tell, stop.signal))
        teller.end()
        if (globals.json) runs.push(run)
        previous = run.id
        if (!globals.json && run.answer !== '' && !teller.hasStreamed(run)) print([run])
        if (!globals.json) tellProblem(run)
        for (const cut of run.truncations) note(cut)
        process.exitCode = exitCodeOf(run)
        if (stop.signal.aborted) break
        if (terminal) lines.prompt()
      }
    } finally {
      // Else a refusal would wait for the end of the input.
      lines.close()
    }
    if (stop.signal.aborted) process.exitCode = BROKEN_OFF
    return globals.json ? runs : undefined
  },
  text: (runs: Run[]) => runs.map(({ answer }) => answer).join('\n')
})
