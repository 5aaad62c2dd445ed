import { debuglog } from 'node:util'
import type { OnProgress } from '../api.js'
import { SelkieError, type ErrorCode, type ErrorFields } from '../base/errors.js'
import { systemError } from '../base/system.js'
import type { Method } from './methods.js'

/** Of what is said over the socket; a node and a client of unlike versions part at once. */
export const PROTOCOL = 1

/** The first line, from the node: it is there, and has let the client in. */
export interface Hello {
  selkie: number
}

/** From the client. In `args`, null stands for what was left out. */
export interface Request {
  id: number
  method: Method
  args: unknown[]
}

/** From the node: any number of steps, then a result or an error. An error without an id ends it all. */
export type Answer =
  | { id: number; progress: Parameters<OnProgress>[0] }
  | { id: number; result: unknown }
  | { id: number; error: WireError }
  | { id: null; error: WireError }

/** A SelkieError without what was thrown underneath. */
export interface WireError {
  code: ErrorCode
  message: string
  hint: string
  fields: ErrorFields
}

/** An error as it goes over the socket. */
export function toWire({ code, message, hint, fields }: SelkieError): WireError {
  return { code, message, hint, fields }
}

/** The error that was sent, in its sender’s words: also for a code that this build doesn’t know. */
export function fromWire(error: WireError): SelkieError {
  const { code, message, hint, fields } = error
  return Object.assign(new SelkieError('E_INTERNAL'), { code, message, hint, fields })
}

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
