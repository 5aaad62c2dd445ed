import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { afterClose } from './after-close.js'
import type { Offer } from './offer.js'
import { fromSdk } from './from-sdk.js'

export interface StdioServer {
  /** Resolves when the agent has closed stdin, or no longer reads stdout. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

export interface StdioOptions {
  readonly offer: Offer
  /** Told of what failed where the agent isn’t told why. */
  readonly onProblem: (error: unknown) => void
}

/** Speaks MCP with the agent that has started this process. From now on stdout is the agent’s alone. */
export function speakStdio({ offer, onProblem }: StdioOptions): StdioServer {
  const transport = new StdioServerTransport()
  const handle = serveStdio(() => offer.converse(), { transport, onerror: fromSdk(onProblem) })
  const ended = new Promise<void>((resolve) => afterClose(transport, resolve))
  return { ended, close: () => handle.close() }
}
