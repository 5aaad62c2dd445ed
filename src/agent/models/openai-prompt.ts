import type { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { ModelCall, ModelMessage, ModelRequest, ModelTool } from '../model.js'
import { callInput } from './call-input.js'

type Chat = ReturnType<ReturnType<typeof createOpenAICompatible>>
/** What the library takes for one answer. */
type ChatOptions = Parameters<Chat['doStream']>[0]

/** What was said, and the tools, in the library’s terms. */
export function openaiPrompt({
  system,
  messages,
  tools
}: ModelRequest): Pick<ChatOptions, 'prompt' | 'tools'> {
  return { prompt: [{ role: 'system', content: system }, ...turns(messages)], tools: tools.map(offered) }
}

function turns(messages: readonly ModelMessage[]): ChatOptions['prompt'] {
  const names = new Map<string, string>()
  return messages.map((message) => {
    if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.text }] }
    if (message.role === 'assistant') {
      for (const { id, name } of message.calls) names.set(id, name)
      return {
        role: 'assistant',
        content: [{ type: 'text', text: message.text }, ...message.calls.map(repeated)]
      }
    }
    return {
      role: 'tool',
      content: message.results.map(({ id, text }) => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: fitName(names.get(id) ?? ''),
        output: { type: 'text', value: text }
      }))
    }
  })
}

/**
 * A call as it is told again. Servers refuse, or fall over, what their own model wrote
 * amiss: a name in other characters, arguments that aren’t an object. The result that
 * follows says what was wrong with it.
 */
function repeated({ id, name, input }: ModelCall) {
  return { type: 'tool-call' as const, toolCallId: id, toolName: fitName(name), input: callInput(input) }
}

function fitName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || '_'
}

function offered({ name, description, schema }: ModelTool): NonNullable<ChatOptions['tools']>[number] {
  return { type: 'function', name, description, inputSchema: schema }
}
