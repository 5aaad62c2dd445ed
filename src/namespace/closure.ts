import type { ToolName, Uid } from '../base/ids.js'
import type { Namespace } from './resolve.js'
import type { SkillRow } from './skill.js'

/** A skill and all that it mentions, transitively. */
export interface Closure {
  /** The skill itself first, then in first-seen order, once each; disabled ones too. */
  readonly skills: readonly SkillRow[]
  /** The tools that any of them mentions, in first-seen order. */
  readonly tools: readonly ToolName[]
  /** Every other uid that stands for one of these skills. */
  readonly aliases: readonly { readonly from: Uid; readonly to: Uid }[]
}

/** The closure of a skill in the namespace. Cycles are followed once. */
export function closureOf(namespace: Namespace, root: SkillRow): Closure {
  const skills = new Map<Uid, SkillRow>([[root.uid, root]])
  const tools = new Set<ToolName>()
  // A map goes on iterating over what is added meanwhile: breadth first, no recursion.
  for (const skill of skills.values()) {
    for (const ref of skill.refs) {
      if ('tool' in ref) {
        tools.add(ref.tool)
        continue
      }
      const row = namespace.row(ref.skill)
      if (row && !skills.has(row.uid)) skills.set(row.uid, row)
    }
  }
  return {
    skills: [...skills.values()],
    tools: [...tools],
    aliases: [...skills.keys()].flatMap((to) => namespace.aliasesOf(to).map((from) => ({ from, to })))
  }
}
