import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { McpServer } from '@modelcontextprotocol/server'

export interface StdioServer {
  /** Resolves when the agent has closed stdin, or no longer reads stdout. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Speaks MCP with the agent that has started this process. From now on stdout is its alone. */
export function speakStdio(
  newServer: () => Promise<McpServer>,
  onProblem: (error: Error) => void
): StdioServer {
  const transport = new StdioServerTransport()
  const { close } = serveStdio(newServer, { transport, onerror: onProblem })
  // It was set by then: what we add comes after it.
  const { onclose } = transport
  const ended = new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
  return { ended, close }
}
