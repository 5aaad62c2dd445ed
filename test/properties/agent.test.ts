import fc from 'fast-check'
import t from 'tap'
import { bind, shownVersion } from '../../src/agent/bind.js'
import { call } from '../../src/agent/call.js'
import { HOW_TO_PLAN } from '../../src/agent/instructions.js'
import { alignmentText } from '../../src/agent/menu.js'
import { readPlan } from '../../src/agent/plan.js'
import type { Slug } from '../../src/base/ids.js'
import { TOOLS } from '../../src/namespace/tool.js'
import { home } from '../editing/home.js'

const signal = new AbortController().signal

t.test('whatever a model asks for, it is told a result, and only what is bound runs', async (t) => {
  const ran: string[] = []
  const tools = Object.fromEntries(
    TOOLS.map(({ name }) => [name, async () => (ran.push(name), { ok: true })])
  )
  const name = fc.oneof(fc.constantFrom(...TOOLS.map((tool) => tool.name)), fc.string())
  const value = fc.oneof(
    fc.record(
      { name, arguments: fc.oneof(fc.jsonValue(), fc.constant({})), skill: fc.jsonValue() },
      { requiredKeys: [] }
    ),
    fc.jsonValue()
  )
  const input = fc.oneof(
    value.map((each) => JSON.stringify(each)),
    // From what is deep to what is deeper than anything recursive gets.
    fc.constantFrom(10, 50, 20_000).map((depth) => '{"arguments":'.repeat(depth) + '1' + '}'.repeat(depth)),
    fc.string()
  )
  const bound = fc.subarray(TOOLS.map((tool) => tool.name))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constant('call_tool'), fc.string()),
      input,
      bound,
      async (name, input, bound) => {
        ran.length = 0
        const allowed = {
          run: '',
          bound,
          forbids: () => undefined,
          tools,
          hooks: {},
          failed: (error: unknown) => void t.error(error)
        }
        const done = await call({ id: '1', name, input }, allowed, signal, () => {})
        JSON.parse(done.call.result)
        JSON.stringify(done.call)
        if (ran.length > 0)
          return done.call.outcome === 'ran' && ran.every((tool) => bound.includes(tool as never))
        return done.call.outcome === 'refused' || done.call.outcome === 'denied'
      }
    ),
    { numRuns: 2000 }
  )
})

t.test('a plan binds what toolsForPlan says, for any skills that mention each other', async (t) => {
  const names = Array.from({ length: 12 }, (_, n) => `s${n}`)
  const ada = await home(t, 'Ada')
  const handles = [...names, ...TOOLS.map(({ slug }) => slug as string), 'nothing-there']
  for (const title of names) await ada.node.create({ title, summary: title, body: 'Nothing.' })
  const random = fc.sample(fc.array(fc.subarray(handles.slice(0, -1)), { minLength: 12, maxLength: 12 }), 3)
  for (const bodies of random) {
    for (const slug of names) await ada.node.setEnabled(slug, true)
    for (const [n, mentioned] of bodies.entries()) {
      const body = mentioned.map((slug) => `@${slug}`).join(', ') || 'Nothing.'
      await ada.node.edit(names[n]!, { body })
    }
    for (const slug of fc.sample(fc.subarray(names), 1)[0]!.slice(0, 3))
      await ada.node.setEnabled(slug, false)
    await ada.under(async ({ store }) => {
      await fc.assert(
        fc.asyncProperty(fc.subarray(handles), async (plan) => {
          const { tools, skills } = await bind(store, store.namespace.refsOf(plan as Slug[]), shownVersion)
          t.same(tools, store.namespace.toolsForPlan(plan as Slug[]))
          const declared = new Set(skills.flatMap((skill) => skill.tools()))
          return tools.every((tool) => declared.has(tool) || plan.some((slug) => refIs(store, slug, tool)))
        }),
        { numRuns: 50 }
      )
    })
  }
  function refIs(store: Parameters<typeof bind>[0], slug: string, tool: string): boolean {
    const [ref] = store.namespace.refsOf([slug as Slug])
    return ref !== undefined && 'tool' in ref && ref.tool === tool
  }
})

t.test('no summary makes a line of its own in the menu, and a plan names only what the menu has', (t) => {
  const entry = fc.record({
    slug: fc.constantFrom('a', 'b-2', 'tea') as fc.Arbitrary<Slug>,
    summary: fc.string({ unit: 'binary' }),
    kind: fc.constant('skill' as const)
  })
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1 }), fc.string(), (menu, said) => {
      const text = alignmentText({ instructions: 'I', blurbs: new Set(), menu })
      const from = text.indexOf('# Menu\n\n') + 8
      const lines = text.slice(from, text.lastIndexOf(`\n\n${HOW_TO_PLAN}`)).split(/\r\n|[\n\r\u2028\u2029]/)
      t.equal(lines.length, menu.length)
      const { handles } = readPlan(`${said} @tea @b-2 @other`, menu)
      return handles.every((handle) => menu.some(({ slug }) => slug === handle))
    })
  )
  t.end()
})
