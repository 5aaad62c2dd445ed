import { entryOf, parseHeader, type Entry } from './header.js'

/** The key by which a frontmatter keeps a skill from models. */
export const HIDING_KEY = 'disable-model-invocation'
/** The file of a skill that says so for some agents. */
export const POLICY_FILE = 'agents/openai.yaml'

/** What a skill says, in frontmatter and files, about how it is used. */
export interface Declared {
  /** Not for a model to load by itself: only the person may call for it. */
  readonly hidden: boolean
  /** As they are written, each with its brackets: `Bash(git:*)`. */
  readonly tools: readonly string[]
}

/** A file as far as it is looked at here. */
interface Readable {
  readonly path: string
  readonly bytes: Uint8Array
}

/**
 * Reads `disable-model-invocation` (also under `metadata`) and `allowed-tools` of a frontmatter,
 * and of the file `agents/openai.yaml` whether its policy forbids implicit invocation.
 */
export function declaredOf(header: string | null, files: readonly Readable[]): Declared {
  const { entries } = parseHeader(header ?? '')
  return { hidden: saysHidden(header, files), tools: toolsOf(entryOf(entries, 'allowed-tools')) }
}

/** The first of these alone: of a skill that doesn’t name the key, nothing is parsed. */
export function saysHidden(header: string | null, files: readonly Readable[]): boolean {
  const says = (value: string | undefined, wanted: string): boolean => value?.toLowerCase() === wanted
  const entries = header?.includes(HIDING_KEY) ? parseHeader(header).entries : []
  // An export puts it under metadata, as every key that the format doesn’t know.
  const places = [entries, entryOf(entries, 'metadata')?.entries ?? []]
  return (
    places.some((place) => says(entryOf(place, HIDING_KEY)?.value, 'true')) ||
    says(implicitInvocation(files), 'false')
  )
}

/** A text with spaces or commas between, or a list. */
function toolsOf(entry: Entry | undefined): string[] {
  if (!entry) return []
  const written = entry.kind === 'list' ? entry.items.join(',') : entry.value
  return [...new Set(written.match(/[^\s,(]+(?:\([^)]*\))?/g))]
}

function implicitInvocation(files: readonly Readable[]): string | undefined {
  const file = files.find(({ path }) => path === POLICY_FILE)
  if (!file) return undefined
  const { entries } = parseHeader(new TextDecoder().decode(file.bytes).replace(/\r\n?/g, '\n'))
  return entryOf(entryOf(entries, 'policy')?.entries ?? [], 'allow_implicit_invocation')?.value
}
