import t from 'tap'
import { call, MAX_RESULT } from '../../src/agent/call.js'
import type { ToolName } from '../../src/base/ids.js'
import { home } from '../editing/home.js'
import { calling, callsOf, scripted } from './scripted.js'

/** Deeper than a recursive writer of JSON gets. */
const DEEP = 100_000

t.test('arguments without end were written down again, and ended the run', async (t) => {
  const { node } = await home(t, 'Ada')
  const deep = '['.repeat(DEEP) + ']'.repeat(DEEP)
  const { chats } = await scripted(t, node, [
    { text: '@check-schedule' },
    {
      plain: true,
      calls: [
        { id: 'a', name: 'call_tool', args: `{"name":"current_date","arguments":{"range":${deep}}}` },
        { id: 'b', name: 'call_tool', args: `{"name":"unbound","arguments":${deep}}` },
        { id: 'c', name: 'call_tool', args: deep },
        { id: 'd', name: 'other', args: deep }
      ]
    },
    { text: 'Sorry.' }
  ])
  const run = await node.ask('What day?', {})
  t.match(run, { state: 'done', answer: 'Sorry.' })
  t.same(
    callsOf(run).map(({ outcome }) => outcome),
    ['refused', 'refused', 'refused', 'refused']
  )
  t.equal(chats.length, 3, 'the model was told')
  t.same(callsOf(await node.run(run.id, {})), callsOf(run))
  t.match(await node.replay(run.id), { same: true })
})

t.test('a name that means something to JavaScript means nothing here', async (t) => {
  const { node } = await home(t, 'Ada')
  const args = [
    '{"name":"current_date","arguments":{"__proto__":{"range":"today"}}}',
    '{"__proto__":{"name":"current_date","arguments":{}}}',
    '{"name":"__proto__","arguments":{}}',
    '{"name":"constructor","arguments":{}}',
    '{"name":"current_date","arguments":{"range":{"toString":1}}}',
    '{"name":"current_date","arguments":{},"skill":"__proto__"}',
    '{"name":"current_date","arguments":{},"skill":"constructor"}',
    '{"name":"current_date","arguments":null}'
  ]
  await scripted(t, node, [
    { text: '@check-schedule and @constructor' },
    { calls: args.map((each, i) => ({ id: `c${i}`, name: 'call_tool', args: each })) },
    { text: 'Sorry.' }
  ])
  const run = await node.ask('What day?', {})
  t.equal(run.state, 'done')
  t.same(
    callsOf(run).map(({ outcome }) => outcome),
    ['refused', 'refused', 'denied', 'denied', 'refused', 'denied', 'denied', 'refused']
  )
  t.match(await node.replay(run.id), { same: true })
})

t.test('what was wrong with arguments was told in millions of words', async (t) => {
  const { node } = await home(t, 'Ada')
  const many = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`unknown${n}`, n]))
  await scripted(t, node, [
    { text: '@check-schedule' },
    {
      plain: true,
      calls: [
        calling('current_date', many),
        { id: 'long', name: 'call_tool', args: JSON.stringify({ name: 'x'.repeat(200_000) }) }
      ]
    },
    { text: 'Sorry.' }
  ])
  const told: string[] = []
  const run = await node.ask('What day?', {}, (event) => {
    if (event.type === 'called') told.push(event.why!)
  })
  t.equal(run.state, 'done')
  for (const [i, { outcome, result }] of callsOf(run).entries()) {
    t.equal(outcome, 'refused')
    t.ok(result.length < 2000 && told[i]!.length < 2000)
  }
  t.same(run.truncations, [])
})

t.test('a result was cut in the middle of a character', async (t) => {
  for (const before of ['', 'x']) {
    const answer = { text: before + '😀'.repeat(MAX_RESULT) }
    const allowed = {
      run: '',
      bound: ['current_date' as ToolName],
      forbids: () => undefined,
      tools: { current_date: () => Promise.resolve(answer) },
      hooks: {},
      failed: (error: unknown) => void t.error(error)
    }
    const asked = { id: '1', name: 'call_tool', input: '{"name":"current_date"}' }
    const { call: made, cut } = await call(asked, allowed, new AbortController().signal, () => {})
    t.equal(made.outcome, 'ran')
    t.ok(made.result.isWellFormed())
    t.match(cut, /was cut from/)
  }
})
