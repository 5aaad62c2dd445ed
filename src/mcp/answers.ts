import type { CallToolResult, TextContent } from '@modelcontextprotocol/server'
import type { LoadedSkill, ReadReference, SkillRefusal } from '../skills/results.js'

/** For the model; an agent’s own shell needn’t show it. */
const annotations: TextContent['annotations'] = { audience: ['assistant'] }

/**
 * What a tool of the skills gave, as MCP has it: the text on its own, as it is, and what
 * there is to know about it after that.
 */
export function asToolResult(answer: LoadedSkill | ReadReference | SkillRefusal): CallToolResult {
  if (!answer.ok) return { content: [text(`${answer.message} (${answer.code})`)], isError: true }
  const about = 'path' in answer ? aboutFile(answer) : aboutSkill(answer)
  return { content: [text(answer.text), text(about)], _meta: { 'selkie/skill': answer.skill } }
}

function text(text: string): TextContent {
  return { type: 'text', text, annotations }
}

function aboutSkill({
  skill,
  page,
  pages,
  replaces,
  references,
  moreReferences,
  tools
}: LoadedSkill): string {
  const files = references.map(({ path, size }) => `- ${path} (${size} bytes)`)
  return lines([
    `That is the skill @${skill.name}, version ${short(skill.version)}${pageOf(page, pages)}.`,
    replaces && `It has changed since it was loaded before, as version ${short(replaces)}: go by this one.`,
    files.length > 0 && `Its files, for readSkillReference:\n${files.join('\n')}`,
    moreReferences > 0 && `- and ${moreReferences} more`,
    tools.length > 0 && `Tools of Selkie’s own agent that it counts on: ${tools.join(', ')}.`
  ])
}

function aboutFile({ skill, path, page, pages, size }: ReadReference): string {
  return `That is ${path} of the skill @${skill.name}, ${size} bytes${pageOf(page, pages)}.`
}

function pageOf(page: number, pages: number): string {
  return pages === 1 ? '' : `, page ${page} of ${pages}`
}

/** As much of a version as a person compares; the whole is in the result’s metadata. */
function short(version: string): string {
  return version.slice(0, 12)
}

function lines(parts: readonly (string | false | null)[]): string {
  return parts.filter(Boolean).join('\n')
}
