import type { ToolName, Uid } from '../base/ids.js'
import type { Ref } from './linked.js'

/** A skill as far as its mentions lead on. */
export interface Mentioner {
  readonly uid: Uid
  /** In first-seen order. */
  readonly refs: readonly Ref[]
}

/**
 * The tools that references lead to, through the skills among them and what these mention:
 * depth first, in the order of first appearance, once each.
 *
 * @param find the skill of a uid or an alias; undefined where it leads nowhere
 */
export function toolsFrom(roots: readonly Ref[], find: (uid: Uid) => Mentioner | undefined): ToolName[] {
  const tools = new Set<ToolName>()
  const seen = new Set<Uid>()
  // On a stack of its own: a chain may be as long as the namespace.
  const stack: Iterator<Ref, void>[] = [roots.values()]
  while (stack.length > 0) {
    const { done, value: ref } = stack.at(-1)!.next()
    if (done) {
      stack.pop()
    } else if ('tool' in ref) {
      tools.add(ref.tool)
    } else {
      const skill = find(ref.skill)
      if (!skill || seen.has(skill.uid)) continue
      seen.add(skill.uid)
      stack.push(skill.refs.values())
    }
  }
  return [...tools]
}
