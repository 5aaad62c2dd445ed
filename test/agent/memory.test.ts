import fc from 'fast-check'
import t from 'tap'
import { fold } from '../../src/agent/memory/fold.js'
import { Memory, type MemoryLimits } from '../../src/agent/memory/memory.js'
import { readPattern } from '../../src/agent/memory/pattern.js'
import { required } from '../../src/agent/memory/required.js'
import type { Conversations } from '../../src/store/conversations.js'
import { conversationsIn, folderOf } from './talks.js'

const never = new AbortController().signal
const id = (n: number): string => n.toString(16).padStart(32, '0')

/** Keeps conversations, each what was said in it. */
async function converse(log: Conversations, ...talks: readonly (readonly string[])[]): Promise<void> {
  for (const said of talks) {
    const run = id(log.length)
    await log.begin(run, { said: said.slice(0, 1), run: '{}' })
    await log.end(run, { said, run: '{}' }, new Uint8Array())
  }
}

async function withMemory(
  t: typeof import('tap').t extends never ? never : Parameters<typeof folderOf>[0],
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

/** The places and numbers of the lines that a pattern finds, as text. */
async function find(memory: Memory, pattern: string, limit = 1000, signal = never): Promise<string> {
  const found = await memory.search(readPattern(pattern), limit, signal)
  return found.map(({ place, number, at }) => `${place}.${number}@${at}`).join(' ')
}

/** The same by going through all lines of all conversations. */
function naively(pattern: string, talks: readonly (readonly string[])[]): string {
  const { source, flags } = readPattern(pattern)
  return talks
    .map((said, n) =>
      said
        .flatMap((text) => text.split(/[\n\r\u2028\u2029]/))
        .filter((line) => line.trim() !== '')
        .map((line, number) => ({ place: 2 * n + 1, number, at: new RegExp(source, flags).exec(line)?.index }))
        .filter(({ at }) => at !== undefined)
        .map(({ place, number, at }) => `${place}.${number}@${at}`)
    )
    .reverse()
    .flat()
    .join(' ')
}
