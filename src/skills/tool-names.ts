/** The tools that a model gets for its skills. There is none to list them: the catalog does. */
export const toolNames = ['loadSkill', 'readSkillReference'] as const

export type SkillToolName = (typeof toolNames)[number]

/** Whether a tool that a model calls is one of these. */
export function isSkillToolName(name: string): name is SkillToolName {
  return (toolNames as readonly string[]).includes(name)
}
