import type { Tool } from '../namespace/tool.js'
import type { ModelTool } from './model.js'

/** The one tool that a model is offered: it calls the others. */
export const CALL_TOOL = 'call_tool'

export const callTool: ModelTool = {
  name: CALL_TOOL,
  description: 'Calls one of the tools that are listed in your instructions, by its name.',
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The tool’s name, as its signature has it.' },
      arguments: { type: 'object', description: 'Its arguments, by name.' },
      skill: { type: 'string', description: 'The skill that you follow with this call, if any: its handle.' }
    },
    required: ['name', 'arguments']
  }
}

interface Property {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
}

/** A tool on one line: `find_file(query: string, limit?: integer 1–200) – what it does. query: …` */
export function signatureOf({ name, summary, schema }: Tool): string {
  const { properties, required } = schema as {
    properties: Record<string, Property>
    required: readonly string[]
  }
  const named = Object.entries(properties)
  const args = named.map(
    ([arg, property]) => `${arg}${required.includes(arg) ? '' : '?'}: ${typeOf(property)}`
  )
  const about = named.flatMap(([arg, { description }]) => (description ? [`${arg}: ${description}`] : []))
  return [`${name}(${args.join(', ')}) – ${summary}`, ...about].join(' ')
}

function typeOf({ type = 'any', enum: values, minimum, maximum }: Property): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  return minimum !== undefined && maximum !== undefined ? `${type} ${minimum}–${maximum}` : type
}
