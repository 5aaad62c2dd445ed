import type { Replay, Run } from '../agent-api.js'
import type { Uid, VersionHash } from '../base/ids.js'
import { mentions } from '../namespace/mention.js'
import type { Ref } from '../namespace/linked.js'
import { toolBySlug } from '../namespace/tool.js'
import { undeclared } from './attached.js'
import type { VersionOf } from './bind.js'
import type { ModelAnswer } from './model.js'
import { recordedModel } from './models/recorded.js'
import type { AgentNeeds } from './needs.js'
import { runThrough } from './run.js'

/**
 * Runs a run again, with the answers that the model gave then, with the skills in the
 * versions that it had, and with the tools and grants of now. Nothing is kept of it.
 *
 * @throws SelkieError E_RUN_UNKNOWN, E_RUN_WHICH, E_RUN_RUNNING; the reason of the signal where it aborts
 */
export async function replay(needs: AgentNeeds, id: string, signal: AbortSignal): Promise<Replay> {
  const { self, transcripts, tools, hooks, failed } = needs
  const first = await transcripts.get(id)
  const uids = new Map(first.skills.map(({ slug, uid }) => [slug, uid]))
  const again = await runThrough(
    { ...first, steps: [], truncations: [], problem: null },
    {
      store: self.store,
      model: recordedModel(first.model ?? '', answersOf(first)),
      aligned: { instructions: '', blurbs: new Set() },
      messages: [],
      plan: async () => ({ plan: first.plan, roots: rootsOf(first) }),
      versionOf: versionsOf(first),
      forbids: ({ skills }, tool, skill) =>
        undeclared(
          (named) => skills.find(({ uid }) => uid === uids.get(named)),
          tool,
          skill,
          first.profile !== null
        ),
      tools,
      hooks,
      failed
    },
    () => {},
    signal
  )
  signal.throwIfAborted()
  return compareRuns(first, again)
}

/** The answers that the model gave in a run, once it was bound, in their order. */
function answersOf({ steps }: Run): ModelAnswer[] {
  return steps.map(({ text, calls }) => ({
    text,
    calls: calls.map(({ id, name, input }) => ({ id, name, input })),
    end: 'done',
    tokens: null
  }))
}

/** What a run had named and bound, by the ids that its skills had then: they may have other slugs now. */
function rootsOf({ plan, question, bound, skills }: Run): Ref[] {
  const uids = new Map(skills.map(({ slug, uid }) => [slug, uid as Uid]))
  return [...mentions(question), ...(plan?.handles ?? [])].flatMap((slug): Ref[] => {
    const tool = toolBySlug(slug)
    // One that broke down before it bound anything has nothing.
    if (tool) return bound.includes(tool.name) ? [{ tool: tool.name }] : []
    const uid = uids.get(slug)
    return uid ? [{ skill: uid }] : []
  })
}

/** The versions in which a run had its skills; others it hadn’t. */
function versionsOf({ skills }: Run): VersionOf {
  const versions = new Map(skills.map(({ uid, version }) => [uid, version as VersionHash]))
  return ({ uid }) => versions.get(uid)
}

/** A run beside the same run made again: which of its bindings and calls came otherwise. */
function compareRuns(first: Run, again: Run): Replay {
  const differences: string[] = []
  const compare = (what: string, before: string, after: string): void => {
    if (before !== after) differences.push(`${what}: ${before || 'nothing'} then, ${after || 'nothing'} now.`)
  }
  compare('Bound tools', first.bound.toSorted().join(', '), again.bound.toSorted().join(', '))
  const loaded = new Set(again.skills.map(({ uid, version }) => uid + version))
  for (const { slug, uid, version } of first.skills)
    if (!loaded.has(uid + version))
      differences.push(`@${slug}, version ${version.slice(0, 12)}, can’t be used now.`)
  const [before, after] = [callsIn(first), callsIn(again)]
  for (let i = 0; i < Math.max(before.length, after.length); i++)
    compare(`Call ${i + 1}`, saidOf(before[i]), saidOf(endedAs(after[i], before[i])))
  if (first.state === 'done' || first.state === 'steps') compare('The end', first.state, again.state)
  return { id: first.id, same: differences.length === 0, differences, calls: after }
}

function callsIn({ steps }: Run): Replay['calls'] {
  return steps.flatMap(({ calls }) => calls.map(({ tool, args, outcome }) => ({ tool, args, outcome })))
}

/** Of a call that was broken off nobody knows how it would have ended. */
function endedAs(call: Replay['calls'][number] | undefined, first: typeof call): typeof call {
  return call && first?.outcome === 'stopped' ? { ...call, outcome: 'stopped' } : call
}

function saidOf(call: Replay['calls'][number] | undefined): string {
  return call ? `${call.tool} ${JSON.stringify(call.args)} ${call.outcome}` : ''
}
