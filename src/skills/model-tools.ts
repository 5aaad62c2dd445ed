import { shape } from '../base/schema.js'
import { loadSkill } from './load.js'
import { readReference } from './read-reference.js'
import { refusal, type LoadedSkill, type ReadReference, type SkillRefusal } from './results.js'
import type { Session } from './session.js'
import type { SourceOptions } from './source.js'
import type { SkillToolName } from './tool-names.js'

/** A tool as every agent loop takes one. */
export interface SkillTool<Name extends SkillToolName, Answer> {
  readonly name: Name
  readonly description: string
  readonly inputSchema: SkillToolSchema
  /**
   * Never rejects for what a model says: `args` may be anything.
   *
   * @returns plain JSON for the model
   */
  readonly execute: (args: unknown, options?: SourceOptions) => Promise<Answer | SkillRefusal>
}

/** JSON Schema, as far as these tools need it. */
export interface SkillToolSchema {
  type: 'object'
  properties: Record<string, { type: 'string' | 'integer'; description: string; minimum?: number }>
  required: string[]
  additionalProperties: false
}

/** A type, and no interface: so `Object.values` knows what it gives. */
export type SkillTools = {
  readonly loadSkill: SkillTool<'loadSkill', LoadedSkill>
  readonly readSkillReference: SkillTool<'readSkillReference', ReadReference>
}

const name = { type: 'string', description: 'The skill’s name, as the catalog gives it.' } as const
const page = {
  type: 'integer',
  minimum: 1,
  description: 'Which page, from 1; the first unless given. Each answer says how many pages there are.'
} as const
const path = {
  type: 'string',
  description: 'The file’s path in the skill, as the skill’s first page lists it: “references/api.md”.'
} as const

function schemaOf(properties: SkillToolSchema['properties'], required: string[]): SkillToolSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}

const LOAD = schemaOf({ name, page }, ['name'])
const READ = schemaOf({ name, path, page }, ['name', 'path'])
const isLoadArgs = shape<{ name: string; page?: number }>(LOAD)
const isReadArgs = shape<{ name: string; path: string; page?: number }>(READ)

/** The two tools over one session; `pageSize` in characters. */
export function modelTools(session: Session, pageSize: number): SkillTools {
  return {
    loadSkill: {
      name: 'loadSkill',
      description:
        'Gives the text of a skill, the names of its files and of the tools that it declares. Call it before doing what the skill is for.',
      inputSchema: LOAD,
      async execute(args, options) {
        if (!isLoadArgs(args))
          return unfit('loadSkill', 'name, a text, and at most page, a whole number from 1')
        return loadSkill(session, { name: args.name, page: args.page ?? 1, by: 'model', pageSize }, options)
      }
    },
    readSkillReference: {
      name: 'readSkillReference',
      description: 'Gives the text of a file that comes with a skill.',
      inputSchema: READ,
      async execute(args, options) {
        if (!isReadArgs(args))
          return unfit('readSkillReference', 'name and path, texts, and at most page, a whole number from 1')
        return readReference(session, { ...args, page: args.page ?? 1, pageSize }, options)
      }
    }
  }
}

function unfit(tool: SkillToolName, wanted: string): SkillRefusal {
  return refusal('E_SKILL_ARGUMENTS', { tool, wanted })
}
