import type { OnProgress } from '../api.js'
import { SelkieError, type ErrorCode, type ErrorFields } from '../base/errors.js'
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

/** From the client too: it wants no more of what it has asked for by that id. */
export interface Cancel {
  cancel: number
}

/** From the node: any number of steps and events, then a result or an error. An error without an id ends it all. */
export type Answer =
  | { id: number; progress: Parameters<OnProgress>[0] }
  | { id: number; event: unknown }
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
