import { setTimeout as sleep } from 'node:timers/promises'
import type { DeviceKey } from '../base/ids.js'
import {
  MAX_OPEN,
  openAsking,
  type AskingMessage,
  type FileAnswer,
  type FileQuestion
} from '../wire/asking.js'
import type { Channel } from '../wire/channel.js'
import type { Connection } from '../wire/swarm.js'

/** Milliseconds after which a device counts as not answering. */
const PATIENCE = 3000

/** What came of a question: an answer, or why there is none. */
export type Asked = { readonly answer: FileAnswer } | { readonly why: string }

/** How this device answers the others of its person. */
export interface AskingHandler {
  /** By this device’s own grants alone: nothing that is asked widens them. */
  answer(question: FileQuestion, signal: AbortSignal): Promise<FileAnswer>
  /** Something failed that no one waits for here. */
  failed(error: unknown): void
}

/** A connection to a device, and what is open on it. */
interface Line {
  readonly device: DeviceKey
  readonly connection: Connection
  readonly channel: Channel<AskingMessage>
  /** What was asked here and isn’t answered, also where nobody waits any more. */
  readonly asked: Map<number, (asked: Asked) => void>
  /** What was asked there, and whether the answer is on its way. */
  readonly theirs: Map<number, boolean>
  /** Aborts when the connection closes. */
  readonly closing: AbortController
}

/**
 * The questions between a person’s devices. Each end has at most {@link MAX_OPEN} open on a
 * connection, and one is open until its answer has come: so nothing piles up here, however
 * much an end asks and however little it reads. One that asks more is hung up on.
 */
export class Asking {
  readonly #handler: AskingHandler
  readonly #patience: number
  readonly #lines = new Set<Line>()
  /** Each device is answered one question after the other. */
  readonly #turns = new Map<DeviceKey, Promise<void>>()
  #asked = 0

  /** @param options.patience milliseconds until a device counts as not answering */
  constructor(handler: AskingHandler, { patience = PATIENCE }: { readonly patience?: number } = {}) {
    this.#handler = handler
    this.#patience = patience
  }

  /** Takes over a connection to another device of this person, as soon as it is there. */
  meet(connection: Connection, device: DeviceKey): void {
    const channel = openAsking(connection, (message) => this.#hear(line, message))
    if (!channel) return
    const closing = new AbortController()
    const line: Line = { device, connection, channel, asked: new Map(), theirs: new Map(), closing }
    this.#lines.add(line)
    connection.on('close', () => {
      this.#lines.delete(line)
      closing.abort()
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
    const line = [...this.#lines].findLast((each) => each.device === device)
    if (!line) return { why: 'it is offline' }
    if (line.asked.size >= MAX_OPEN) return { why: 'it hasn’t answered earlier questions yet' }
    const id = this.#asked++ % 2 ** 32
    const late = `it didn’t answer within ${this.#patience / 1000} seconds`
    let timer: NodeJS.Timeout | undefined
    let stop = (): void => {}
    try {
      return await new Promise<Asked>((resolve, reject) => {
        timer = setTimeout(() => resolve({ why: late }), this.#patience)
        stop = () => reject(signal.reason as Error)
        signal.addEventListener('abort', stop)
        line.channel.send({ type: 'ask', id, question })
        line.asked.set(id, resolve)
      })
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }

  /** Stops answering. */
  async close(): Promise<void> {
    for (const { closing } of this.#lines) closing.abort()
    await Promise.all(this.#turns.values())
  }

  #hear(line: Line, message: AskingMessage): void {
    const { connection, channel, asked, theirs } = line
    const { id } = message
    switch (message.type) {
      case 'ask':
        if (theirs.has(id) || theirs.size >= MAX_OPEN) return void connection.destroy()
        theirs.set(id, false)
        return this.#takeTurn(line.device, () => this.#answer(line, id, message.question))
      case 'answer': {
        const tell = asked.get(id)
        if (!tell) return void connection.destroy()
        asked.delete(id)
        channel.send({ type: 'got', id })
        return tell({ answer: message.answer })
      }
      case 'got':
        if (theirs.get(id) !== true) return void connection.destroy()
        theirs.delete(id)
    }
  }

  #takeTurn(device: DeviceKey, step: () => Promise<void>): void {
    const mine = (this.#turns.get(device) ?? Promise.resolve())
      .then(step)
      .catch((error: unknown) => this.#handler.failed(error))
      .finally(() => {
        if (this.#turns.get(device) === mine) this.#turns.delete(device)
      })
    this.#turns.set(device, mine)
  }

  async #answer(line: Line, id: number, question: FileQuestion): Promise<void> {
    const { signal } = line.closing
    const since = performance.now()
    let answer: FileAnswer
    try {
      signal.throwIfAborted()
      answer = await this.#handler.answer(question, signal)
    } catch (error) {
      if (signal.aborted) return
      this.#handler.failed(error)
      answer = { granted: true, hits: [], problems: ['its search failed'], more: false }
    }
    if (signal.aborted) return
    line.theirs.set(id, true)
    line.channel.send({ type: 'answer', id, answer })
    // No device makes this one work for it more than half of the time.
    await sleep(performance.now() - since, undefined, { signal }).catch(() => {})
  }
}
