import type { IncomingMessage } from 'node:http'
import { refusal } from './refusal.js'
import { bringsToken } from './token.js'

/** Where MCP is spoken; there is nothing else. */
export const PATH = '/mcp'

/**
 * Why a request isn’t let in, before a byte of its body is read; undefined where it is.
 * A page in a browser can reach this port: under another name that leads here it comes
 * with that name as its host, and from elsewhere with its own origin.
 */
export function guard(request: IncomingMessage, port: number, token: string): Response | undefined {
  const { host = [], origin = [], authorization = [] } = request.headersDistinct
  const own = [`127.0.0.1:${port}`, `localhost:${port}`]
  const [name, ...names] = host
  if (name === undefined || names.length > 0 || !own.includes(name))
    return refusal(403, 'E_MCP_HOST', { hosts: own.join(' or ') })
  if (origin.some((each) => each !== `http://${name}`)) return refusal(403, 'E_MCP_ORIGIN')
  if (authorization.length !== 1 || !bringsToken(authorization[0], token))
    return refusal(401, 'E_MCP_TOKEN', {}, { 'WWW-Authenticate': 'Bearer' })
  if (request.url !== PATH) return refusal(404, 'E_MCP_PATH', { path: PATH })
  return undefined
}
