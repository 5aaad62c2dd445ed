import type { ToolName, Uid } from '../base/ids.js'
import type { Namespace } from './resolve.js'
import type { SkillRow } from './skill.js'

/** A skill and all that it mentions, transitively. */
export interface Closure {
  /** The skill itself first, then in first-seen order, once each; disabled ones too. */
  readonly skills: readonly SkillRow[]
  /** The tools that any of them mentions, in first-seen order. */
  readonly tools: readonly ToolName[]
  /** References of these skills that stand for another skill of the closure. */
  readonly aliases: readonly { readonly from: Uid; readonly to: Uid }[]
}

/** The closure of a skill in the namespace. Cycles are followed once. */
export function closureOf(namespace: Namespace, root: SkillRow): Closure {
  const skills = new Map<Uid, SkillRow>([[root.uid, root]])
  const tools = new Set<ToolName>()
  const aliases = new Map<Uid, Uid>()
  // A map goes on iterating over what is added meanwhile: breadth first, no recursion.
  for (const skill of skills.values()) {
    for (const ref of skill.refs) {
      if ('tool' in ref) {
        tools.add(ref.tool)
        continue
      }
      const row = namespace.row(ref.skill)
      if (!row) continue
      skills.set(row.uid, skills.get(row.uid) ?? row)
      if (row.uid !== ref.skill) aliases.set(ref.skill, row.uid)
    }
  }
  return { skills: [...skills.values()], tools: [...tools], aliases: [...aliases].map(([from, to]) => ({ from, to })) }
}
