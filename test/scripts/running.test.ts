import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import type { RunListed } from '../../src/api.js'
import { hold, startOpenAi } from '../agent/openai-server.js'
import { dhtFor, Person } from './person.js'

t.test('a run that goes on, seen from another process', async (t) => {
  const ann = await Person.of(t, await dhtFor(t), 'Ann')
  let asked = hold()
  /** Each run is asked for a plan, and waits with its answer until the test lets it go. */
  let answer = hold()
  const server = await startOpenAi((_, number) => {
    if (number % 2 === 0) return { text: 'directly' }
    asked.release()
    return { text: ['It is ', answer.promise, 'Sunday.'] }
  })
  t.teardown(() => server.close())
  await ann.run('model', 'set', '--url', server.url, '--model', 'scripted')

  /** Asks, in a process that holds the store itself, and comes back when the answer is awaited. */
  const begin = async (question: string): Promise<{ child: ChildProcess; closed: Promise<unknown> }> => {
    asked = hold()
    answer = hold()
    const child = ann.start(['ask', question, '--json'])
    const closed = once(child, 'close')
    child.stdout!.resume()
    child.stderr!.resume()
    await asked.promise
    return { child, closed }
  }
  const newest = async (): Promise<RunListed> => (await ann.run<RunListed[]>('runs', '--limit', '1'))[0]!

  await t.test('is listed as running, shown with its question, and not replayed', async (t) => {
    const { closed } = await begin('What day?')
    const listed = await newest()
    t.match(listed, { state: 'running', question: 'What day?', calls: 0 })
    const shown = await ann.command(['run', 'show', listed.id.slice(0, 8)])
    t.match(shown.stdout, /: running\n[^]*> What day\?\n\nIt goes on\./)
    t.match(await ann.refused('run', 'replay', listed.id.slice(0, 8)), { code: 'E_RUN_RUNNING' })
    t.match(await ann.refused('ask', 'And then?', '--after', listed.id), { code: 'E_RUN_RUNNING' })
    answer.release()
    await closed
    t.match(await ann.run<RunListed[]>('runs'), [{ id: listed.id, state: 'done' }])
  })

  await t.test('once its process was killed it is interrupted', async (t) => {
    const { child, closed } = await begin('What month?')
    t.match(await newest(), { state: 'running', question: 'What month?' })
    child.kill('SIGKILL')
    await closed
    t.match(await newest(), { state: 'interrupted', question: 'What month?' })
  })

  await t.test('Ctrl-C at a plan ends the request at the model, and not the node', async (t) => {
    await ann.up()
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const begun = hold()
      const slow = await startOpenAi(() => {
        begun.release()
        return { text: ['I would', new Promise(() => {})] }
      })
      t.teardown(() => slow.close())
      await ann.run('model', 'set', '--url', slow.url, '--model', 'slow')
      const child = ann.start(['plan', 'What day?'])
      const closed = once(child, 'close')
      let said = ''
      for (const stream of [child.stdout!, child.stderr!])
        stream.setEncoding('utf8').on('data', (piece: string) => (said += piece))
      await begun.promise
      child.kill(signal)
      t.same(await closed, signal === 'SIGINT' ? [130, null] : [null, signal])
      t.equal(said, '')
      t.equal(await slow.received.at(-1)!.over, false, 'nobody took the rest of the answer')
    }
    t.match(await ann.run('status'), { online: true })
    t.equal(await ann.kill('SIGTERM'), 0)
  })
})
