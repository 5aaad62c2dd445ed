import type { Run, RunEvent } from '../api.js'
import { printable } from '../base/printable.js'
import type { Globals } from './globals.js'
import { oneLine } from './table.js'

/** Characters of a call’s arguments that are told. */
const SHOWN = 200

/**
 * Tells of a run while it runs: on a terminal the answer as it comes, on stderr what is
 * done for it.
 */
export class RunTeller {
  readonly #note: (text: string) => void
  readonly #streams: boolean
  /** What was streamed since the last call. */
  #line = ''

  constructor({ json }: Globals, note: (text: string) => void) {
    this.#note = note
    this.#streams = process.stdout.isTTY && !json
  }

  readonly tell = (event: RunEvent): void => {
    if (event.type === 'text') {
      if (!this.#streams) return
      process.stdout.write(printable(event.text))
      this.#line += event.text
      return
    }
    if (event.type === 'calling' || event.type === 'planned') this.#closeLine()
    const said = sayingOf(event)
    if (said !== undefined) this.#note(said)
  }

  /** Ends the line that was streamed last. */
  end(): void {
    if (this.#line !== '' && !this.#line.endsWith('\n')) process.stdout.write('\n')
  }

  /** Whether the person has seen the answer already. */
  hasStreamed({ answer }: Run): boolean {
    return answer !== '' && this.#line.endsWith(answer)
  }

  #closeLine(): void {
    this.end()
    this.#line = ''
  }
}

function sayingOf(event: Exclude<RunEvent, { type: 'text' }>): string | undefined {
  switch (event.type) {
    case 'planned':
      return `Plan: ${oneLine(event.plan)}`
    case 'loaded':
      return `Loaded @${event.slug}`
    case 'calling': {
      const args = oneLine(JSON.stringify(event.args) ?? '')
      return `${event.tool} ${args.length > SHOWN ? `${args.slice(0, SHOWN)}…` : args}`
    }
    case 'called':
      return event.outcome === 'ran' ? undefined : `  ${event.outcome}: ${oneLine(event.why ?? '')}`
  }
}

/** How a run ended, and what of it was cut. */
export function renderEnd({ id, state, problem, truncations }: Run): string {
  const cut = truncations.map((each) => `${each}\n`).join('')
  const why = problem ? `${problem.message}\n${problem.hint} (${problem.code})\n` : ''
  const how = state === 'stopped' ? 'Stopped. ' : ''
  return `${cut}${why}${how}Run ${id.slice(0, 8)}: \`selkie run show ${id.slice(0, 8)}\` shows it whole.`
}
