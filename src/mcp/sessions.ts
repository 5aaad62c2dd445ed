import { randomUUID } from 'node:crypto'
import {
  WebStandardStreamableHTTPServerTransport as Transport,
  type McpServer
} from '@modelcontextprotocol/server'
import { afterClose } from './after-close.js'
import { refusal } from './refusal.js'

export interface SessionsOptions {
  /** For one session: the server that it speaks with. */
  readonly newServer: () => Promise<McpServer>
  /** At most so many at a time. */
  readonly limit: number
  /** Milliseconds after which a session of which nothing is open ends. */
  readonly idleMs: number
}

interface Session {
  readonly transport: Transport
  /** Requests and streams of it that are open. */
  open: number
  idle: NodeJS.Timeout | undefined
}

/**
 * Sessions of the protocol up to 2025, in which a client begins with `initialize` and
 * names its session from then on. Later clients have none.
 */
export class Sessions {
  readonly #options: SessionsOptions
  /** By their ids; the one that was used last is the last. */
  readonly #sessions = new Map<string, Session>()
  #beginning = 0

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** Serves a request of such a client. The request’s signal aborts once the exchange is over. */
  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return request.method === 'POST' ? this.#begin(request) : refusal(400, 'E_MCP_SESSION')
    const session = this.#sessions.get(id)
    if (!session) return refusal(404, 'E_MCP_SESSION')
    this.#use(id, session, request.signal)
    return session.transport.handleRequest(request)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()))
  }

  async #begin(request: Request): Promise<Response> {
    if (!this.#hasRoom()) return refusal(503, 'E_MCP_SESSIONS', { limit: this.#options.limit })
    this.#beginning++
    try {
      return await this.#open(request)
    } finally {
      this.#beginning--
    }
  }

  async #open(request: Request): Promise<Response> {
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        const session = { transport, open: 0, idle: undefined }
        this.#sessions.set(id, session)
        this.#use(id, session, request.signal)
      }
    })
    const server = await this.#options.newServer()
    await server.connect(transport)
    afterClose(transport, () => {
      const { sessionId = '' } = transport
      clearTimeout(this.#sessions.get(sessionId)?.idle)
      this.#sessions.delete(sessionId)
    })
    const response = await transport.handleRequest(request)
    // Whatever it was, it was no `initialize`.
    if (transport.sessionId === undefined) await server.close()
    return response
  }

  /** Notes that an exchange of a session is open until `over` aborts. */
  #use(id: string, session: Session, over: AbortSignal): void {
    clearTimeout(session.idle)
    session.open++
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    over.addEventListener('abort', () => {
      if (--session.open > 0 || !this.#sessions.has(id)) return
      session.idle = setTimeout(() => void session.transport.close(), this.#options.idleMs)
    })
  }

  /** Where there are as many as may be, the one ends that has been idle for longest. */
  #hasRoom(): boolean {
    if (this.#sessions.size + this.#beginning < this.#options.limit) return true
    const idle = [...this.#sessions.values()].find(({ open }) => open === 0)
    void idle?.transport.close()
    return idle !== undefined
  }
}
