import type { Test } from 'tap'
import type { NodeApi, Run, RunCall } from '../../src/api.js'
import { startOpenAi, type OpenAiOptions, type OpenAiServer, type Script } from './openai-server.js'

/** Sets a model that answers by a script; its server is closed when the test ends. */
export async function scripted(
  t: Test,
  node: NodeApi,
  script: Script,
  options?: OpenAiOptions
): Promise<OpenAiServer> {
  const server = await startOpenAi(script, options)
  t.teardown(() => server.close())
  await node.setModel({ kind: 'url', url: server.url, model: 'scripted' })
  return server
}

/** A call as a model makes it. */
export function calling(name: string, args: unknown, skill?: string) {
  return { name: 'call_tool', args: { name, arguments: args, ...(skill !== undefined && { skill }) } }
}

/** All calls of a run, in their order. */
export function callsOf({ steps }: Run): RunCall[] {
  return steps.flatMap(({ calls }) => calls)
}
