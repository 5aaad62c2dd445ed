import { loadSkill } from './load.js'
import type { LoadedSkill, SkillRefusal } from './results.js'
import type { Session } from './session.js'
import type { SourceOptions } from './source.js'

/** A skill that the person calls by its name. */
export interface Invocation {
  readonly name: string
  /** What stands behind the name; empty where nothing does. */
  readonly arguments: string
}

/** The first page of a skill that the person has invoked. */
export interface InvokedSkill extends LoadedSkill {
  readonly arguments: string
  /** All of it as one text, which goes to the model in place of what the person typed. */
  readonly prompt: string
}

/** Reads `/skill:name arguments`; undefined where a text isn’t that. */
export function parseInvocation(text: string): Invocation | undefined {
  const match = /^\s*\/skill:@?(\S+)(?:\s+([^]*))?$/.exec(text)
  return match ? { name: match[1]!, arguments: match[2]?.trim() ?? '' } : undefined
}

/** Loads a skill for the person, be it hidden or not. */
export async function invokeSkill(
  session: Session,
  { name, arguments: given, pageSize }: Invocation & { readonly pageSize: number },
  options: SourceOptions = {}
): Promise<InvokedSkill | SkillRefusal> {
  const loaded = await loadSkill(session, { name, page: 1, by: 'person', pageSize }, options)
  return loaded.ok ? { ...loaded, arguments: given, prompt: promptOf(loaded, given) } : loaded
}

function promptOf({ skill, folder, text, pages }: LoadedSkill, given: string): string {
  const parts = [`The person invokes the skill “${skill.name}”. Follow it.`]
  if (folder !== null) parts.push(`The paths in it are relative to its folder: ${folder}`)
  parts.push(text)
  if (pages > 1) parts.push(`This is page 1 of ${pages}: loadSkill gives the others.`)
  if (given !== '') parts.push(`The person’s arguments: ${given}`)
  return parts.join('\n\n')
}
