import type { Exchange } from './exchange.js'

interface Plain {
  readonly choices?: readonly {
    readonly message?: { readonly tool_calls?: readonly object[] | null }
    readonly finish_reason?: string | null
  }[]
}

/**
 * The response as a stream of events: servers that don’t stream answer with one JSON value
 * though a stream was asked for, and are read as if it had come at once.
 *
 * @throws SelkieError E_MODEL_ANSWER where it is neither
 */
export async function asEvents(response: Response, exchange: Exchange): Promise<Response> {
  const type = /^[^;\s]*/.exec(response.headers.get('content-type') ?? '')![0].toLowerCase()
  if (type === 'text/event-stream') return response
  if (type !== 'application/json') throw exchange.unusable()
  const value = (await response.json().catch(() => undefined)) as Plain | null | undefined
  const choice = value?.choices?.[0]
  if (!choice?.message) throw exchange.unusable()
  const { message, finish_reason = 'stop' } = choice
  const delta = { ...message, tool_calls: message.tool_calls?.map((call, index) => ({ ...call, index })) }
  const chunk = { ...value, choices: [{ index: 0, delta, finish_reason }] }
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { headers: response.headers })
}
