import { debuglog, getSystemErrorMap } from 'node:util'
import { SelkieError, type ErrorCode } from './errors.js'

/** The system’s refusals that a person can do something about, each in its own way. */
const KNOWN: Readonly<Partial<Record<string, ErrorCode>>> = {
  ENOSPC: 'E_DISK_FULL',
  EDQUOT: 'E_DISK_FULL',
  EACCES: 'E_NO_ACCESS',
  EPERM: 'E_NO_ACCESS',
  EROFS: 'E_READ_ONLY'
}

/**
 * What the system refused, as an error for people: E_DISK_FULL, E_NO_ACCESS,
 * E_READ_ONLY, or E_SYSTEM with the system’s own words. Undefined where neither `error`
 * nor what caused it is the system’s.
 */
export function systemError(error: unknown): SelkieError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', path = 'something it needs' } = error as NodeJS.ErrnoException
  const known = KNOWN[code]
  if (known) return new SelkieError(known, { path }, { cause: error })
  const why = WORDS.get(code)
  return why ? new SelkieError('E_SYSTEM', { path, why }, { cause: error }) : systemError(error.cause)
}

/** The system’s words for an error, `no such file or directory`, without its codes. */
export function systemWords(error: unknown): string {
  return WORDS.get((error as NodeJS.ErrnoException).code ?? '') ?? 'the system refused'
}

const WORDS: ReadonlyMap<string, string> = new Map(getSystemErrorMap().values())

const debug = debuglog('selkie')

/**
 * A SelkieError as it is; what the system refused as its code for people; anything else
 * becomes E_INTERNAL, which says so in a plain sentence. What was thrown is shown only
 * to whoever sets NODE_DEBUG=selkie.
 */
export function asSelkieError(error: unknown): SelkieError {
  if (error instanceof SelkieError) return error
  debug('%O', error)
  return systemError(error) ?? new SelkieError('E_INTERNAL', {}, { cause: error })
}
