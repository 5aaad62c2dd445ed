import type { Run, RunEvent } from '../api.js'
import { printable } from '../base/printable.js'
import type { Globals } from './globals.js'
import { oneLine } from './table.js'

/** Characters of a call’s name, of its arguments and of why it failed that are told. */
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
    case 'calling':
      return `${shown(event.tool)} ${shown(JSON.stringify(event.args) ?? '')}`
    case 'called':
      if (event.outcome === 'ran') return undefined
  }
  return `  ${event.outcome}: ${shown(event.why ?? '')}`
}

/** What a model has written may be long, and may look like what is told here. */
function shown(text: string): string {
  const line = oneLine(text)
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}

/** Says on stderr why a run broke down, as of any refusal: also where nothing else is told. */
export function tellProblem({ problem }: Run): void {
  if (problem) console.error(printable(`${problem.message}\n${problem.hint} (${problem.code})`))
}

/** How a run ended, and what of it was cut. */
export function renderEnd({ id, state, truncations }: Run): string {
  const cut = truncations.map((each) => `${each}\n`).join('')
  const how = state === 'stopped' ? 'Stopped. ' : ''
  return `${cut}${how}Run ${id.slice(0, 8)}: \`selkie run show ${id.slice(0, 8)}\` shows it whole.`
}
