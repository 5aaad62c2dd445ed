import { SelkieError, type ErrorCode, type ErrorFields } from '../base/errors.js'

/** What JSON-RPC leaves to servers, and what the protocol says for a session that isn’t there. */
const REFUSED = -32000
const NO_SESSION = -32001

/** A request that isn’t served: an HTTP status, and in the body our code and its sentences. */
export function refusal(
  status: number,
  code: ErrorCode,
  fields: ErrorFields = {},
  headers: Record<string, string> = {}
): Response {
  const { message, hint } = new SelkieError(code, fields)
  const error = { code: code === 'E_MCP_SESSION' ? NO_SESSION : REFUSED, message, data: { code, hint } }
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status, headers })
}
