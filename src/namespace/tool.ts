import type { Slug, ToolName } from '../base/ids.js'

/**
 * A capability in code. The set is closed: a skill can mention a tool, never bring one.
 * Implementations are added where the agent runs them; the name and the schema of the
 * arguments are all that the namespace needs.
 */
export interface Tool {
  readonly slug: Slug
  readonly name: ToolName
  readonly summary: string
  /** JSON Schema of the arguments. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Whether the planner's menu offers it by itself; else it is reached through skills. */
  readonly advertised: boolean
}

function tool(
  slug: string,
  name: string,
  advertised: boolean,
  summary: string,
  properties: Record<string, unknown>,
  required: readonly string[] = []
): Tool {
  const schema = { type: 'object', properties, required, additionalProperties: false }
  return { slug: slug as Slug, name: name as ToolName, summary, schema, advertised }
}

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 1000, description })

/** The six tools, in the order of their slugs. */
export const TOOLS: readonly Tool[] = [
  tool('calendar', 'query_calendar', false, 'Events of the granted calendars in a range of time.', {
    range: text('In words or ISO dates: “this weekend”, “2026-03-01/2026-03-07”.'),
    words: text('Only events whose title, place or notes contain this.')
  }, ['range']),
  tool('check-notebook', 'check_notebook', false, 'Full-text search over one’s own notes.', {
    query: text('The words to look for.'),
    limit: { type: 'integer', minimum: 1, maximum: 50, description: 'At most so many notes.' }
  }, ['query']),
  tool('current-date', 'current_date', true, 'Today’s date, the time zone, and the dates of “this weekend” or “next week”.', {}),
  tool('find-file', 'find_file', false, 'Files by name, path or text in the granted folders of one’s devices.', {
    query: text('A part of the name or path, or text inside the file.'),
    device: text('Only on this device, by name.'),
    limit: { type: 'integer', minimum: 1, maximum: 200, description: 'At most so many files.' }
  }, ['query']),
  tool('grep-memory', 'grep_memory', false, 'Past conversations that match a regular expression.', {
    pattern: text('A regular expression.'),
    limit: { type: 'integer', minimum: 1, maximum: 200, description: 'At most so many lines.' }
  }, ['pattern']),
  tool('list-devices', 'list_devices', false, 'One’s own devices, and which of them are online.', {})
]

const bySlug = new Map(TOOLS.map((tool) => [tool.slug, tool]))
const byName = new Map(TOOLS.map((tool) => [tool.name, tool]))

/** The tool of that slug, or undefined. */
export function toolBySlug(slug: string): Tool | undefined {
  return bySlug.get(slug as Slug)
}

/** The tool of that name, or undefined. */
export function toolByName(name: string): Tool | undefined {
  return byName.get(name as ToolName)
}
