import { diagnostic } from '../folders/diagnostics.js'
import type { Profile } from './binding.js'
import type { SkillProblem, SkillSource, SkillSummary, SourceOptions, Version } from './source.js'
import { summaryOf } from './versions.js'

/**
 * What a profile attaches of a source, each skill in the version that it is bound to. The
 * list reports bindings that lead nowhere.
 */
export function createBoundSource(source: SkillSource, profile: Profile): SkillSource {
  const bound: SkillSource = {
    id: source.id,

    async list(options: SourceOptions = {}) {
      const listing = await source.list(options)
      const problems: SkillProblem[] = [...listing.problems]
      const skills: SkillSummary[] = []
      for (const name of profile.skills) {
        const to = profile.versionOf(name)!
        const latest = listing.skills.find((skill) => skill.name === name)
        const skill = to === 'latest' ? latest : await pinned(name, to, latest, options)
        if (skill) skills.push(skill)
        else problems.push(unbound(name, to))
      }
      return { skills, problems }
    },

    async load(name: string, version: Version = 'latest', options: SourceOptions = {}) {
      const to = profile.versionOf(name)
      if (to === undefined) return undefined
      // One that was loaded before may be loaded again, also when another is published now.
      const again = typeof version === 'object' && typeof to === 'string'
      if (typeof version === 'object' && typeof to === 'object' && version.version !== to.version)
        return undefined
      return source.load(name, again || to === 'latest' ? version : to, options)
    },

    read: (skill, path, options) => source.read(skill, path, options)
  }
  if (source.watch) bound.watch = (onChange, options) => source.watch!(onChange, options)
  return bound

  /** Whether it is in the catalog is for what is there now to say, and for that version itself. */
  async function pinned(
    name: string,
    to: Version,
    latest: SkillSummary | undefined,
    options: SourceOptions
  ): Promise<SkillSummary | undefined> {
    const skill = await source.load(name, to, options)
    return skill && { ...summaryOf(skill), hidden: latest?.hidden === true || skill.hidden }
  }
}

function unbound(name: string, to: Version): SkillProblem {
  const shown = typeof to === 'string' ? to : `version ${to.version}`
  const { code, message } = diagnostic('D_SKILL_UNBOUND', {}, { name, to: shown })
  return { code, message, skill: name }
}
