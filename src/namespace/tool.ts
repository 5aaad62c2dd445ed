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
  /** What a person must grant before it does anything; null where it needs nothing. */
  readonly grant: 'files' | 'calendar' | 'notebook' | 'memory' | null
  /** Whether the planner's menu offers it by itself; else it is reached through skills. */
  readonly advertised: boolean
}

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 1000, description })
const limit = (maximum: number) => ({ type: 'integer', minimum: 1, maximum, description: 'At most so many.' })

/** The six tools, in the order of their slugs. */
export const TOOLS: readonly Tool[] = [
  tool('calendar', 'query_calendar', {
    summary: 'Events of the granted calendars in a range of time.',
    grant: 'calendar',
    properties: {
      range: text('Whole days, in words or ISO dates: “this weekend”, “2026-03-01/2026-03-07”.'),
      words: text('Only events with each of these words in the title, place or notes.')
    },
    required: ['range']
  }),
  tool('check-notebook', 'check_notebook', {
    summary: 'Full-text search over one’s own notes.',
    grant: 'notebook',
    properties: { query: text('The words to look for.'), limit: limit(50) },
    required: ['query']
  }),
  tool('current-date', 'current_date', {
    summary: 'Today’s date, the time zone, and the dates of “this weekend” or “next week”.',
    grant: null,
    advertised: true,
    properties: { range: text('Only the dates of this range, in words: “Friday next week”.') }
  }),
  tool('find-file', 'find_file', {
    summary: 'Files by name, path or text in the granted folders of one’s devices.',
    grant: 'files',
    properties: {
      query: text(
        'Words that its name, path and text together hold, all of them; "words in quotes" are one.'
      ),
      device: text('Only on this device, by name.'),
      limit: limit(200)
    },
    required: ['query']
  }),
  tool('grep-memory', 'grep_memory', {
    summary: 'Past conversations that match a regular expression.',
    grant: 'memory',
    properties: {
      pattern: text(
        'A regular expression in JavaScript’s syntax, for single lines. Capitals count only if it has one.'
      ),
      limit: limit(200)
    },
    required: ['pattern']
  }),
  tool('list-devices', 'list_devices', {
    summary: 'One’s own devices, and which of them are online.',
    grant: null
  })
]

function tool(
  slug: string,
  name: string,
  about: Pick<Tool, 'summary' | 'grant'> & {
    advertised?: boolean
    properties?: Readonly<Record<string, object>>
    required?: readonly string[]
  }
): Tool {
  const { summary, grant, advertised = false, properties = {}, required = [] } = about
  const schema = { type: 'object', properties, required, additionalProperties: false }
  return { slug: slug as Slug, name: name as ToolName, summary, schema, grant, advertised }
}

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
