import { toolByName } from '../namespace/tool.js'
import type { Binding } from './bind.js'
import { preambleOf, type Aligned } from './menu.js'
import { CALL_TOOL, signatureOf } from './signature.js'

/** Characters of one skill’s body and of all together that a model is given. */
const MAX_BODY = 64 * 1024
const MAX_BODIES = 256 * 1024

/** What an executing model is told, and what of the skills was cut for it. */
export interface Prompt {
  readonly system: string
  readonly truncations: readonly string[]
}

/**
 * The instructions of an execution: the preamble, the bodies of the bound skills, and the
 * signatures of the bound tools.
 */
export function executionPrompt(aligned: Omit<Aligned, 'menu'>, { skills, tools }: Binding): Prompt {
  const truncations: string[] = []
  const parts = [preambleOf(aligned)]
  let left = MAX_BODIES
  if (skills.length > 0) parts.push('# Skills to follow')
  for (const { slug, title, body } of skills) {
    const most = Math.min(MAX_BODY, left)
    if (body.length > most)
      truncations.push(`The body of @${slug} was cut from ${body.length} characters to ${most}.`)
    const given = body.slice(0, most)
    left -= given.length
    parts.push(`## @${slug}: ${title}\n\n${given.trim()}`)
  }
  if (tools.length > 0) {
    const lines = tools.map((name) => `- ${signatureOf(toolByName(name)!)}`)
    parts.push(
      `# Tools\n\nTo be called through ${CALL_TOOL}, and there are no others:\n\n${lines.join('\n')}`
    )
  }
  return { system: parts.join('\n\n'), truncations }
}
