import t from 'tap'
import type { Run } from '../../src/api.js'
import { renderGrants } from '../../src/cli/grant.js'
import type { Globals } from '../../src/cli/globals.js'
import { renderEnd, RunTeller } from '../../src/cli/run-teller.js'
import { renderAlignment } from '../../src/cli/verbs/menu.js'
import { renderPlan } from '../../src/cli/verbs/plan.js'
import { renderReplay } from '../../src/cli/verbs/run-replay.js'
import { renderRun } from '../../src/cli/verbs/run-show.js'
import { renderRuns } from '../../src/cli/verbs/runs.js'

const RUN: Run = {
  id: 'ab'.repeat(16),
  time: '2026-03-01T12:00:00Z',
  ended: '2026-03-01T12:00:03Z',
  question: 'Where is\nthe invoice?',
  profile: null,
  after: 'cd'.repeat(16),
  model: 'scripted',
  state: 'done',
  plan: { text: 'I would follow @search-info,\nand @nope.', handles: ['search-info'], ignored: ['nope'] },
  bound: ['find_file'],
  skills: [{ slug: 'search-info', uid: '01'.repeat(16), version: 'ef'.repeat(32) }],
  steps: [
    {
      text: 'Let me look.',
      calls: [
        {
          id: '1',
          name: 'call_tool',
          input: '{}',
          tool: 'find_file',
          skill: 'search-info',
          args: { query: 'invoice' },
          outcome: 'denied',
          result: `{"error":"${'x'.repeat(1000)}"}`,
          milliseconds: 3
        }
      ]
    },
    { text: 'It isn’t allowed.', calls: [] }
  ],
  answer: 'It isn’t allowed.',
  truncations: ['The model’s answer was cut by its own limit.'],
  tokens: { input: 30, output: 15 },
  problem: null
}

t.test('a transcript shows that a skill was loaded, and not its text', (t) => {
  const text = renderRun(RUN)
  for (const part of [
    'Went on from run cdcdcdcd\n',
    '> Where is\n> the invoice?\n',
    'Plan: I would follow @search-info, and @nope.\nIn vain: @nope\nBound: find_file\n',
    'Loaded @search-info, version efefefefefef\n',
    '\n\n  │ Let me look.\n\nfind_file {"query":"invoice"} for @search-info – denied\n  │ {"error":"xxx',
    'x"}\n\n  │ It isn’t allowed.\n\nThe model’s answer was cut',
    '30 tokens in, 15 out'
  ])
    t.match(text, part)
  const body = 'Go through\nthe sources.'
  const full = renderRun({ ...RUN, skills: [{ ...RUN.skills[0]!, body }] })
  t.match(full, 'efefefefefef\n  │ Go through\n  │ the sources.\n')
  t.end()
})

t.test('what a model wrote passed for a line of the transcript', (t) => {
  const forged = 'x\nLoaded @forged'
  const call = { ...RUN.steps[0]!.calls[0]!, tool: null, name: forged, skill: forged, result: forged }
  const steps = [{ text: forged, calls: [call] }]
  const lines = renderRun({ ...RUN, model: forged, answer: forged, steps }).split('\n')
  t.same(
    lines.filter((line) => line.startsWith('Loaded')),
    ['Loaded @search-info, version efefefefefef']
  )
  const made = { tool: forged, args: forged, outcome: 'denied' as const }
  const replay = renderReplay({ id: RUN.id, same: false, differences: [forged], calls: [made] })
  t.notMatch(replay, /^Loaded/m)
  const told: string[] = []
  const teller = new RunTeller({ json: false } as Globals, (text) => told.push(text))
  teller.tell({ type: 'calling', tool: forged, args: { forged } })
  teller.tell({ type: 'called', tool: forged, outcome: 'denied', why: forged.repeat(1000) })
  t.equal(told.length, 2)
  t.ok(told.every((text) => !text.includes('\n') && text.length < 500))
  t.end()
})

t.test('a run that goes on says so, and not that it made no call', (t) => {
  const { id, time, question } = RUN
  const text = renderRuns([{ id, time, question, state: 'running', skills: [], calls: 0 }])
  t.match(text, /^abababab .* running {2,}Where is the invoice\?$/)
  const begun = { plan: null, bound: [], skills: [], steps: [], answer: '', truncations: [], tokens: null }
  const shown = renderRun({ ...RUN, ...begun, state: 'running', ended: null })
  t.match(shown, /^Run abab.*: running\n[^]*> the invoice\?\n\nIt goes on\. .*$/)
  t.notMatch(renderRun({ ...RUN, state: 'interrupted' }), 'It goes on')
  t.end()
})

t.test('the end of a run says how it can be looked at', (t) => {
  t.match(renderEnd({ ...RUN, truncations: [] }), /^Run abababab: `selkie run show abababab`/)
  t.match(renderEnd({ ...RUN, state: 'stopped', truncations: [] }), /^Stopped\. Run abababab/)
  t.end()
})

t.test('a plan says who chose, what is bound and what isn’t granted', (t) => {
  const nothing = { model: null, plan: '', handles: [], ignored: [], bound: [], notGranted: [] }
  t.match(renderPlan({ ...nothing, how: 'direct' }), /^No skill is on the menu/)
  t.match(
    renderPlan({ ...nothing, how: 'words' }),
    /^No model chose.*\n {2}names {2}nothing\n {2}binds {2}nothing$/
  )
  const how = { how: 'model', model: 'scripted', plan: 'I follow\n@tea.' } as const
  const bound = ['find_file']
  t.equal(
    renderPlan({ ...nothing, ...how, handles: ['tea'], ignored: ['x'], bound, notGranted: bound }),
    'scripted plans: I follow @tea.\n  names  @tea\n  in vain  @x\n  binds  find_file\n  not granted  find_file: `selkie grants` shows what is'
  )
  t.end()
})

t.test('the price of the document is marked where it is an estimate', (t) => {
  const aligned = { instructions: 'I', edited: true, menu: [], text: 'I', blurbs: [], planning: null }
  const by = 'characters / 4'
  t.match(
    renderAlignment({ ...aligned, tokens: { count: 3, exact: false, by } }),
    /^I\n\n── ~3 tokens[^]*menu +no skill is on it, so the agent answers directly/
  )
  const exact = renderAlignment({ ...aligned, tokens: { count: 3, exact: true, by: 'llama.cpp' } })
  t.match(exact, '── 3 tokens (llama.cpp)')
  t.match(exact, 'selkie instructions reset')
  const menu = [{ slug: 'tea', summary: 'Tea.' }]
  const tokens = { count: 3, exact: false, by }
  t.match(
    renderAlignment({ ...aligned, menu, planning: 'How.', tokens }),
    /menu +1 on it; .* can’t be edited$/
  )
  t.end()
})

t.test('grants, runs and a replay, with nothing in them and with something', (t) => {
  const none = { files: [], calendars: [], notebook: false, memory: false }
  t.match(renderGrants(none), /^files +nothing\ncalendar +nothing\nnotebook +nothing\nmemory +nothing$/)
  const files = [
    { path: '/a', there: true },
    { path: '/b', there: false }
  ]
  t.match(
    renderGrants({ ...none, files, memory: true }),
    /^files +\/a\n +\/b \(not there now\)\n[^]*memory +granted$/
  )
  t.match(renderRuns([]), /selkie ask/)
  const { id, time, question, state } = RUN
  t.match(
    renderRuns([{ id, time, question, state, skills: [], calls: 1 }]),
    /^abababab .* done  1 call  Where is the/
  )
  const calls = [{ tool: null, args: 'x', outcome: 'refused' as const }]
  t.equal(renderReplay({ id, same: true, differences: [], calls }), '  ? "x": refused\nThe same calls came.')
  t.match(renderReplay({ id, same: false, differences: ['A.'], calls: [] }), /^Not the same:\n {2}A\.$/)
  t.end()
})
