import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Client, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Test } from 'tap'
import type { NodeApi } from '../../src/api.js'
import { attach } from '../../src/attach/client.js'
import { initHome } from '../../src/init.js'
import { shortHome } from '../attach/fake-node.js'

export const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url))

/** The generations of the protocol: up to 2025, with a handshake, and from 2026 on, without. */
export const ERAS = ['legacy', 'auto'] as const
export type Era = (typeof ERAS)[number]

/** A home with the built-in skills. */
export async function newHome(t: Test): Promise<string> {
  const home = await shortHome(t)
  await initHome({ home, name: 'Ana' })
  return home
}

/** The facade as another process has it, of whoever holds the store. */
export async function another(t: Test, home: string): Promise<NodeApi> {
  const node = await attach(home)
  if (!node) throw new Error('nobody listens in this home')
  t.teardown(() => node.close())
  return node
}

/** An agent, and what it is told of changes: the names that are on offer then. */
export class Agent {
  readonly client: Client
  readonly #told: string[] = []
  readonly #waiting: ((names: string) => void)[] = []

  constructor(era: Era) {
    const onChanged = (error: Error | null, prompts: { name: string }[] | null): void => {
      const names = error ? error.message : prompts!.map(({ name }) => name).join(' ')
      const waiting = this.#waiting.shift()
      if (waiting) waiting(names)
      else this.#told.push(names)
    }
    this.client = new Client(
      { name: 'agent', version: '1.0.0' },
      { versionNegotiation: { mode: era }, listChanged: { prompts: { onChanged, debounceMs: 0 } } }
    )
  }

  static async over(t: Test, era: Era, transport: Transport): Promise<Agent> {
    const agent = new Agent(era)
    await agent.client.connect(transport)
    t.teardown(() => agent.client.close())
    return agent
  }

  /** An agent that starts `selkie mcp` on a home. */
  static starting(t: Test, era: Era, home: string): Promise<Agent> {
    const env = { ...process.env, SELKIE_HOME: home } as Record<string, string>
    return Agent.over(
      t,
      era,
      new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env, stderr: 'inherit' })
    )
  }

  /** The names on offer at the next change that it wasn’t asked for yet. */
  change(): Promise<string> {
    const told = this.#told.shift()
    return told === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(told)
  }

  /** What a tool says, block by block; a refusal begins with `!`. */
  async call(name: string, args: Record<string, unknown>): Promise<string[]> {
    const { content, isError } = await this.client.callTool({ name, arguments: args })
    return content.map((block) => (isError ? '! ' : '') + (block.type === 'text' ? block.text : block.type))
  }

  async promptNames(): Promise<string[]> {
    return (await this.client.listPrompts()).prompts.map(({ name }) => name)
  }
}

/** How a process ended. */
export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `selkie mcp` as a process, and how it ends. */
export function start(
  t: Test,
  home: string,
  argv: readonly string[] = []
): { child: ChildProcessWithoutNullStreams; ended: Promise<Ended> } {
  const env = { ...process.env, SELKIE_HOME: home }
  const child = spawn(process.execPath, [MAIN, 'mcp', ...argv], { env })
  const ended = Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr)
  ]).then(([[status], stdout, stderr]) => ({ status, stdout, stderr }))
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended }
}

/** An `initialize` as an agent of 2025 sends it. */
export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'agent', version: '1' } }
}
