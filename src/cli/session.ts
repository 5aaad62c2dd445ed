import type { NodeApi } from '../api.js'
import { printable } from '../base/printable.js'
import type { Parsed } from './args.js'
import { askPassphrase } from './ask.js'
import { connect } from './connect.js'
import type { Globals } from './globals.js'
import { ProgressBar } from './progress.js'
import type { Call, Need, Verb } from './verb.js'

/** One run of one verb: connects it to a node, and prints what it gives. */
export class Session {
  private readonly bar: ProgressBar | undefined

  constructor(
    private readonly globals: Globals,
    private readonly verb: Verb
  ) {
    this.bar = process.stderr.isTTY && !globals.quiet ? new ProgressBar() : undefined
  }

  /** Runs the verb and prints its result. */
  async run({ args, flags }: Parsed): Promise<void> {
    const call: Call = {
      // What the verb declared is what the parser let through.
      args: args as Call['args'],
      flags,
      globals: this.globals,
      use: (work, need = 'any') => this.use(work, need),
      note: (text) => this.note(text),
      onProgress: this.bar?.onProgress
    }
    const result = await this.verb.run(call, (value) => this.print(value)).finally(() => this.bar?.clear())
    if (result !== undefined) this.print(result)
  }

  private async use<R>(work: (node: NodeApi) => Promise<R>, need: Need): Promise<R> {
    const passphrase = (): Promise<string> => askPassphrase(this.globals)
    const connection = await connect({ globals: this.globals, need, passphrase })
    try {
      return await work(connection.node)
    } finally {
      await connection.close()
    }
  }

  private print(value: unknown): void {
    if (this.globals.json) console.log(JSON.stringify(value))
    else console.log(this.verb.text(fitForTerminal(value)))
  }

  private note(text: string): void {
    this.bar?.clear()
    if (!this.globals.quiet) console.error(printable(text))
  }
}

/** The value with every text in it made printable: here once, so that no verb can forget it. */
function fitForTerminal(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'string' ? printable(part) : part
  )
}
