import {
  createInMemorySource,
  type InMemorySkill,
  type SkillPackage,
  type SkillSource
} from '../../src/skills/index.js'

/** A source that keeps every version of its skills, as a namespace does. */
export class KeptSource implements SkillSource {
  readonly id = 'memory:kept'
  readonly #versions = new Map<string, SkillPackage[]>()
  readonly #published = new Map<string, string>()

  /** Makes the newest version of a skill; gives its name. */
  async save(skill: InMemorySkill): Promise<string> {
    const source = createInMemorySource({ skills: [skill], label: 'kept' })
    const made = (await source.load(skill.name))!
    this.#versions.set(skill.name, [...(this.#versions.get(skill.name) ?? []), made])
    return made.version
  }

  publish(name: string, version: string): void {
    this.#published.set(name, version)
  }

  /** Forgets all versions of a skill but the newest, or that too. */
  forget(name: string, { all }: { all: boolean }): void {
    if (all) this.#versions.delete(name)
    else this.#versions.set(name, this.#versions.get(name)!.slice(-1))
  }

  async list() {
    return { skills: [...this.#versions.values()].map((versions) => versions.at(-1)!), problems: [] }
  }

  async load(name: string, version: Parameters<SkillSource['load']>[1] = 'latest') {
    const versions = this.#versions.get(name)
    if (version === 'latest') return versions?.at(-1)
    const wanted = version === 'published' ? this.#published.get(name) : version.version
    return versions?.find((each) => each.version === wanted)
  }

  async read() {
    return undefined
  }
}
