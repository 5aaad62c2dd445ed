import { SelkieError, type ErrorCode, type ErrorFields } from '../base/errors.js'
import type { SkillPackage, Version } from './source.js'

/** Which skills are attached, and in which version each. */
export interface Profile {
  /** In the order in which they were bound. */
  readonly skills: readonly string[]
  has(skill: string): boolean
  /** Undefined where it isn’t attached. */
  versionOf(skill: string): Version | undefined
}

/**
 * A profile of bindings.
 *
 * @throws SelkieError E_BINDING where one isn’t a {@link Version}
 */
export function createProfile({
  bindings
}: {
  readonly bindings: Readonly<Record<string, Version>>
}): Profile {
  const versions = new Map(Object.entries(bindings))
  for (const [skill, to] of versions) if (!isBindable(to)) throw new SelkieError('E_BINDING', { skill })
  return {
    skills: [...versions.keys()],
    has: (skill) => versions.has(skill),
    versionOf: (skill) => versions.get(skill)
  }
}

function isBindable(to: unknown): to is Version {
  if (to === 'latest' || to === 'published') return true
  return typeof (to as { version?: unknown } | null)?.version === 'string'
}

/** A tool call that a model makes for a skill. */
export interface SkillCall {
  /** As it was loaded. */
  readonly skill: Pick<SkillPackage, 'name' | 'version' | 'tools'>
  readonly tool: string
  readonly args: unknown
}

/** Whether a call may be made; else a code, and a reason that the model can be told. */
export type CallVerdict =
  { readonly allowed: true } | { readonly allowed: false; readonly code: string; readonly reason: string }

/** What decides about a call that no skill is behind. */
export type CallPolicy = (call: SkillCall) => CallVerdict

/**
 * Checks a call made for a skill: the skill is attached, in that version where the
 * profile binds one; it declares the tool; and the policy allows the call. A skill so
 * only ever narrows what the policy allows. The policy is asked last.
 */
export function checkCall(call: SkillCall, profile: Profile, policy: CallPolicy): CallVerdict {
  const { skill, tool } = call
  const bound = profile.versionOf(skill.name)
  if (bound === undefined) return forbidden('E_CALL_NOT_ATTACHED', { skill: skill.name })
  if (typeof bound === 'object' && bound.version !== skill.version)
    return forbidden('E_CALL_VERSION', { skill: skill.name })
  if (!skill.tools.includes(tool)) return forbidden('E_CALL_NOT_DECLARED', { skill: skill.name, tool })
  return verdictOf(policy(call), tool)
}

/** A policy in JavaScript may answer anything, as a promise: only a clear yes is one. */
function verdictOf(answer: unknown, tool: string): CallVerdict {
  const { allowed, code, reason } = (answer ?? {}) as Record<'allowed' | 'code' | 'reason', unknown>
  if (allowed === true) return { allowed: true }
  return typeof code === 'string' && typeof reason === 'string'
    ? { allowed: false, code, reason }
    : forbidden('E_CALL_FORBIDDEN', { tool })
}

function forbidden(code: ErrorCode, fields: ErrorFields): CallVerdict {
  const { message, hint } = new SelkieError(code, fields)
  return { allowed: false, code, reason: `${message} ${hint}` }
}
