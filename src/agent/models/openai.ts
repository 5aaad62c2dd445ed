import type { Model, ModelAnswer, ModelCall } from '../model.js'
import { SelkieError } from '../../base/errors.js'
import { tokenCounter } from './count.js'
import { Exchange, type Endpoint } from './exchange.js'
import { openaiPrompt } from './openai-prompt.js'
import { asEvents } from './plain-answer.js'

/** Characters of one answer: its text, and the arguments of its calls. */
const MAX_ANSWER = 4 * 1024 * 1024

/**
 * A model behind an endpoint that speaks OpenAI’s protocol for chat completions. Each answer
 * is asked for once: nothing is tried again.
 *
 * @param options.patience milliseconds in which at least one byte must come
 */
export function openaiModel(endpoint: Endpoint, options: { readonly patience?: number } = {}): Model {
  return {
    name: endpoint.model,
    async answer(request, { onText, signal }) {
      const exchange = new Exchange(endpoint, signal, options.patience)
      try {
        return await answer(endpoint, exchange, request, onText)
      } catch (error) {
        if (exchange.failure) throw exchange.failure.reason
        throw isLibrarys(error) ? exchange.unusable() : error
      } finally {
        exchange.end()
      }
    },
    count: tokenCounter(endpoint),
    close: () => Promise.resolve()
  }
}

async function answer(
  { url, model }: Endpoint,
  exchange: Exchange,
  request: Parameters<Model['answer']>[0],
  onText: ((piece: string) => void) | undefined
): Promise<ModelAnswer> {
  // Half of what starting the command takes: loaded only by who asks a model.
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const fetch: typeof globalThis.fetch = async (input, init) =>
    asEvents(await exchange.fetch(input, init), exchange)
  const chat = createOpenAICompatible({ name: 'model', baseURL: url, includeUsage: true, fetch })(model)
  const { stream } = await chat.doStream(openaiPrompt(request))

  let text = ''
  let size = 0
  const calls: ModelCall[] = []
  let ended: Pick<ModelAnswer, 'end' | 'tokens'> | undefined
  const grow = (piece: string): void => {
    size += piece.length
    if (size > MAX_ANSWER) throw exchange.unusable('it is too long')
  }
  for await (const part of stream) {
    if (part.type === 'text-delta') {
      grow(part.delta)
      text += part.delta
      onText?.(part.delta)
    } else if (part.type === 'tool-input-delta') grow(part.delta)
    else if (part.type === 'tool-call') {
      calls.push({ id: part.toolCallId, name: part.toolName, input: part.input })
    } else if (part.type === 'finish') {
      const { inputTokens, outputTokens } = part.usage
      ended = {
        end: endOf(part.finishReason.unified),
        tokens: tokensOf(inputTokens.total, outputTokens.total)
      }
    } else if (part.type === 'error') {
      // The server says in the midst of it that it can’t go on, or it just ends.
      throw isUnreadable(part.error) ? exchange.unusable() : new SelkieError('E_MODEL_CUT', { model })
    }
  }
  if (!ended) throw new SelkieError('E_MODEL_CUT', { model })
  return { text, calls, ...ended }
}

function endOf(reason: string): ModelAnswer['end'] {
  if (reason === 'length') return 'length'
  return reason === 'content-filter' ? 'filtered' : 'done'
}

function tokensOf(input: number | undefined, output: number | undefined): ModelAnswer['tokens'] {
  return input === undefined || output === undefined ? null : { input, output }
}

/** What the library throws has words for whoever programs with it. */
function isLibrarys(error: unknown): error is Error {
  return error instanceof Error && error.name.startsWith('AI_')
}

function isUnreadable(error: unknown): boolean {
  return isLibrarys(error) && /^AI_(JSONParse|TypeValidation)Error$/.test(error.name)
}
