import type { IncomingFile } from '../folders/incoming.js'
import { entryOf, parseHeader, type Entry } from '../folders/header.js'

/** What a skill’s frontmatter says about how it is used. */
export interface Declared {
  /** Not for a model to load by itself. */
  readonly hidden: boolean
  /** As they are written, each with its brackets: `Bash(git:*)`. */
  readonly tools: readonly string[]
}

/**
 * Reads `disable-model-invocation` and `allowed-tools` of a frontmatter, and of the file
 * `agents/openai.yaml` whether its policy forbids implicit invocation.
 */
export function declaredOf(header: string | null, files: readonly IncomingFile[]): Declared {
  const { entries } = parseHeader(header ?? '')
  const says = (value: string | undefined, wanted: string): boolean => value?.toLowerCase() === wanted
  return {
    hidden:
      says(entryOf(entries, 'disable-model-invocation')?.value, 'true') ||
      says(implicitInvocation(files), 'false'),
    tools: toolsOf(entryOf(entries, 'allowed-tools'))
  }
}

/** A text with spaces or commas between, or a list. */
function toolsOf(entry: Entry | undefined): string[] {
  if (!entry) return []
  const written = entry.kind === 'list' ? entry.items.join(',') : entry.value
  return [...new Set(written.match(/[^\s,(]+(?:\([^)]*\))?/g))]
}

function implicitInvocation(files: readonly IncomingFile[]): string | undefined {
  const file = files.find(({ path }) => path === 'agents/openai.yaml')
  if (!file) return undefined
  const { entries } = parseHeader(new TextDecoder().decode(file.bytes).replace(/\r\n?/g, '\n'))
  return entryOf(entryOf(entries, 'policy')?.entries ?? [], 'allow_implicit_invocation')?.value
}
