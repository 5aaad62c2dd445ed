import type { Exchange } from './exchange.js'

interface Plain {
  readonly choices?: readonly ({ readonly message?: unknown; readonly finish_reason?: unknown } | null)[]
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
  if (typeof choice?.message !== 'object' || !choice.message) throw exchange.unusable()
  const { message, finish_reason } = choice
  const { tool_calls: calls } = message as { tool_calls?: unknown }
  const numbered: unknown = Array.isArray(calls)
    ? calls.map((call: object, index) => ({ ...call, index }))
    : calls
  const delta = { ...message, tool_calls: numbered }
  const chunk = { ...value, choices: [{ index: 0, delta, finish_reason: finish_reason ?? 'stop' }] }
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { headers: response.headers })
}
