import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Alignment, GrantsShown, ModelShown, PlanShown, Replay, Run, RunListed } from '../../src/api.js'
import { startOpenAi } from '../agent/openai-server.js'
import { calling, callsOf } from '../agent/scripted.js'
import { dhtFor, Person } from './person.js'

t.test('the agent from the command line', async (t) => {
  const ann = await Person.of(t, await dhtFor(t), 'Ann')
  const notes = join(ann.folder, 'notes')
  await mkdir(notes)
  await writeFile(join(notes, 'boiler.txt'), 'The boiler was serviced in March.\n')

  await t.test('without a model it says how to set one, and plans by words', async (t) => {
    t.match(await ann.refused('ask', 'Is anything planned?'), {
      code: 'E_MODEL_NONE',
      hint: /selkie model set/
    })
    t.same(await ann.run<ModelShown>('model'), { kind: 'none' })
    t.match(await ann.run<PlanShown>('plan', '--by-words', 'is', 'anything', 'planned', 'today'), {
      how: 'words',
      handles: ['check-schedule']
    })
  })

  const server = await startOpenAi((chat, number) => {
    if (number % 3 === 0) return { text: 'I would follow @search-info.' }
    if (number % 3 === 1)
      return {
        text: 'Let me look.',
        calls: [calling('find_file', { query: 'boiler serviced' }, '@fetch-file')]
      }
    return { text: `It says: ${/serviced in (\w+)/.exec(chat.messages.at(-1)!.content!)?.[1] ?? 'nothing'}.` }
  })
  t.teardown(() => server.close())

  await t.test('ask, with the transcript as JSON and as text', async (t) => {
    await ann.run('model', 'set', '--url', server.url, '--model', 'scripted')
    t.match(await ann.run<GrantsShown>('grant', 'files', notes), { files: [{ there: true }] })
    const run = await ann.run<Run>('ask', 'When was the boiler serviced?')
    t.match(run, { state: 'done', answer: 'It says: March.', plan: { handles: ['search-info'] } })
    t.match(callsOf(run), [{ tool: 'find_file', skill: 'fetch-file', outcome: 'ran' }])

    const spoken = await ann.command(['ask', 'When', 'was', 'the', 'boiler', 'serviced?'])
    t.match(spoken, { status: 0, stdout: 'It says: March.\n' })
    t.match(
      spoken.stderr,
      /Plan: I would follow @search-info\.\nLoaded @search-info\nLoaded @fetch-file\nfind_file /
    )

    t.match(await ann.run<RunListed[]>('runs', '--limit', '1'), [
      { question: 'When was the boiler serviced?' }
    ])
    const shown = await ann.command(['run', 'show', run.id.slice(0, 8)])
    t.match(shown.stdout, /Loaded @search-info, version [0-9a-f]{12}\n/)
    t.notMatch(shown.stdout, /Go through the sources/)
    t.match((await ann.command(['run', 'show', run.id, '--full'])).stdout, /│ Go through the sources/)
    t.match(await ann.run<Replay>('run', 'replay', run.id), { same: true })

    await ann.run('revoke', 'files', notes)
    const again = await ann.command(['run', 'replay', run.id])
    t.match(again, { status: 1, stdout: /denied now/ })
  })

  await t.test('with a node up it is the same, and Ctrl-C ends the run and not the node', async (t) => {
    await ann.up()
    t.match(await ann.run<Run>('ask', 'When was the boiler serviced?'), {
      state: 'done',
      answer: 'It says: nothing.'
    })
    const slow = await startOpenAi((_, number) =>
      number === 0 ? { text: 'directly' } : { text: ['It', new Promise(() => {})] }
    )
    t.teardown(() => slow.close())
    await ann.run('model', 'set', '--url', slow.url, '--model', 'slow')
    const asking = ann.start(['ask', 'Hello?', '--json'])
    const ended = new Promise<[number | null, string]>((resolve) => {
      let said = ''
      asking.stdout!.setEncoding('utf8').on('data', (piece: string) => (said += piece))
      asking.once('close', (status) => resolve([status, said]))
    })
    // The run has begun when the model was asked the second time.
    while (slow.chats.length < 2) await new Promise((resolve) => setImmediate(resolve))
    asking.kill('SIGINT')
    const [status, said] = await ended
    t.equal(status, 130)
    t.match(JSON.parse(said), { state: 'stopped', question: 'Hello?' })
    t.match(await ann.run<RunListed[]>('runs', '--limit', '1'), [{ state: 'stopped' }])
    t.equal(await ann.kill('SIGTERM'), 0)
  })

  await t.test('a conversation by lines', async (t) => {
    await ann.run('model', 'set', '--url', server.url, '--model', 'scripted')
    const { status, stdout } = await ann.command(
      ['chat', '--json'],
      'The boiler?\nAnd the roof?\n\nnot this\n'
    )
    t.equal(status, 0)
    const [first, second, ...more] = JSON.parse(stdout) as Run[]
    t.same(more, [])
    t.match(second, { question: 'And the roof?', after: first!.id })
  })

  await t.test('the Alignment document', async (t) => {
    t.match((await ann.command(['menu'])).stdout, /- @search-info: .*\n[^]*── ~\d+ tokens/)
    await ann.command(['instructions', 'edit', '-'], 'Answer in rhyme.\n')
    t.match(await ann.run<Alignment>('blurb', 'date', 'on'), { edited: true, text: /^Answer in rhyme\./ })
    t.match(await ann.run<Alignment>('instructions', 'reset'), { edited: false })
    t.match(await ann.refused('blurb', 'dates', 'on'), { code: 'E_USAGE' })
  })

  await t.test('refusals', async (t) => {
    t.match(await ann.refused('grant', 'files', join(notes, 'nowhere')), { code: 'E_GRANT_PATH' })
    t.match(await ann.refused('grant', 'files'), { code: 'E_USAGE' })
    t.match(await ann.refused('grant', 'notebook', notes), { code: 'E_USAGE' })
    t.match(await ann.refused('revoke', 'files', notes), { code: 'E_GRANT_UNKNOWN' })
    t.match(await ann.refused('run', 'show', 'f'.repeat(32)), { code: 'E_RUN_UNKNOWN' })
    t.match(await ann.refused('ask', ''), { code: 'E_ASK_EMPTY' })
    t.match(await ann.refused('ask', 'x', '--profile', 'nobody'), { code: 'E_PROFILE_UNKNOWN' })
  })
})
