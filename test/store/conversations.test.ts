import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Conversations, Head } from '../../src/store/conversations.js'
import { conversationsIn, folderOf } from '../agent/talks.js'
import { person } from '../vectors/people.js'

const id = (n: number): string => n.toString(16).padStart(32, '0')

/** All that the log says, the newest first. */
async function headsOf(conversations: Conversations): Promise<Head[]> {
  const heads: Head[] = []
  for await (const head of conversations.backwards()) heads.push(head)
  return heads
}

t.test('what was begun and ended is there when the log is opened again', async (t) => {
  const folder = await folderOf(t)
  await conversationsIn(folder, async (log) => {
    await log.begin(id(1), { said: ['Where?'], run: '{"n":1}' })
    t.equal(await log.end(id(1), { said: ['Where?', 'There.'], run: '{"n":2}' }, Uint8Array.of(1, 2, 3)), 1)
  })
  await conversationsIn(folder, async (log) => {
    t.equal(log.length, 2)
    t.same(await headsOf(log), [
      { type: 'end', id: id(1), said: ['Where?', 'There.'], run: '{"n":2}', open: [] },
      { type: 'begin', id: id(1), said: ['Where?'], run: '{"n":1}', open: [0] }
    ])
    t.same([...(await log.calls(1))], [1, 2, 3])
  })
})

t.test('a run that goes on is left alone, and ended as it began once its process is gone', async (t) => {
  const folder = await folderOf(t)
  const begun = { said: ['Question'], run: '{"state":"interrupted"}' }
  await conversationsIn(folder, async (log) => {
    await Promise.all([1, 2, 3].map((n) => log.begin(id(n), begun)))
    await log.end(id(2), { said: ['Question', 'Answer'], run: '{}' }, new Uint8Array())
    t.equal(log.length, 4)
  })
  for (const _ of ['opened', 'opened again'])
    await conversationsIn(folder, async (log) => {
      t.match(
        (await headsOf(log)).slice(0, 3),
        [
          { type: 'end', id: id(3), ...begun, open: [] },
          { type: 'end', id: id(1), ...begun, open: [2] },
          { type: 'end', id: id(2), open: [0, 2] }
        ],
        'also the other way round than they began'
      )
      t.equal(log.length, 6)
    })
})

t.test('under another device’s key the log doesn’t open, and its files hold no word of it', async (t) => {
  const folder = await folderOf(t)
  await conversationsIn(folder, (log) => log.begin(id(1), { said: ['a most secret question'], run: '{}' }))
  const other = person('Eve', 1).devices[0]!
  await t.rejects(
    conversationsIn(folder, async () => {}, other),
    { code: 'E_STORE_KEY' }
  )
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const bytes = await Promise.all(
    files.filter((file) => file.isFile()).map(({ parentPath, name }) => readFile(join(parentPath, name)))
  )
  t.ok(bytes.length > 0)
  t.notOk(bytes.some((file) => file.includes('secret question')))
})

t.test('killed at any moment, a process leaves all that it has said was in the log', async (t) => {
  const folder = await folderOf(t)
  const program = fileURLToPath(new URL('talker.js', import.meta.url))
  const begun = new Set<string>()
  const ended = new Set<string>()
  let interrupted = 0
  const kills = [1, 2, 3, 7, 30, 65]
  for (const steps of kills) {
    const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = once(child, 'close')
    let said = 0
    // What it has written before it dies is read to the end.
    for await (const line of createInterface(child.stdout)) {
      const [what, id] = line.split(' ')
      ;(what === 'begun' ? begun : ended).add(id!)
      if (++said === steps) child.kill('SIGKILL')
    }
    await closed
    await conversationsIn(folder, async (log) => {
      const heads = await headsOf(log)
      const ends = new Map(heads.filter(({ type }) => type === 'end').map((head) => [head.id, head]))
      const begins = heads.filter(({ type }) => type === 'begin').map(({ id }) => id)
      t.ok(
        [...begun].every((id) => begins.includes(id)),
        `after ${steps} steps all that began are there`
      )
      t.same([...ends.keys()].sort(), begins.sort(), 'each has one end')
      t.same(heads[0]!.open, [])
      t.ok([...ended].every((id) => ends.get(id)!.said[1] === `answer of ${id}`))
      interrupted = [...ends.values()].filter(({ said }) => said.length === 1).length
    })
  }
  t.ok(interrupted >= kills.length, `${interrupted} were interrupted`)
})
