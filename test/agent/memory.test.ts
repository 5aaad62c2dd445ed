import { existsSync, readdirSync } from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Memory, type MemoryLimits } from '../../src/agent/memory/memory.js'
import { readPattern } from '../../src/agent/memory/pattern.js'
import type { Conversations } from '../../src/store/conversations.js'
import { naively } from './naively.js'
import { conversationsIn, folderOf } from './talks.js'

const never = new AbortController().signal

/** Keeps conversations, of each what was said in it. */
async function converse(log: Conversations, talks: readonly (readonly string[])[]): Promise<void> {
  for (const said of talks) {
    const id = log.length.toString(16).padStart(32, '0')
    await log.begin(id, { said: said.slice(0, 1), run: '{}' })
    await log.end(id, { said, run: '{}' }, new Uint8Array())
  }
}

async function withMemory(
  t: Test,
  limits: Partial<MemoryLimits>,
  step: (memory: Memory, log: Conversations) => Promise<void>
): Promise<void> {
  await conversationsIn(await folderOf(t), async (log) => {
    const memory = new Memory(log, limits)
    try {
      await step(memory, log)
    } finally {
      await memory.close()
    }
  })
}

async function find(memory: Memory, pattern: string, limit = 1000, signal = never): Promise<string[]> {
  const found = await memory.search(readPattern(pattern), limit, signal)
  return found.map(({ place, number, at }) => `${place}.${number}@${at}`)
}

/** What a naive search finds in conversations that are alone in their log. */
function expected(pattern: string, talks: readonly (readonly string[])[]): string[] {
  const entries = talks.map((said, n) => ({ place: 2 * n + 1, said }))
  return naively(readPattern(pattern), entries).map(({ place, number, at }) => `${place}.${number}@${at}`)
}

const lisbon = [
  ['When does the ship leave?', 'At nine.', 'At nine, for Lisbon.\n\nBring an umbrella.'],
  ['Is LISBON warm?', 'Lisbon is warm.'],
  ['Und München?', 'Grüße aus München: schön.'],
  ['lisbon or porto?', '']
]

t.test('the newest is found first, in all that was said', async (t) => {
  await withMemory(t, {}, async (memory, log) => {
    t.same(await find(memory, 'lisbon'), [], 'nothing was said yet')
    await converse(log, lisbon)
    t.same(await find(memory, 'lisbon'), ['7.0@0', '3.0@3', '3.1@0', '1.2@13'])
    t.same(await find(memory, 'Lisbon'), ['3.1@0', '1.2@13'], 'a capital counts')
    t.same(await find(memory, '(?i)Lisbon', 2), ['7.0@0', '3.0@3'])
    t.same(await find(memory, 'MÜNCHEN'), [])
    t.same(await find(memory, 'münchen'), ['5.0@4', '5.1@10'])
    t.same(await find(memory, '^bring'), ['1.3@0'], 'lines are counted without empty ones')
    t.same(await find(memory, 'zzz'), [])
  })
})

t.test('a run that goes on isn’t found, and is as soon as it has ended', async (t) => {
  await withMemory(t, {}, async (memory, log) => {
    await converse(log, lisbon)
    await log.begin('f'.repeat(32), { said: ['What about lisbon?'], run: '{}' })
    t.equal((await find(memory, 'lisbon')).length, 4)
    await log.end('f'.repeat(32), { said: ['What about lisbon?', 'Nice.'], run: '{}' }, new Uint8Array())
    t.equal((await find(memory, 'lisbon'))[0], '9.0@11')
    for (let n = 0; n < 5; n++) {
      await converse(log, [[`Question ${n}`, `Answer ${n}`]])
      t.same(await find(memory, `answer ${n}`), [`${11 + 2 * n}.1@0`])
    }
  })
})

/** Megabytes of talk, of which each has a word of its own. */
function longTalks(count: number, bytes: number): string[][] {
  return Array.from({ length: count }, (_, n) => [
    `number${n} begins`,
    Array.from(
      { length: bytes / 50 },
      (_, line) => `This is line ${line} of a long conversation: ${line * n}.`
    ).join('\n')
  ])
}

t.test('what there is no room for is read again each time', async (t) => {
  const talks = longTalks(12, 200_000)
  for (const room of [0, 3e6, 1e9])
    await withMemory(t, { room }, async (memory, log) => {
      await converse(log, talks)
      for (const pattern of ['number(0|3|11) ', 'number5', 'line 3999 of .*: \\d+5', 'number0'])
        t.same(await find(memory, pattern), expected(pattern, talks), `${pattern} in ${room}`)
      await converse(log, [['number12 begins', 'And ends.']])
      t.equal((await find(memory, 'number1'))[0], '25.0@0')
      t.same(await find(memory, 'number\\d+ begins', 3), ['25.0@0', '23.0@0', '21.0@0'])
    })
})

const catastrophes = [
  '(a+)+$',
  '^(a+)+b',
  '(.*)*x',
  '(.*.*)*=',
  '((a|a)+)+!$',
  '(a*)*\\d',
  '(?:a|aa)+$',
  '(\\w+\\s?)+:$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(?=(a+)+$)b',
  '(a|b|ab)*c.d'
]

t.test('a pattern that would never end is stopped, and nothing waits for it meanwhile', async (t) => {
  const patience = 300
  await withMemory(t, { patience }, async (memory, log) => {
    await converse(log, [
      ['What?', `${'a'.repeat(120)} ${'ab'.repeat(60)}é`, `${'a'.repeat(60)}!?`],
      ...lisbon
    ])
    t.same(await find(memory, 'umbrella'), ['3.3@9'])
    let stopped = 0
    for (const pattern of catastrophes) {
      const start = performance.now()
      let turns = 0
      const ended = find(memory, pattern).then(
        () => 'found',
        (error: { code?: string }) => error.code
      )
      const isOver = ended.then(() => true)
      while (!(await Promise.race([isOver, setImmediate(false)]))) turns++
      if ((await ended) === 'E_PATTERN_SLOW') {
        stopped++
        t.ok(turns > 100, `${pattern}: ${turns} turns of the event loop`)
      }
      t.ok(performance.now() - start < 10_000, `${pattern}: ${await ended}`)
      t.same(await find(memory, 'umbrella'), ['3.3@9'], 'the next search is none the worse')
    }
    t.ok(stopped > catastrophes.length / 2, `${stopped} were stopped`)
  })
})

t.test('a pattern that needs more room than there is, is refused', async (t) => {
  await withMemory(t, {}, async (memory, log) => {
    await converse(log, [['What?', 'ab'.repeat(7e6)]])
    await t.rejects(find(memory, '^(?:a|b)*[x-z]'), { code: 'E_PATTERN_SLOW' })
    t.same(await find(memory, 'what'), ['1.0@0'])
  })
})

t.test('a search that is given up ends at once; others go on', async (t) => {
  await withMemory(t, { patience: 60_000 }, async (memory, log) => {
    await converse(log, [['What?', 'a'.repeat(120)], ...lisbon])
    const gone = new AbortController()
    const [first, second, third] = [
      find(memory, '(a+)+[b-d]', 10, gone.signal),
      find(memory, 'umbrella'),
      find(memory, 'warm', 10, gone.signal)
    ]
    const given = t.rejects(first, { message: 'given up' })
    const never = t.rejects(third, { message: 'given up' })
    await setTimeout(100)
    gone.abort(new Error('given up'))
    await Promise.all([given, never])
    t.same(await second, ['3.3@9'])
  })
})

t.test('of a run with very many lines the first that match are given', async (t) => {
  await withMemory(t, {}, async (memory, log) => {
    await converse(log, [['What?', 'ab\n'.repeat(1e6)]])
    t.same(await find(memory, 'b', 3), ['1.1@1', '1.2@1', '1.3@1'])
    t.same(await find(memory, '.', 2), ['1.0@0', '1.1@0'])
  })
})

t.test('many searches at once give what each would alone', async (t) => {
  const talks = longTalks(8, 100_000)
  await withMemory(t, {}, async (memory, log) => {
    await converse(log, talks)
    const patterns = Array.from({ length: 16 }, (_, n) => `number${n % 9} `)
    const found = await Promise.all(patterns.map((pattern) => find(memory, pattern)))
    t.same(
      found,
      patterns.map((pattern) => expected(pattern, talks))
    )
  })
})

/** How many threads this process has, where the system tells. */
function threads(): number | undefined {
  const tasks = '/proc/self/task'
  return existsSync(tasks) ? readdirSync(tasks).length : undefined
}

t.test('what is held is let go of after a while, and the thread with it', async (t) => {
  if (threads() === undefined) return t.comment('the system doesn’t tell threads')
  await withMemory(t, { rest: 100 }, async (memory, log) => {
    await converse(log, lisbon)
    const idle = threads()!
    let reads = 0
    const encoded = log.encoded.bind(log)
    log.encoded = (before, down) => {
      reads++
      return encoded(before, down)
    }
    t.equal((await find(memory, 'lisbon')).length, 4)
    const [first, running] = [reads, threads()!]
    t.ok(running > idle)
    while (threads()! >= running) await setTimeout(5)
    t.equal((await find(memory, 'lisbon')).length, 4)
    t.equal(reads, 2 * first, 'it is read again')
  })
})

t.test('closing breaks a search off, and leaves nothing that goes on', async (t) => {
  await conversationsIn(await folderOf(t), async (log) => {
    await converse(log, [['What?', 'a'.repeat(120)]])
    const memory = new Memory(log)
    const searches = [find(memory, '(a+)+[b-d]'), find(memory, 'what')].map((search) => t.rejects(search))
    await setTimeout(100)
    await memory.close()
    await Promise.all(searches)
    await t.rejects(find(memory, 'what'))
  })
})
