import { inspect } from 'node:util'
import type { Test } from 'tap'
import { isSelkieError, type ErrorCode, type SelkieError } from '../../src/base/errors.js'

/** Checks that it is refused by that code, in words that are our own. */
export async function refused(
  t: Test,
  work: Promise<unknown>,
  code: ErrorCode,
  about = ''
): Promise<SelkieError> {
  try {
    await work
  } catch (error) {
    if (!isSelkieError(error)) throw error
    t.equal(error.code, code, about || code)
    t.notMatch(
      `${error.message} ${error.hint}`,
      /fetch|undici|SDK|JSON|Error|undefined|\[object/,
      about || code
    )
    return error
  }
  t.fail(`${about} isn’t refused`)
  throw new Error(`${code} was expected`)
}

/** All that an error holds, to the last cause. */
export function contents(error: unknown): string {
  return inspect(error, { depth: Infinity, showHidden: true, maxStringLength: Infinity })
}
