import type { ModelMessage, ModelRequest, ModelTool } from '../model.js'
import { callInput } from './call-input.js'
import type { LlamaCall, LlamaTurn } from './llama-module.js'

/** What was said, as node-llama-cpp has it: results stand in the calls, and a turn holds all until the next question. */
export function llamaHistory({ system, messages }: ModelRequest): LlamaTurn[] {
  const results = new Map(
    messages
      .flatMap((message) => (message.role === 'results' ? message.results : []))
      .map((one) => [one.id, one])
  )
  const turns: LlamaTurn[] = [{ type: 'system', text: system }]
  for (const message of messages) {
    if (message.role === 'user') turns.push({ type: 'user', text: message.text })
    if (message.role === 'assistant') {
      const said = [...(message.text ? [message.text] : []), ...calls(message, (id) => results.get(id)?.text)]
      const last = turns.at(-1)
      if (last?.type === 'model') last.response.push(...said)
      else turns.push({ type: 'model', response: said })
    }
  }
  return turns
}

function calls(
  { calls }: Extract<ModelMessage, { role: 'assistant' }>,
  resultOf: (id: string) => string | undefined
): LlamaCall[] {
  return calls.map(({ id, name, input }, i) => ({
    type: 'functionCall',
    name,
    params: callInput(input),
    result: asValue(resultOf(id) ?? ''),
    startsNewChunk: i === 0
  }))
}

function asValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly string[]
}

/**
 * The schema of a tool’s arguments as the grammar that they are made by takes it: there each
 * property must be written, so what is optional may be null; and an object of which nothing
 * is said would have to be empty.
 */
export function llamaParams({ schema }: ModelTool): object {
  const { properties, required } = objectSchema(schema)
  const entries = Object.entries(properties).map(([name, property]) => [
    name,
    required.includes(name) ? open(property) : { oneOf: [open(property), { type: 'null' }] }
  ])
  return { type: 'object', properties: Object.fromEntries(entries) as object }
}

/** Arguments that such a grammar made, without the nulls that stand for what is left out. */
export function withoutNulls(params: unknown, { schema }: ModelTool): unknown {
  if (typeof params !== 'object' || !params) return {}
  const { required } = objectSchema(schema)
  return Object.fromEntries(
    Object.entries(params).filter(([name, value]) => value !== null || required.includes(name))
  )
}

function objectSchema(schema: ModelTool['schema']): ObjectSchema {
  const { properties = {}, required = [] } = schema as Partial<ObjectSchema>
  return { properties, required }
}

function open(property: object): object {
  const { type, properties } = property as { type?: unknown; properties?: unknown }
  return type === 'object' && properties === undefined
    ? { ...property, additionalProperties: true }
    : property
}
