import { deepEqual, rejects } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Run } from '../../src/agent-api.js'
import { MAX_BLOCK } from '../../src/store/conversations.js'
import { folderOf, keep, made, talk, transcriptsIn } from './talks.js'

t.test('a run comes back as it was, also after its log was closed and opened', async (t) => {
  const folder = await folderOf(t)
  const odd = { deep: [[[[[[[[[[1.5, -1e300, null]]]]]]]]]], __proto__: 1, '': '\ud83d', big: 2 ** 53 }
  const run: Run = {
    ...talk('Where is it?', 'I look for it.', 'It is “there”: 🏝.'),
    plan: { text: 'I follow @fetch-file.', handles: ['fetch-file'], ignored: ['nothing'] },
    bound: ['find_file'],
    skills: [{ slug: 'fetch-file', uid: '1'.repeat(32), version: '2'.repeat(64) }],
    truncations: ['The history was cut.'],
    problem: { code: 'E_X', message: 'It went wrong.', hint: 'Try again.' }
  }
  run.steps[0]!.calls.push(made(odd, '{"files":[]}'), { ...made('{no json', '{}'), outcome: 'refused' })
  const failed: Run = { ...talk('And?'), steps: [{ text: '', calls: [] }], answer: '', state: 'failed' }
  const told: Run = { ...talk('Well?', 'Step.'), answer: 'Stopped after 24 steps.', state: 'steps' }
  await transcriptsIn(folder, (transcripts) => keep(transcripts, run, failed, told))
  await transcriptsIn(folder, async (transcripts) => {
    for (const each of [run, failed, told]) t.same(await transcripts.get(each.id), each)
    t.same(await transcripts.get(run.id.slice(0, 12).toUpperCase()), run)
    t.same((await transcripts.list()).at(-1), {
      id: run.id,
      time: run.time,
      question: run.question,
      state: 'done',
      skills: ['fetch-file'],
      calls: 2
    })
  })
})

t.test('a run is found by four digits of its id, and by fewer by none', async (t) => {
  const named = (id: string): Run => ({ ...talk(id), id: id.padEnd(32, '0') })
  const runs = [named('abcd1'), named('abcd2'), named('beef')]
  const folder = await folderOf(t)
  const check = (opened: string): Promise<void> =>
    transcriptsIn(folder, async (transcripts) => {
      if (opened === 'first') await keep(transcripts, ...runs)
      t.equal((await transcripts.get('beef')).question, 'beef')
      t.equal((await transcripts.get('abcd2')).question, 'abcd2')
      await t.rejects(transcripts.get('abcd'), { code: 'E_RUN_WHICH', fields: { count: 2 } })
      for (const id of ['bee', 'cafe', '', 'beefs', 'beef'.padEnd(33, '0'), 'x'.repeat(32), '.*'.repeat(8)])
        await t.rejects(transcripts.get(id), { code: 'E_RUN_UNKNOWN' }, `“${id}”`)
      await t.rejects(transcripts.get(runs[0]!.id.replace('1', '3')), { code: 'E_RUN_UNKNOWN' })
    })
  await check('first')
  await check('again')
})

t.test('what is too large for the log is cut, the longest of it, and says so', async (t) => {
  const { id, ...run } = talk('Much?', 'Small.')
  const huge = { ...made({ text: 'y'.repeat(100) }, '"short"'), result: 'é'.repeat(MAX_BLOCK / 2) }
  const steps = [
    { text: 'Look', calls: [huge, made({}, '"small"'), { ...huge, result: '\0'.repeat(MAX_BLOCK / 6) }] },
    { text: 'w'.repeat(MAX_BLOCK), calls: [] },
    { text: 'Small.', calls: [] }
  ]
  await transcriptsIn(await folderOf(t), async (transcripts) => {
    const plan = { text: 'p'.repeat(MAX_BLOCK), handles: ['a'], ignored: Array(1e5).fill('b'.repeat(64)) }
    await keep(transcripts, { ...run, id, plan, steps, truncations: ['Before.'] })
    const kept = await transcripts.get(id)
    const [first, small, second] = kept.steps[0]!.calls
    t.ok(first!.result.length > 5e5 && first!.result.length < huge.result.length, 'the long are cut')
    t.equal(
      second!.result.length,
      MAX_BLOCK / 6 < first!.result.length ? MAX_BLOCK / 6 : first!.result.length
    )
    t.equal(small!.result, '"small"')
    t.equal(first!.args instanceof Object, true)
    t.ok(kept.steps[1]!.text.length < MAX_BLOCK && kept.steps[1]!.text.length > 1e6)
    t.equal(kept.answer, 'Small.')
    t.equal(kept.plan!.text.length, 256 * 1024)
    t.match(kept.truncations, [
      'Before.',
      /a plan of more than \d+/,
      /what was said of more than \d+/,
      /a result of more than \d+/
    ])
    const asked = talk('q'.repeat(MAX_BLOCK + 1), 'A')
    await keep(transcripts, asked)
    t.match((await transcripts.list({ limit: 1 }))[0], { id: asked.id, question: /^q+$/ })
  })
})

t.test('a conversation is the chain of its runs, from the first on', async (t) => {
  const first = talk('One?', 'Uno.')
  const second = { ...talk('Two?', 'Dos.'), after: first.id }
  const elsewhere = { ...talk('Other?', 'Otro.'), after: first.id }
  const third = { ...talk('Three?', 'Tres.'), after: second.id }
  const folder = await folderOf(t)
  await transcriptsIn(folder, (transcripts) => keep(transcripts, first, second, elsewhere, third))
  await transcriptsIn(folder, async (transcripts) => {
    t.same(
      await transcripts.chain(third.id.slice(0, 20)),
      [first, second, third].map(({ id, question, answer }) => ({ id, question, answer }))
    )
    t.equal((await transcripts.chain(first.id)).length, 1)
    await t.rejects(transcripts.chain('f'.repeat(32)), { code: 'E_RUN_UNKNOWN' })
  })
})

t.test('a run that goes on was nowhere to be seen', async (t) => {
  const folder = await folderOf(t)
  const { steps: _, answer: __, ...rest } = talk('Which train?')
  const asked: Run = { ...rest, id: 'abcd'.padEnd(32, '0'), ended: null, steps: [], answer: '' }
  const older = { ...talk('Before?', 'Yes.'), id: 'abce'.padEnd(32, '0') }
  const newer = { ...talk('After?', 'No.'), id: 'abcd'.padEnd(32, '1') }
  const row = { id: asked.id, time: asked.time, question: 'Which train?', skills: [], calls: 0 }
  await transcriptsIn(folder, async (transcripts) => {
    await keep(transcripts, older)
    await transcripts.begin(asked)
    await keep(transcripts, newer)
    const listed = await transcripts.list()
    t.same(listed[1], { ...row, state: 'running' }, 'in the order in which they began')
    t.same(
      listed.map(({ state }) => state),
      ['done', 'running', 'done']
    )
    const running = { ...asked, state: 'running' }
    t.same(await transcripts.show(asked.id), running)
    t.same(await transcripts.show('abcd0'), running)
    t.same(await transcripts.show(older.id), older)
    await t.rejects(transcripts.get('abcd0'), { code: 'E_RUN_RUNNING' })
    await t.rejects(transcripts.chain(asked.id), { code: 'E_RUN_RUNNING' })
    await t.rejects(transcripts.show('abcd'), { code: 'E_RUN_WHICH', fields: { count: 2 } })
  })
  await transcriptsIn(folder, async (transcripts) => {
    t.same((await transcripts.list())[1], { ...row, state: 'interrupted' })
    t.same(await transcripts.show('abcd0'), { ...asked, state: 'interrupted' })
    t.same(await transcripts.get(asked.id), { ...asked, state: 'interrupted' })
  })
})

t.test('a run that ended while the list was made wasn’t in it', async (t) => {
  await transcriptsIn(await folderOf(t), async (transcripts) => {
    const runs = Array.from({ length: 400 }, (_, n) => talk(`Question ${n}`, 'Answer'))
    await Promise.all(runs.map((run) => transcripts.begin(run)))
    // It goes from the newest on, while the oldest end.
    const listing = transcripts.list({ limit: 400 })
    await Promise.all(runs.map((run) => transcripts.end(run)))
    t.same(
      (await listing).map(({ id }) => id),
      runs.map(({ id }) => id).reverse()
    )
    t.ok((await transcripts.list({ limit: 400 })).every(({ state }) => state === 'done'))
  })
})

/** What may happen: a run begins, one of those that go on ends, or the process does. */
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.constant('begin' as const) },
  { weight: 4, arbitrary: fc.nat(5) },
  { weight: 1, arbitrary: fc.constant('killed' as const) }
)

t.test('however runs begin, end and are cut off, the list has each once, as it stands', async (t) => {
  let listings = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(happening, { maxLength: 12 }), { maxLength: 3 }), async (lives) => {
      const folder = await folderOf(t)
      const over: { id: string; state: Run['state'] }[] = []
      let begun: Run[] = []
      let order: string[] = []
      for (const life of [...lives, []])
        await transcriptsIn(folder, async (transcripts) => {
          over.push(...begun.map(({ id }) => ({ id, state: 'interrupted' as const })))
          begun = []
          for (const what of life) {
            if (what === 'killed') break
            if (what === 'begin') {
              const run = talk(`Question ${order.length}`, 'Answer')
              await transcripts.begin(run)
              begun.push(run)
              order = [run.id, ...order]
            } else if (begun.length > 0) {
              const [run] = begun.splice(what % begun.length, 1)
              await transcripts.end(run!)
              over.push({ id: run!.id, state: 'done' })
            }
          }
          const listed = (await transcripts.list({ limit: 100 })).map(({ id, state }) => ({ id, state }))
          const going = begun.map(({ id }) => ({ id, state: 'running' as const }))
          const expected = order.flatMap((id) => [...over, ...going].filter((each) => each.id === id))
          deepEqual(listed, expected)
          deepEqual(
            (await transcripts.list({ limit: 2 })).map(({ id }) => id),
            expected.slice(0, 2).map(({ id }) => id)
          )
          for (const { id, state } of expected) deepEqual((await transcripts.show(id)).state, state)
          for (const { id } of begun) await rejects(transcripts.get(id), { code: 'E_RUN_RUNNING' })
          listings++
        })
    }),
    { numRuns: 15 }
  )
  t.ok(listings > 15, `${listings} lists`)
})
