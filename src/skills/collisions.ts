import { diagnostic } from '../folders/diagnostics.js'
import type { SkillListing, SkillPlace, SkillProblem, SkillSummary } from './source.js'

/** A list in which each name occurs once, its first skill, and of every other one a problem. */
export function merged(
  skills: readonly SkillSummary[],
  problems: readonly SkillProblem[] = []
): SkillListing {
  const byName = new Map<string, SkillSummary>()
  const found: SkillProblem[] = []
  for (const skill of skills) {
    const first = byName.get(skill.name)
    if (!first) byName.set(skill.name, skill)
    else if (!isSame(first, skill)) found.push(collision(first, skill))
  }
  return { skills: [...byName.values()], problems: [...problems, ...found] }
}

/** Whether two sources lead to one folder: that is one skill. */
function isSame(a: SkillSummary, b: SkillSummary): boolean {
  return typeof a.folder === 'string' && a.folder === b.folder
}

function collision(first: SkillSummary, other: SkillSummary): SkillProblem {
  const { name } = first
  const [winner, loser] = [placeOf(first), placeOf(other)]
  const fields = { name, winner: winner.folder ?? winner.source, loser: loser.folder ?? loser.source }
  const { code, message } = diagnostic('D_SKILL_TWICE', {}, fields)
  return { code, message, skill: name, collision: { winner, loser } }
}

function placeOf({ source, version, hash, folder = null }: SkillSummary): SkillPlace {
  return { source, version, hash, folder }
}
