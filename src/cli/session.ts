import type { Notice, NodeApi } from '../api.js'
import { asSelkieError } from '../base/system.js'
import { printable } from '../base/printable.js'
import type { Parsed } from './args.js'
import { askPassphrase } from './ask.js'
import { connect } from './connect.js'
import type { Globals } from './globals.js'
import { renderNotice } from './notice.js'
import { ProgressBar } from './progress.js'
import type { Call, Need, Verb } from './verb.js'

/** One run of one verb: connects it to a node, and prints what it gives. */
export class Session {
  readonly #globals: Globals
  readonly #verb: Verb
  readonly #bar: ProgressBar | undefined
  /** What changed by itself, to be told after the result. */
  readonly #notices: Notice[] = []
  #lastProblem = ''

  constructor(globals: Globals, verb: Verb) {
    this.#globals = globals
    this.#verb = verb
    this.#bar = process.stderr.isTTY && !globals.quiet ? new ProgressBar() : undefined
  }

  /** Runs the verb and prints its result, and then what changed by itself since the last time. */
  async run({ args, flags }: Parsed): Promise<void> {
    const call: Call = {
      // What the verb declared is what the parser let through.
      args: args as Call['args'],
      flags,
      globals: this.#globals,
      use: (work, need = 'any') => this.#use(work, need),
      note: (text) => this.#note(text),
      problem: (error) => this.#problem(error),
      onProgress: this.#bar?.onProgress
    }
    try {
      const result = await this.#verb
        .run(call, (value) => this.#print(value))
        .finally(() => this.#bar?.clear())
      if (result !== undefined) this.#print(result)
    } finally {
      for (const notice of this.#notices) this.#note(renderNotice(notice))
    }
  }

  async #use<R>(work: (node: NodeApi) => Promise<R>, need: Need): Promise<R> {
    const passphrase = (): Promise<string> => askPassphrase(this.#globals)
    const connection = await connect({
      globals: this.#globals,
      need,
      passphrase,
      onProblem: (error) => this.#problem(error)
    })
    try {
      const result = await work(connection.node)
      await this.#hear(connection.node)
      return result
    } finally {
      await connection.close()
    }
  }

  /** Takes the node’s notices, unless they would not be told here. */
  async #hear(node: NodeApi): Promise<void> {
    if (this.#globals.json || this.#globals.quiet) return
    try {
      this.#notices.push(...(await node.notices()))
    } catch (error) {
      // The work is done whatever becomes of these.
      this.#problem(error)
    }
  }

  #print(value: unknown): void {
    if (this.#globals.json) console.log(JSON.stringify(value))
    else console.log(this.#verb.text(fitForTerminal(value)))
  }

  #problem(error: unknown): void {
    const { message, hint, code } = asSelkieError(error)
    const text = `${message} ${hint} (${code})`
    // What keeps failing for one reason is said once.
    if (text !== this.#lastProblem) this.#note(text)
    this.#lastProblem = text
  }

  #note(text: string): void {
    this.#bar?.clear()
    if (!this.#globals.quiet) console.error(printable(text))
  }
}

/** The value with every text in it made printable: here once, so that no verb can forget it. */
function fitForTerminal(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'string' ? printable(part) : part
  )
}
