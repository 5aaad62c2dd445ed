import { McpServer, ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import type { Skills } from '../skills/integration.js'
import type { SkillSummary } from '../skills/source.js'
import { isSkillToolName } from '../skills/tool-names.js'
import { asToolResult } from './answers.js'

/** Prompts in one answer; a client asks for the next ones. */
const PROMPTS = 500
/** Characters of the names that the description of loadSkill lists. */
const NAMES = 1000

const ANNOTATIONS = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

const ARGUMENTS = {
  name: 'arguments',
  description: 'What to do it with or for, in your own words.',
  required: false
}

/** One agent that speaks with us: the skills as tools and prompts. */
export interface Conversation {
  readonly server: McpServer
  /** Goes on with the skills as they are now; tells the agent where what it was offered is another. */
  changed(): Promise<void>
}

/**
 * @param skills whose list was asked for already
 * @param instructions the catalog, and how to go by it
 * @param version of this program
 */
export function newConversation(skills: Skills, instructions: string, version: string): Conversation {
  const server = new McpServer(
    { name: 'selkie', title: 'Selkie', version },
    {
      capabilities: { tools: { listChanged: true }, prompts: { listChanged: true } },
      ...(instructions && { instructions })
    }
  )
  answerTools(server, skills)
  answerPrompts(server, skills)
  return {
    server,
    changed: async () => {
      const before = await offered(skills)
      await skills.refresh()
      if (isSameOffer(before, await offered(skills)) || !server.isConnected()) return
      server.sendPromptListChanged()
      server.sendToolListChanged()
    }
  }
}

/** The skills that agents are offered, in the order of their names. */
export async function offered(
  skills: Pick<Skills, 'list'>,
  signal?: AbortSignal
): Promise<readonly SkillSummary[]> {
  const { skills: all } = await skills.list(signal && { signal })
  return all.filter(({ hidden }) => !hidden).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Whether two offers read alike. */
export function isSameOffer(a: readonly SkillSummary[], b: readonly SkillSummary[]): boolean {
  const same = ({ name, description }: SkillSummary, i: number): boolean =>
    name === b[i]!.name && description === b[i]!.description
  return a.length === b.length && a.every(same)
}

function answerTools({ server }: McpServer, skills: Skills): void {
  server.setRequestHandler('tools/list', async (_, context) => {
    const names = namesOf(await offered(skills, signalOf(context)))
    const tools = Object.values(skills.tools).map(({ name, description, inputSchema }) => ({
      name,
      description: name === 'loadSkill' ? names + description : description,
      inputSchema: { ...inputSchema },
      annotations: ANNOTATIONS
    }))
    return { tools }
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: args = {} } = params
    if (!isSkillToolName(name)) throw invalid(`There is no tool ${name}.`)
    return asToolResult(await skills.tools[name].execute(args, { signal: signalOf(context) }))
  })
}

/**
 * For agents that leave the instructions out, and what is on offer now where the list has
 * changed since. It comes first: some agents cut descriptions.
 */
function namesOf(skills: readonly SkillSummary[]): string {
  let listed = ''
  for (const { name } of skills) {
    if (listed.length + name.length > NAMES) return `Skills: ${listed}, and more. `
    listed += listed ? `, ${name}` : name
  }
  return listed && `Skills: ${listed}. `
}

function answerPrompts({ server }: McpServer, skills: Skills): void {
  server.setRequestHandler('prompts/list', async ({ params }, context) => {
    // The cursor is the last name of the page before: it holds whatever has changed meanwhile.
    const after = params?.cursor ?? ''
    const left = (await offered(skills, signalOf(context))).filter(({ name }) => name > after)
    const prompts = left.slice(0, PROMPTS).map(({ name, description }) => ({
      name,
      description,
      arguments: [ARGUMENTS]
    }))
    return { prompts, ...(left.length > PROMPTS && { nextCursor: prompts.at(-1)!.name }) }
  })
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const invocation = { name: params.name, arguments: params.arguments?.['arguments'] ?? '' }
    const invoked = await skills.invoke(invocation, { signal: signalOf(context) })
    if (!invoked.ok) throw invalid(`${invoked.message} (${invoked.code})`)
    return { messages: [{ role: 'user', content: { type: 'text', text: invoked.prompt } }] }
  })
}

function signalOf({ mcpReq }: ServerContext): AbortSignal {
  return mcpReq.signal
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
