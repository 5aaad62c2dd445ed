import type { ToolAnswer, ToolArgs } from './tool-run.js'

/** A call of a tool that is about to run, or that ran. */
export interface HookedCall {
  /** The id of the run. */
  readonly run: string
  /** The tool’s name, as `find_file`. */
  readonly tool: string
  readonly args: ToolArgs
  /** The slug of the skill that it is made for, where the model named one. */
  readonly skill: string | null
}

/** Why a hook forbids a call; nothing where it lets it pass. */
export type Verdict = { readonly deny: string } | undefined | void

/**
 * What the owner of a node looks at each call of a tool with. A call runs only where
 * `before` lets it, and its answer reaches the model only where `after` does; one that
 * throws lets nothing pass.
 */
export interface ToolHooks {
  readonly before?: (call: HookedCall) => Verdict | Promise<Verdict>
  readonly after?: (call: HookedCall, answer: ToolAnswer) => Verdict | Promise<Verdict>
}

/** The reason why a hook forbids, or undefined. */
export async function deniedBy(
  verdict: () => Verdict | Promise<Verdict> | undefined
): Promise<string | undefined> {
  try {
    return (await verdict())?.deny
  } catch {
    return 'A rule of this node failed, and then nothing passes.'
  }
}
