import { setTimeout } from 'node:timers/promises'
import type { DeviceKey } from '../base/ids.js'
import { MAX_OPEN, openAsking, type AskingMessage, type FileAnswer, type FileQuestion } from '../wire/asking.js'
import type { Channel } from '../wire/channel.js'
import type { Connection } from '../wire/swarm.js'

/** Milliseconds after which a device counts as not answering. */
const PATIENCE = 3000

/** What came of a question: an answer, or why there is none. */
export type Asked = { readonly answer: FileAnswer } | { readonly why: string }

/** How a device answers the others of its person. */
export interface AskingHandler {
  /** From this device’s own grants alone: nothing that is asked widens them. */
  answer(question: FileQuestion, signal: AbortSignal): Promise<FileAnswer>
  /** Something failed that no one waits for here. */
  failed(error: unknown): void
}

/** A connection to a device, with what is open on it. */
interface Line {
  readonly connection: Connection
  readonly channel: Channel<AskingMessage>
  /** What was asked here and isn’t answered, also where nobody waits any more. */
  readonly asked: Map<number, (asked: Asked) => void>
  /** What was asked from there, and whether the answer is on its way. */
  readonly theirs: Set<number>
  /** Answers to it come one after the other. */
  turn: Promise<void>
}

/**
 * The questions between a person’s devices. Each end has at most {@link MAX_OPEN} open on a
 * connection, and one is open until its answer has come: so nothing piles up here, however
 * much an end asks and however little it reads. An end that asks more is hung up on.
 */
export class Asking {
  readonly #handler: AskingHandler
  readonly #patience: number
  readonly #lines = new Map<DeviceKey, Line>()
  readonly #stop = new AbortController()
  #asked = 0

  /** @param options.patience milliseconds */
  constructor(handler: AskingHandler, { patience = PATIENCE }: { readonly patience?: number } = {}) {
    this.#handler = handler
    this.#patience = patience
  }

  /** Takes over a connection to another device of this person, as soon as it is there. */
  meet(connection: Connection, device: DeviceKey): void {
    const channel = openAsking(connection, (message) => this.#hear(line, message))
    if (!channel) return
    const line: Line = { connection, channel, asked: new Map(), theirs: new Set(), turn: Promise.resolve() }
    this.#lines.set(device, line)
    connection.on('close', () => {
      if (this.#lines.get(device) === line) this.#lines.delete(device)
      for (const tell of line.asked.values()) tell({ why: 'it went offline before it answered' })
    })
  }

  /**
   * Asks a device.
   *
   * @throws what the signal’s reason is, where it aborts
   */
  async ask(device: DeviceKey, question: FileQuestion, signal: AbortSignal): Promise<Asked> {
    signal.throwIfAborted()
    const line = this.#lines.get(device)
    if (!line) return { why: 'it is offline' }
    if (line.asked.size >= MAX_OPEN) return { why: 'it hasn’t answered earlier questions yet' }
    const id = this.#asked++ % 2 ** 32
    ...
  }
}
