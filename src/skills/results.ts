import { SelkieError, type ErrorCode, type ErrorFields } from '../base/errors.js'
import type { SkillReference, SkillSummary } from './source.js'

/** Exactly which skill it is: what a transcript keeps, and a compaction gives back. */
export type SkillIdentity = Pick<SkillSummary, 'name' | 'source' | 'version' | 'hash'>

/** Every answer is for the model alone: a shell shows *Loaded x* in place of the text. */
interface Hidden {
  readonly visibility: 'hidden'
}

/** One page of a text, counted from 1. All pages in a row are the text. */
export interface TextPage {
  readonly text: string
  readonly page: number
  readonly pages: number
}

/** A page of a skill’s text, and with the first what else the skill has. */
export interface LoadedSkill extends TextPage, Hidden {
  readonly ok: true
  readonly skill: SkillIdentity
  /** The version that was loaded before this one, where that was another. */
  readonly replaces: string | null
  /** Where its files are, for whoever can open them. */
  readonly folder: string | null
  /** Its files: with the first page only, and the first {@link MAX_LISTED} of them. */
  readonly references: readonly SkillReference[]
  /** How many files there are beyond those. */
  readonly moreReferences: number
  /** Names of the tools that it declares. A declaration: it grants nothing. */
  readonly tools: readonly string[]
}

/** How many files of a skill a model is told of. */
export const MAX_LISTED = 200

/** Characters of what a model wrote that it is told again. */
export const MAX_TOLD = 300

/** A page of a file. */
export interface ReadReference extends TextPage, Hidden {
  readonly ok: true
  readonly skill: SkillIdentity
  readonly path: string
  /** Of the file, in bytes. */
  readonly size: number
}

/** Why something wasn’t given. */
export interface SkillRefusal extends Hidden {
  readonly ok: false
  readonly code: RefusalCode
  /** What happened and what to do next, for the model. */
  readonly message: string
}

export type RefusalCode = Extract<
  ErrorCode,
  | 'E_SKILL_ARGUMENTS'
  | 'E_SKILL_UNKNOWN'
  | 'E_SKILL_CHANGED'
  | 'E_SKILL_GONE'
  | 'E_SKILL_PAGE'
  | 'E_REFERENCE_PATH'
  | 'E_REFERENCE_UNKNOWN'
  | 'E_REFERENCE_BINARY'
>

/** A refusal as a result, its sentences from the table. */
export function refusal(code: RefusalCode, fields: ErrorFields = {}): SkillRefusal {
  const { message, hint } = new SelkieError(code, fields)
  return { ok: false, visibility: 'hidden', code, message: `${message} ${hint}` }
}
