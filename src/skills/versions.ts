import type { SkillPackage, SkillSummary, Version } from './source.js'

/** Whether a skill of a source that knows one version of each is the version asked for. */
export function isVersion(skill: SkillSummary, version: Version): boolean {
  return typeof version === 'string' || version.version === skill.version
}

/** What a list says of a package. */
export function summaryOf(skill: SkillPackage): SkillSummary {
  const { name, description, source, version, hash, hidden, folder } = skill
  return { name, description, source, version, hash, hidden, folder }
}
