import type { AskOptions, OnEvent, Run } from '../agent-api.js'
import type { Slug } from '../base/ids.js'
import { toHex } from '../keys/sodium.js'
import { isoTime, seconds } from '../store/self.js'
import type { Store } from '../store/store.js'
import { alignedNow } from './alignment.js'
import { undeclared } from './attached.js'
import { shownVersion } from './bind.js'
import { historyOf } from './history.js'
import { planningOf, type Aligned } from './menu.js'
import type { Model, ModelMessage } from './model.js'
import type { AgentNeeds } from './needs.js'
import { planWith, readPlan } from './plan.js'
import { profileNow } from './profile.js'
import { checkedQuestion, namedByPerson } from './question.js'
import { runThrough, type Planned } from './run.js'

/**
 * One request from beginning to end, its transcript kept.
 *
 * @throws SelkieError where it couldn't begin: E_ASK_EMPTY, E_TEXT_LIMIT, E_MODEL_NONE,
 *   E_PROFILE_UNKNOWN, E_RUN_UNKNOWN, E_RUN_WHICH, E_RUN_RUNNING
 */
export async function ask(
  needs: AgentNeeds,
  text: string,
  { profile: profileName, after }: AskOptions,
  tell: OnEvent,
  signal: AbortSignal
): Promise<Run> {
  const { self, transcripts, tools, hooks, failed } = needs
  const { store, clock } = self
  const question = checkedQuestion(text)
  const profile = profileName === undefined ? undefined : await profileNow(store, profileName)
  const before = after === undefined ? [] : await transcripts.chain(after)
  const model = await needs.model()
  const aligned = await alignedNow(store, profile)
  const { messages: told, truncations } = historyOf(before)
  const messages: ModelMessage[] = [...told, { role: 'user', text: question }]
  const versionOf = profile?.versionOf ?? shownVersion
  const begun: Run = {
    ...EMPTY,
    id: toHex(clock.random(16)),
    time: isoTime(seconds(clock)),
    question,
    profile: profile?.name ?? null,
    after: before.at(-1)?.id ?? null,
    model: model.name,
    truncations
  }
  await transcripts.begin(begun)
  const run = await runThrough(
    begun,
    {
      store,
      model,
      aligned,
      messages,
      plan: (signal) => planned(store, model, aligned, messages, namedByPerson(question, profile), signal),
      versionOf,
      forbids: ({ skills }, tool, skill) =>
        undeclared((named) => skills.find(({ slug }) => slug === named), tool, skill, profile !== undefined),
      tools,
      hooks,
      failed
    },
    tell,
    signal
  )
  const ended = { ...run, ended: isoTime(seconds(clock)) }
  await transcripts.end(ended)
  return ended
}

const EMPTY: Omit<Run, 'id' | 'time' | 'question'> = {
  ended: null,
  profile: null,
  after: null,
  model: null,
  state: 'running',
  plan: null,
  bound: [],
  skills: [],
  steps: [],
  answer: '',
  truncations: [],
  tokens: null,
  problem: null
}

/** The model’s plan, where there is something to plan with, and what the person has named. */
async function planned(
  store: Store,
  model: Model,
  aligned: Aligned,
  messages: readonly ModelMessage[],
  named: readonly Slug[],
  signal: AbortSignal
): Promise<Planned> {
  if (planningOf(aligned) === null) return { plan: null, roots: store.namespace.refsOf(named) }
  const { text, tokens } = await planWith(model, aligned, messages, signal)
  const plan = readPlan(text, aligned.menu)
  return { plan, roots: store.namespace.refsOf([...new Set([...named, ...plan.handles])]), tokens }
}
