import { merged } from './collisions.js'
import type { SkillSource, SkillSummary, SkillProblem, SourceOptions, Version } from './source.js'

/**
 * Several sources as one, in this order: of two skills that have one name the first
 * counts, and the list reports winner and loser. It rejects where one of them does, so
 * that a skill is never in silence replaced by its namesake of a later source.
 */
export function createCompositeSource(sources: readonly SkillSource[]): SkillSource {
  const composite: SkillSource = {
    id: `composite:${sources.map(({ id }) => id).join('+')}`,

    async list(options: SourceOptions = {}) {
      const skills: SkillSummary[] = []
      const problems: SkillProblem[] = []
      for (const source of sources) {
        const listing = await source.list(options)
        skills.push(...listing.skills)
        problems.push(...listing.problems)
      }
      return merged(skills, problems)
    },

    async load(name: string, version: Version = 'latest', options: SourceOptions = {}) {
      for (const source of sources) {
        const skill = await source.load(name, version, options)
        if (skill) return skill
        // What isn’t published in the winner isn’t to be had from a loser.
        if (version === 'published' && (await source.load(name, 'latest', options))) return undefined
      }
      return undefined
    },

    async read(skill, path, options = {}) {
      for (const source of sources) {
        const bytes = await source.read(skill, path, options)
        if (bytes) return bytes
      }
      return undefined
    }
  }
  if (sources.some((source) => 'watch' in source)) {
    composite.watch = (onChange, options) => {
      for (const source of sources) source.watch?.(onChange, options)
    }
  }
  return composite
}
