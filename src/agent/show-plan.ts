import type { PlanOptions, PlanShown, RunPlan } from '../agent-api.js'
import type { Slug } from '../base/ids.js'
import { toolByName } from '../namespace/tool.js'
import { alignedNow } from './alignment.js'
import { bind, shownVersion } from './bind.js'
import { byWords } from './by-words.js'
import { planningOf } from './menu.js'
import type { AgentNeeds } from './needs.js'
import { planWith, readPlan } from './plan.js'
import { profileNow } from './profile.js'
import { checkedQuestion, namedByPerson } from './question.js'

const NOTHING = { text: '', handles: [], ignored: [] }

/**
 * The plan for a request, and what that and the person’s own words would bind; nothing is run.
 *
 * @throws SelkieError E_ASK_EMPTY, E_TEXT_LIMIT, E_PROFILE_UNKNOWN, and E_MODEL_… unless
 *   it is by words; the reason of the signal where it aborts
 */
export async function showPlan(
  needs: AgentNeeds,
  text: string,
  { profile: profileName, byWords: isByWords }: PlanOptions,
  signal: AbortSignal
): Promise<PlanShown> {
  const { store } = needs.self
  const question = checkedQuestion(text)
  const profile = profileName === undefined ? undefined : await profileNow(store, profileName)
  const aligned = await alignedNow(store, profile)
  const versionOf = profile?.versionOf ?? shownVersion
  const named = namedByPerson(question, profile)
  const shown = async (how: PlanShown['how'], model: string | null, plan: RunPlan): Promise<PlanShown> => {
    const { text, handles, ignored } = plan
    const roots = store.namespace.refsOf([...named, ...(handles as Slug[])])
    const { tools } = await bind(store, roots, versionOf)
    const notGranted = tools.filter((tool) => {
      const { grant } = toolByName(tool)!
      return grant !== null && !needs.grants.has(grant)
    })
    return { model, how, plan: text, handles, ignored, bound: [...tools], notGranted }
  }
  if (planningOf(aligned) === null) return shown('direct', null, NOTHING)
  if (isByWords) return shown('words', null, { ...NOTHING, handles: byWords(aligned.menu, question) })
  const model = await needs.model()
  const answer = await planWith(model, aligned, [{ role: 'user', text: question }], signal)
  return shown('model', model.name, readPlan(answer.text, aligned.menu))
}
