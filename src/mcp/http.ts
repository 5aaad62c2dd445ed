import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import { answer, readBody, webRequest } from './exchange.js'
import { fromSdk } from './from-sdk.js'
import { guard, PATH } from './guard.js'
import type { Offer } from './offer.js'
import { refusal } from './refusal.js'
import { Sessions } from './sessions.js'

/** Bytes of one request. What is asked here is short; answers may be long. */
export const MAX_BODY = 1024 * 1024
/** Sessions at a time, likewise streams of clients that need none, and connections of all. */
const MAX_SESSIONS = 32
const MAX_STREAMS = 32
const MAX_CONNECTIONS = 256
/** An agent that went without a word is forgotten after half an hour. */
const IDLE_MS = 30 * 60 * 1000
/** Milliseconds that a client has for the head of a request, and for the whole. */
const HEAD_MS = 10_000
const REQUEST_MS = 30_000

export interface HttpOptions {
  /** 0 for any that is free. */
  readonly port: number
  readonly token: string
  readonly offer: Offer
  /** Told of what failed where the client isn’t told why. */
  readonly onProblem: (error: unknown) => void
  readonly sessions?: number
  readonly idleMs?: number
}

export interface HttpServer {
  /** Where an agent finds it: `http://127.0.0.1:PORT/mcp`. */
  readonly url: string
  /** Resolves when it no longer listens. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/**
 * Speaks MCP over HTTP with whoever on this machine brings the token. Both generations of
 * the protocol are served: with sessions, and, from 2026 on, without.
 *
 * @throws what the system refuses, as EADDRINUSE
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { token, offer, onProblem, sessions: limit = MAX_SESSIONS, idleMs = IDLE_MS } = options
  const sessions = new Sessions({ newServer: () => offer.converse(), limit, idleMs })
  const sessionless = createMcpHandler(() => offer.answerOnce(), {
    legacy: 'reject',
    maxSubscriptions: MAX_STREAMS,
    maxRequestBodySize: MAX_BODY,
    onerror: fromSdk(onProblem)
  })
  offer.onChange(() => {
    sessionless.notify.promptsChanged()
    sessionless.notify.toolsChanged()
  })

  const respond = async (request: IncomingMessage, signal: AbortSignal): Promise<Response> => {
    const refused = guard(request, port, token)
    if (refused) return refused
    if (!['GET', 'POST', 'DELETE'].includes(request.method ?? ''))
      return refusal(405, 'E_MCP_METHOD', {}, { Allow: 'GET, POST, DELETE' })
    const body = request.method === 'POST' ? await readBody(request, MAX_BODY) : undefined
    if (body === 'too large') return refusal(413, 'E_MCP_SIZE', { limit: MAX_BODY })
    const web = webRequest(request, body, base, signal)
    return (await isLegacyRequest(web)) ? sessions.fetch(web) : sessionless.fetch(web)
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const over = new AbortController()
    response.once('close', () => over.abort())
    try {
      await answer(request, response, await respond(request, over.signal))
    } catch (error) {
      // A client that hung up wants no answer.
      if (response.destroyed) return
      onProblem(error)
      response.destroy()
    }
  }

  const server = createServer(
    { headersTimeout: HEAD_MS, requestTimeout: REQUEST_MS },
    (request, response) => void serve(request, response)
  )
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  const ended = new Promise<void>((resolve) => server.once('close', resolve))
  return {
    url: base + PATH,
    ended,
    close: async () => {
      server.close()
      await Promise.all([sessions.close(), sessionless.close()])
      server.closeAllConnections()
      await ended
    }
  }
}
