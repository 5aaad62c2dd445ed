import { debuglog } from 'node:util'
import { isSelkieError } from '../base/errors.js'

const debug = debuglog('selkie')

/**
 * For what the SDK reports: our own refusals are passed on. The rest is what agents say
 * wrongly, of which they are told themselves; it is seen with NODE_DEBUG=selkie.
 */
export function fromSdk(onProblem: (error: unknown) => void): (error: Error) => void {
  return (error) => {
    if (isSelkieError(error)) onProblem(error)
    else debug('%O', error)
  }
}
