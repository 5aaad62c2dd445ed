import type { ToolName } from '../base/ids.js'
import { checkCall, createProfile, type CallPolicy } from '../skills/binding.js'
import type { BoundSkill } from './bind.js'

/** What a tool may see is looked at where it runs, and the hooks have their say: see call.ts. */
const WHERE_IT_RUNS: CallPolicy = () => ({ allowed: true })

/**
 * Why a call may not be made for the skill that it names: the skill has to be part of the
 * run, and to declare the tool, itself or by what it mentions. Undefined where it may.
 *
 * @param skill what the model named; null where it named none
 * @param isNeeded whether it has to name one, as in a profile
 */
export function undeclared(
  find: (skill: string) => BoundSkill | undefined,
  tool: ToolName,
  skill: string | null,
  isNeeded: boolean
): string | undefined {
  if (skill === null)
    return isNeeded ? 'In a profile a call has to name the skill that it is made for.' : undefined
  const bound = find(skill)
  const { slug: name, version } = bound ?? { slug: skill, version: '' }
  const tools = bound?.tools() ?? []
  const profile = createProfile({ bindings: bound ? { [name]: { version } } : {} })
  const verdict = checkCall({ skill: { name, version, tools }, tool, args: null }, profile, WHERE_IT_RUNS)
  return verdict.allowed ? undefined : verdict.reason
}
