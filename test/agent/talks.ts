import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Corestore from 'corestore'
import type { Test } from 'tap'
import type { Run, RunCall } from '../../src/agent-api.js'
import { Transcripts } from '../../src/agent/transcript.js'
import { Conversations } from '../../src/store/conversations.js'
import { person } from '../vectors/people.js'

/** Whose conversations these are. */
export const device = person('Ana', 1).devices[0]!

/** A folder for logs, gone when the test ends. */
export async function folderOf(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'selkie-talks-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs `step` on the conversations of a folder, with nobody else holding them. */
export async function conversationsIn<T>(
  folder: string,
  step: (conversations: Conversations) => Promise<T>,
  of = device
): Promise<T> {
  const logs = new Corestore(folder)
  try {
    const conversations = await Conversations.open({ logs, device: of })
    const result = await step(conversations)
    await conversations.close()
    return result
  } finally {
    await logs.close()
  }
}

/** The same with the transcripts. */
export async function transcriptsIn<T>(
  folder: string,
  step: (transcripts: Transcripts) => Promise<T>
): Promise<T> {
  const logs = new Corestore(folder)
  try {
    const transcripts = await Transcripts.open({ logs, device })
    const result = await step(transcripts)
    await transcripts.close()
    return result
  } finally {
    await logs.close()
  }
}

/** A run that has ended well, of a question, what was said at its steps, and the answer. */
export function talk(question: string, ...texts: string[]): Run {
  return {
    id: randomBytes(16).toString('hex'),
    time: '2026-03-01T12:00:00Z',
    ended: '2026-03-01T12:00:05Z',
    question,
    profile: null,
    after: null,
    model: 'scripted',
    state: 'done',
    plan: null,
    bound: [],
    skills: [],
    steps: texts.map((text) => ({ text, calls: [] })),
    answer: texts.at(-1) ?? '',
    truncations: [],
    tokens: { input: 10, output: 5 },
    problem: null
  }
}

/** A call that has given a result. */
export function made(args: unknown, result: string): RunCall {
  return {
    id: 'call_1',
    name: 'call_tool',
    input: JSON.stringify({ name: 'find_file', arguments: args }),
    tool: 'find_file',
    skill: null,
    args,
    outcome: 'ran',
    result,
    milliseconds: 3
  }
}

/** Keeps runs one after the other. */
export async function keep(transcripts: Transcripts, ...runs: Run[]): Promise<void> {
  for (const run of runs) {
    await transcripts.begin(run)
    await transcripts.end(run)
  }
}
