import t from 'tap'
import { SelkieError } from '../../src/base/errors.js'
import { grepMemory } from '../../src/agent/tools/grep-memory.js'
import type { Transcripts } from '../../src/agent/transcript.js'
import { toolByName } from '../../src/namespace/tool.js'
import { folderOf, keep, talk, transcriptsIn } from './talks.js'

const never = new AbortController().signal
const granted = { require: (): void => {} }

interface Answer {
  hits: { date: string; run: string; who: string; before?: string; line: string; after?: string }[]
  more: boolean
}

async function grep(transcripts: Transcripts, pattern: string, limit?: number): Promise<Answer> {
  const run = grepMemory({ grants: granted, transcripts })
  return (await run({ pattern, ...(limit !== undefined && { limit }) }, never)) as unknown as Answer
}

t.test('a hit says when, in which run, by whom, and what stood beside it', async (t) => {
  await transcriptsIn(await folderOf(t), async (transcripts) => {
    const first = talk('Where do we go?\nNot to Porto.', 'I look.', 'To Lisbon.\n\nBy ship.\nIn May.')
    const second = { ...talk('Is it warm in Lisbon?', 'Yes.'), time: '2026-04-01T09:00:00Z' }
    await keep(transcripts, first, second)
    const [about, { id: run }] = [{ date: '2026-03-01T12:00:00Z', run: first.id }, second]
    t.same(await grep(transcripts, 'lisbon'), {
      hits: [
        { date: '2026-04-01T09:00:00Z', run, who: 'person', line: 'Is it warm in Lisbon?' },
        { ...about, who: 'agent', line: 'To Lisbon.', after: 'By ship.' }
      ],
      more: false
    })
    t.same((await grep(transcripts, 'by ship')).hits, [
      { ...about, who: 'agent', before: 'To Lisbon.', line: 'By ship.', after: 'In May.' }
    ])
    t.same((await grep(transcripts, 'porto')).hits, [
      { ...about, who: 'person', before: 'Where do we go?', line: 'Not to Porto.' }
    ])
    t.match(await grep(transcripts, 'lisbon', 1), { hits: [{ run }], more: true })
    t.same(await grep(transcripts, 'madrid'), { hits: [], more: false })
  })
})

t.test('results of tools, plans and what the model was told aren’t memory', async (t) => {
  await transcriptsIn(await folderOf(t), async (transcripts) => {
    const run = talk('What?', 'Step.', 'Answer.')
    const call = { id: 'c', name: 'call_tool', input: 'secret', tool: null, skill: null, args: 'secret' }
    run.steps[0]!.calls.push({ ...call, outcome: 'ran', result: 'secret', milliseconds: 1 })
    const plan = { text: 'secret', handles: ['secret'], ignored: [] }
    await keep(transcripts, { ...run, plan, model: 'secret', truncations: ['secret'] })
    t.same((await grep(transcripts, 'secret')).hits, [])
    t.equal((await grep(transcripts, 'answer')).hits.length, 1)
  })
})

t.test('the run that asks isn’t among what it finds; one that was interrupted is', async (t) => {
  const folder = await folderOf(t)
  await transcriptsIn(folder, async (transcripts) => {
    await transcripts.begin(talk('Where is my passport?'))
    t.same((await grep(transcripts, 'passport')).hits, [])
  })
  await transcriptsIn(folder, async (transcripts) =>
    t.match((await grep(transcripts, 'passport')).hits, [{ who: 'person', line: 'Where is my passport?' }])
  )
})

t.test('an answer stays small, whatever there is', async (t) => {
  await transcriptsIn(await folderOf(t), async (transcripts) => {
    const long = `${'x🏝'.repeat(50_000)}needle${'🏝y'.repeat(50_000)}`
    const many = Array.from({ length: 500 }, (_, n) => `${n} haystack ${'z'.repeat(300)}`).join('\n')
    await keep(transcripts, talk('What?', many), talk('Long?', long))
    const [hit] = (await grep(transcripts, 'needle')).hits
    t.match(hit!.line, /^….*needle.*…$/su)
    t.ok(hit!.line.length <= 402 && hit!.line.isWellFormed())
    const { hits, more } = await grep(transcripts, 'haystack', 200)
    t.ok(more)
    t.ok(hits.length > 20 && JSON.stringify(hits).length < 32 * 1024, `${hits.length} hits`)
    t.equal(hits[0]!.line.slice(0, 10), '0 haystack')
    t.equal((await grep(transcripts, 'haystack')).hits.length, 20)
  })
})

t.test('without the grant nothing is read', async (t) => {
  const transcripts = new Proxy({} as Transcripts, {
    get: (_, name) => t.fail(`read ${String(name)}`)
  })
  const grants = {
    require(kind: string): void {
      throw new SelkieError('E_NOT_GRANTED', { kind, what: 'not the memory' })
    }
  }
  const run = grepMemory({ grants, transcripts })
  for (const pattern of ['a', '(', '(a+)+$'])
    await t.rejects(run({ pattern }, never), { code: 'E_NOT_GRANTED', fields: { kind: 'memory' } })
})

t.test('a pattern that is none or never ends is refused with what to do', async (t) => {
  t.match(toolByName('grep_memory')!.schema, { properties: { pattern: { description: /Capitals/ } } })
  await transcriptsIn(await folderOf(t), async (transcripts) => {
    await keep(transcripts, talk('What?', 'a'.repeat(100)))
    await t.rejects(grep(transcripts, '(a'), {
      code: 'E_PATTERN',
      message: '“(a” is no regular expression: a ( has no ).'
    })
    const start = performance.now()
    await t.rejects(grep(transcripts, '(a+)+[b-d]$'), { code: 'E_PATTERN_SLOW', hint: /repeat/ })
    t.ok(performance.now() - start < 15_000)
    t.equal((await grep(transcripts, 'a{100}')).hits.length, 1)
  })
})
