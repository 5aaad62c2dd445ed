import type { NodeApi, OnProgress } from '../api.js'
import type { Flags, FlagValues } from './flags.js'
import type { Globals } from './globals.js'

/** `@slug` must be given, `[VERSION]` may be, and `DIR…` takes all that follow, at least one. */
export type Positionals = readonly string[]

/** The values of a verb’s positionals, in their order. */
export type PositionalValues<P extends Positionals> = {
  readonly [Index in keyof P]: P[Index] extends `[${string}]`
    ? string | undefined
    : P[Index] extends `${string}…`
      ? string[]
      : string
}

/** What a command needs of a node: any; one with a network; or one that another process keeps up. */
export type Need = 'any' | 'online' | 'up'

/** One call of a verb: what was given, and the ways out. */
export interface Call<P extends Positionals = Positionals, F extends Flags = Flags> {
  readonly args: PositionalValues<P>
  readonly flags: FlagValues<F>
  readonly globals: Globals
  /**
   * Lets `work` use the node, the one that runs or one in this process, and lets go of
   * it afterwards. While a person is thinking, let go.
   */
  readonly use: <R>(work: (node: NodeApi) => Promise<R>, need?: Need) => Promise<R>
  /** Tells what isn’t a result, on stderr. */
  readonly note: (text: string) => void
  /** Tells what has failed where no one waits for it, on stderr. */
  readonly problem: (error: unknown) => void
  /** Shows how far a long step is; undefined where nobody would see it. */
  readonly onProgress: OnProgress | undefined
}

/** A verb of the command line. `T` is what `--json` prints. */
export interface Verb<T = unknown, P extends Positionals = Positionals, F extends Flags = Flags> {
  /** One line, for the usage. */
  readonly about: string
  readonly positionals: P
  readonly flags: F
  /** It asks for the 24 words. */
  readonly words?: true
  /**
   * Does it, and gives the result to print. A verb that goes on running after it has a
   * result prints that with `print`, and gives undefined in the end.
   */
  run(call: Call<P, F>, print: (value: T) => void): Promise<T | undefined>
  /** The result for a person. Every text in `value` is fit for a terminal already. */
  text(value: T): string
}

/** A verb, its types taken from what it declares. */
export function defineVerb<T, const P extends Positionals, const F extends Flags>(verb: Verb<T, P, F>): Verb {
  // Each verb is called only with what its own declaration let through.
  return verb
}
