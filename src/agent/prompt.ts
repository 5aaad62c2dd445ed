import { toolByName } from '../namespace/tool.js'
import type { Binding, BoundSkill } from './bind.js'
import { preambleOf, type Aligned } from './menu.js'
import { CALL_TOOL, signatureOf } from './signature.js'

/** Characters of one skill’s body, and of all skills together, that a model is given. */
const MAX_BODY = 64 * 1024
const MAX_BODIES = 256 * 1024
/** Skills without room that are named. */
const MAX_NAMED = 10

/** What an executing model is told, and what of the skills was cut for it. */
export interface Prompt {
  readonly system: string
  readonly truncations: readonly string[]
}

/**
 * The instructions of an execution: the preamble, the bodies of the bound skills, and the
 * signatures of the bound tools.
 *
 * @param bodyOf asked for as many bodies as there is room for
 */
export async function executionPrompt(
  aligned: Omit<Aligned, 'menu'>,
  { skills, tools }: Binding,
  bodyOf: (skill: BoundSkill) => Promise<string>
): Promise<Prompt> {
  const truncations: string[] = []
  const parts = [preambleOf(aligned)]
  let left = MAX_BODIES
  if (skills.length > 0) parts.push('# Skills to follow')
  const without: string[] = []
  for (const skill of skills) {
    const { slug, title } = skill
    const head = `## @${slug}: ${title}\n\n`
    const most = Math.min(MAX_BODY, left - head.length)
    if (most <= 0) {
      without.push(`@${slug}`)
      continue
    }
    const body = await bodyOf(skill)
    if (body.length > most)
      truncations.push(`The body of @${slug} was cut from ${body.length} characters to ${most}.`)
    const given = body.slice(0, most).toWellFormed()
    left -= head.length + given.length
    parts.push(head + given.trim())
  }
  if (without.length > 0) {
    const named = without.slice(0, MAX_NAMED).join(', ') + (without.length > MAX_NAMED ? ' and so on' : '')
    truncations.push(
      `The bodies of ${without.length} skills had no room among ${MAX_BODIES} characters: ${named}.`
    )
  }
  if (tools.length > 0) {
    const lines = tools.map((name) => `- ${signatureOf(toolByName(name)!)}`)
    parts.push(
      `# Tools\n\nTo be called through ${CALL_TOOL}, and there are no others:\n\n${lines.join('\n')}`
    )
  }
  return { system: parts.join('\n\n'), truncations }
}
