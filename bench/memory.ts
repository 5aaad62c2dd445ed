import { spawnSync } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Run } from '../src/agent-api.js'
import { grepMemory } from '../src/agent/tools/grep-memory.js'
import { Transcripts } from '../src/agent/transcript.js'
import { ERRORS } from '../src/base/codes.js'
import { initHome } from '../src/node.js'
import { openSelf } from '../src/store/open-self.js'
import type { Self } from '../src/store/self.js'
import { median, ms, timesOf, type Figure } from './measure.js'

const BYTES = 100e6
const RUNS = 10_000
const ROUNDS = 9

/** Of few lines each, so that both have to go through the whole; read alike by both. */
const PATTERNS = [
  'lisbon',
  'Lisbon',
  'trip to lisbon',
  'lisbon|porto|coimbra',
  '(by|for) (ship|boat)s?\\b',
  '[0-9]{4}-[0-9]{2}-[0-9]{2}',
  '[A-Z][a-z]+ [A-Z][a-z]+ [A-Z][a-z]+'
]

/**
 * grep_memory over 100 MB of conversations beside ripgrep over the same text in a file,
 * in turn: the first call, which reads the log, and later ones.
 */
export async function benchMemory(): Promise<Figure[]> {
  if (spawnSync('rg', ['--version']).status !== 0) {
    console.log('      grep_memory isn’t measured: there is no ripgrep here')
    return []
  }
  const folder = await mkdtemp(join(tmpdir(), 'selkie-bench-'))
  const home = join(folder, 'home')
  const file = join(folder, 'said.txt')
  try {
    await initHome({ home, name: 'Bench' })
    await withHome(home, (self) => converse(self, file))
    return await withHome(home, (self) => measured(self, file))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measured(self: Self, file: string): Promise<Figure[]> {
  const transcripts = await Transcripts.open(self)
  const grep = grepMemory({ grants: { require: () => {} }, transcripts })
  const signal = new AbortController().signal
  const hits = async (pattern: string): Promise<number> =>
    ((await grep({ pattern, limit: 200 }, signal))['hits'] as unknown[]).length
  try {
    const [list] = await timesOf(1, () => transcripts.list({ limit: 20 }))
    const firstRg = median(await timesOf(ROUNDS, () => ripgrep(PATTERNS[0]!, file)))
    const [first] = await timesOf(1, () => hits(PATTERNS[0]!))
    const later: { pattern: string; rg: number; own: number }[] = []
    for (const pattern of PATTERNS) {
      const lines = ripgrep(pattern, file)
      const found = await hits(pattern)
      if (found !== lines) throw new Error(`${pattern}: ${found} hits, and ripgrep has ${lines}`)
      const [rg, own]: [number[], number[]] = [[], []]
      for (let round = 0; round < ROUNDS; round++) {
        rg.push(...(await timesOf(1, () => ripgrep(pattern, file))))
        own.push(...(await timesOf(1, () => hits(pattern))))
      }
      later.push({ pattern, rg: median(rg.sort((a, b) => a - b)), own: median(own.sort((a, b) => a - b)) })
    }
    const ratios = later.map(({ rg, own }) => own / rg)
    const each = later.map(({ pattern, rg, own }) => `${pattern} ${(own / rg).toFixed(2)} (${ms(own)})`)
    return [
      {
        name: 'grep_memory over 100 MB against ripgrep, later calls',
        found: `${Math.max(...ratios).toFixed(2)} × at most: ${each.join(', ')}`,
        goal: '≤ 3 ×',
        met: Math.max(...ratios) <= 3
      },
      {
        name: 'grep_memory over 100 MB against ripgrep, the first call of a process',
        found: `${(first! / firstRg).toFixed(1)} × (${ms(first!)} against ${ms(firstRg)})`,
        goal: '≤ 3 ×',
        met: first! <= 3 * firstRg
      },
      {
        name: `the newest 20 of ${RUNS} runs`,
        found: ms(list!),
        goal: '≤ 50 ms',
        met: list! <= 50
      }
    ]
  } finally {
    await transcripts.close()
  }
}

/** Lines that ripgrep finds. */
function ripgrep(pattern: string, file: string): number {
  const words = ['--no-config', '--smart-case', '--line-number', pattern, file]
  const { stdout } = spawnSync('rg', words, { encoding: 'utf8' })
  return stdout.split('\n').length - 1
}

async function withHome<T>(home: string, step: (self: Self) => Promise<T>): Promise<T> {
  const { self } = await openSelf(home, () => Promise.resolve(''))
  try {
    return await step(self)
  } finally {
    await self.store.close()
    await self.logs.close()
  }
}

/** Writes as many runs as make up the size, and what is said in them to a file as well. */
async function converse(self: Self, path: string): Promise<void> {
  const transcripts = await Transcripts.open(self)
  const file = await open(path, 'w')
  const sentence = sentences()
  for (let n = 0; n < RUNS; n++) {
    const lines: string[] = []
    for (let size = 0; size < BYTES / RUNS; size += Buffer.byteLength(lines.at(-1)!) + 1) {
      lines.push(Array.from({ length: 1 + (lines.length % 4) }, sentence).join(' '))
    }
    if (n % 1000 === 500) lines.push('The trip to Lisbon is on 2026-05-17, by ships that run daily.')
    const [question, ...answer] = lines
    const run = runOf(n, question!, answer.join('\n'))
    await transcripts.begin({ ...run, steps: [], answer: '' })
    await transcripts.end(run)
    await file.write(`${lines.join('\n')}\n`)
  }
  await file.close()
  await transcripts.close()
}

/** Gives sentences in the words of the project’s own messages, one after the other. */
function sentences(): () => string {
  const words = Object.values(ERRORS)
    .flatMap(({ says, hint }) => `${says} ${hint}`.split(' '))
    .filter((word) => !/\d/.test(word))
    .map((word) => word.toLowerCase())
  let seed = 1
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  return () => {
    const at = next(words.length - 40)
    const some = words.slice(at, at + 6 + next(30)).join(' ')
    return `${some[0]!.toUpperCase()}${some.slice(1)}.`
  }
}

function runOf(n: number, question: string, answer: string): Run {
  return {
    id: n.toString(16).padStart(32, '0'),
    time: '2026-03-01T12:00:00Z',
    ended: '2026-03-01T12:00:05Z',
    question,
    profile: null,
    after: null,
    model: 'bench',
    state: 'done',
    plan: null,
    bound: [],
    skills: [],
    steps: [{ text: answer, calls: [] }],
    answer,
    truncations: [],
    tokens: null,
    problem: null
  }
}
