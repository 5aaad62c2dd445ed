import { SelkieError } from '../base/errors.js'
import { collisions, pathProblem } from '../folders/paths.js'
import { utf8 } from '../keys/sodium.js'
import { isSlug } from '../namespace/slug.js'
import { skillDigest } from './digest.js'
import { merged } from './collisions.js'
import type { SkillListing, SkillPackage, SkillSource, SourceOptions, Version } from './source.js'
import { isVersion, summaryOf } from './versions.js'

/** A skill that a program brings along. */
export interface InMemorySkill {
  /** A slug: `[a-z0-9]+(-[a-z0-9]+)*`, at most 64 characters. */
  readonly name: string
  /** When to use it, in a sentence or two. */
  readonly description: string
  /** Markdown. */
  readonly body: string
  /** Its files, by their paths: relative, with `/`. */
  readonly references?: Readonly<Record<string, string | Uint8Array>>
  /** Names of the tools that it declares. */
  readonly tools?: readonly string[]
  /** Out of the catalog and closed to the model. */
  readonly hidden?: boolean
}

export interface InMemorySourceOptions {
  readonly skills: readonly InMemorySkill[]
  /** What comes after `memory:` in the source’s id: `skills` unless given. */
  readonly label?: string | undefined
}

interface Held {
  readonly skill: SkillPackage
  readonly files: ReadonlyMap<string, Uint8Array>
}

/**
 * A source of skills that are given here and never change. Of two that have one name the
 * first counts; the list reports it.
 *
 * @throws SelkieError E_SKILL_FORM, E_SLUG_FORM where one of them can’t be a skill
 */
export function createInMemorySource({ skills, label = 'skills' }: InMemorySourceOptions): SkillSource {
  const id = `memory:${label}`
  const all = skills.map((skill) => hold(skill, id))
  const listing: SkillListing = merged(all.map(({ skill }) => summaryOf(skill)))
  const byName = new Map(all.toReversed().map((held) => [held.skill.name, held]))

  return {
    id,
    async list({ signal }: SourceOptions = {}) {
      signal?.throwIfAborted()
      return listing
    },
    async load(name: string, version: Version = 'latest', { signal }: SourceOptions = {}) {
      signal?.throwIfAborted()
      const skill = byName.get(name)?.skill
      return skill && isVersion(skill, version) ? skill : undefined
    },
    async read({ name, hash }: SkillPackage, path: string, { signal }: SourceOptions = {}) {
      signal?.throwIfAborted()
      const held = byName.get(name)
      return held?.skill.hash === hash ? held.files.get(path) : undefined
    }
  }
}

function hold(given: InMemorySkill, source: string): Held {
  const { name, description, body, hidden = false } = given
  if (!isSlug(name)) throw new SelkieError('E_SLUG_FORM', { slug: name })
  const wrong = (why: string): SelkieError => new SelkieError('E_SKILL_FORM', { name, why })
  if (typeof description !== 'string' || description.trim() === '') throw wrong('has no description')
  if (typeof body !== 'string') throw wrong('has no body')

  const files = Object.entries(given.references ?? {})
    .map(([path, content]) => ({
      path,
      bytes: typeof content === 'string' ? utf8(content) : content.slice()
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path } of files) {
    const why = pathProblem(path)
    if (why) throw wrong(`has a file “${path}”, whose path ${why}`)
  }
  for (const { path, with: other } of collisions(files.map(({ path }) => path)))
    throw wrong(`has two files that are one on some systems, “${other}” and “${path}”`)

  const content = { name, description, body, hidden, tools: [...(given.tools ?? [])], files }
  const hash = skillDigest(content)
  const references = files.map(({ path, bytes }) => ({ path, size: bytes.length }))
  const { tools } = content
  return {
    skill: { name, description, source, version: hash, hash, hidden, folder: null, body, references, tools },
    files: new Map(files.map(({ path, bytes }) => [path, bytes]))
  }
}
