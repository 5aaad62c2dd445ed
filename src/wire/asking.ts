import { encode } from '../base/msgpack.js'
import { flag, list, object, shape, text, whole } from '../base/schema.js'
import { openChannel, type Channel } from './channel.js'
import type { Connection } from './swarm.js'

/** What one device of a person asks another: files that hold all words of a query. */
export interface FileQuestion {
  readonly query: string
  readonly limit: number
}

/** A file that was found. */
export interface FoundFile {
  /** Absolute, on the device that it is on. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** ISO 8601, UTC. */
  readonly modified: string
  /** Where the words are: all in the name, all in the path, or some in the text. */
  readonly matched: 'name' | 'path' | 'text'
  /** Of a match in the text: its line, from 1, and what stands there. */
  readonly line?: number
  readonly excerpt?: string
}

/** What a device answers, from its own grants. */
export interface FileAnswer {
  /** Whether anything is granted there. */
  readonly granted: boolean
  /** The best first. */
  readonly hits: readonly FoundFile[]
  /** What couldn’t be searched, a sentence each. */
  readonly problems: readonly string[]
  /** Whether there are more files that fit. */
  readonly more: boolean
}

/** A question, its answer, and that the answer has come: until then its place is taken. */
export type AskingMessage =
  | { readonly type: 'ask'; readonly id: number; readonly question: FileQuestion }
  | { readonly type: 'answer'; readonly id: number; readonly answer: FileAnswer }
  | { readonly type: 'got'; readonly id: number }

/** Characters of a query, hits of an answer, questions that one end may have open at once. */
export const MAX_QUERY = 1000
export const MAX_HITS = 200
export const MAX_OPEN = 4
/** Bytes of a message, and of the hits in it. */
const MAX_MESSAGE = 256 * 1024
const MAX_HIT_BYTES = 224 * 1024
/** Characters of a path, and of an excerpt or a problem; problems. */
const MAX_PATH = 4096
const MAX_TEXT = 4096 + 256
const MAX_PROBLEMS = 32

/** Sizes go as text, for they may need more than 32 bits. */
type WireFile = Omit<FoundFile, 'size'> & { readonly size: string }
type WireMessage =
  | Exclude<AskingMessage, { type: 'answer' }>
  | { type: 'answer'; id: number; answer: Omit<FileAnswer, 'hits'> & { hits: readonly WireFile[] } }

const id = whole(2 ** 32 - 1)
const hit = object(
  {
    path: text(MAX_PATH, 1),
    size: { type: 'string', pattern: '^[0-9]{1,15}$' },
    modified: { type: 'string', pattern: '^[0-9T:.Z+-]{20,27}$' },
    matched: { enum: ['name', 'path', 'text'] },
    line: whole(2 ** 32 - 1),
    excerpt: text(MAX_TEXT)
  },
  ['line', 'excerpt']
)
const answer = object({
  granted: flag,
  hits: list(hit, MAX_HITS),
  problems: list(text(MAX_TEXT), MAX_PROBLEMS),
  more: flag
})
const question = object({ query: text(MAX_QUERY, 1), limit: { ...whole(MAX_HITS), minimum: 1 } })

const isMessage = shape<WireMessage>({
  anyOf: [
    object({ type: { const: 'ask' }, id, question }),
    object({ type: { const: 'answer' }, id, answer }),
    object({ type: { const: 'got' }, id })
  ]
})

/**
 * Opens the channel on which a person’s devices ask each other. The turns are for the
 * caller to keep: see {@link MAX_OPEN}.
 *
 * @param onMessage called for each; what is none closes the connection
 */
export function openAsking(
  connection: Connection,
  onMessage: (message: AskingMessage) => void
): Channel<AskingMessage> | undefined {
  const channel = openChannel<WireMessage, WireMessage>(connection, {
    protocol: 'selkie/ask/1',
    limit: MAX_MESSAGE,
    // An end that keeps to its turns may ask for as long as it is connected.
    most: Infinity,
    isMessage,
    onMessage: (message) => onMessage(message.type === 'answer' ? answerOf(message) : message)
  })
  return channel && { send: (message) => channel.send(message.type === 'answer' ? wired(message) : message) }
}

function answerOf({ type, id, answer }: Extract<WireMessage, { type: 'answer' }>): AskingMessage {
  const hits = answer.hits.map((hit) => ({ ...hit, size: Number(hit.size) }))
  return { type, id, answer: { ...answer, hits } }
}

/** An answer as it fits into a message: as many of its hits as have room. */
function wired({ type, id, answer }: Extract<AskingMessage, { type: 'answer' }>): WireMessage {
  const hits: WireFile[] = []
  let bytes = 0
  for (const { size, ...hit } of answer.hits.slice(0, MAX_HITS)) {
    const next = { ...hit, size: String(size) }
    if ((bytes += encode(next).length) > MAX_HIT_BYTES) break
    hits.push(next)
  }
  const problems = answer.problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => problem.slice(0, MAX_TEXT).toWellFormed())
  return {
    type,
    id,
    answer: { ...answer, hits, problems, more: answer.more || hits.length < answer.hits.length }
  }
}
