import { isSelkieError } from '../base/errors.js'
import { interrupted } from './interrupted.js'
import { BrokenOff } from './prompted.js'

/**
 * Lets work run whose signal aborts at the first Ctrl-C or request to end.
 *
 * @throws BrokenOff where that has ended it
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  void interrupted().then(() => stop.abort())
  try {
    return await work(stop.signal)
  } catch (error) {
    throw stop.signal.aborted && isSelkieError(error, 'E_BROKEN_OFF') ? new BrokenOff() : error
  }
}
