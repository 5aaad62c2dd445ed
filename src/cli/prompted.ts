import type { Key } from 'node:readline'

/** The person broke off at a question. */
export class BrokenOff extends Error {}

/**
 * Lets the prompts library ask on the terminal. Whoever else reads it by keys doesn’t
 * see what is typed meanwhile, a passphrase for one, and then finds it as it was.
 *
 * @param question gives its signal to the library
 * @throws BrokenOff on a Ctrl-C, or where the input ends, as by Ctrl-D
 */
export async function prompted<T>(
  question: (signal: AbortSignal) => Promise<T>
): Promise<Exclude<T, symbol>> {
  const { stdin } = process
  const readers = stdin.listeners('keypress') as ((...key: unknown[]) => void)[]
  const before = { isRaw: stdin.isRaw, isFlowing: stdin.readableFlowing === true }
  const ended = new AbortController()
  let pending: NodeJS.Immediate | undefined
  // The library doesn’t notice when its input ends. The terminal, raw while it asks, isn’t any more then.
  const look = (): void => {
    clearImmediate(pending)
    pending = setImmediate(() => (stdin.isRaw ? stdin.resume() : ended.abort()))
  }
  const onKey = (_typed: unknown, key: Key): void => {
    if (key.ctrl && key.name === 'd') look()
  }
  stdin.removeAllListeners('keypress')
  stdin.on('keypress', onKey)
  // Also when the process comes back from a Ctrl-Z: then it goes on.
  stdin.on('pause', look)
  try {
    const answer = await question(ended.signal)
    if (typeof answer === 'symbol') throw new BrokenOff()
    return answer as Exclude<T, symbol>
  } finally {
    clearImmediate(pending)
    stdin.off('pause', look)
    stdin.off('keypress', onKey)
    for (const reader of readers) stdin.on('keypress', reader)
    if (before.isRaw) stdin.setRawMode(true)
    if (before.isFlowing) stdin.resume()
    else stdin.pause()
  }
}
