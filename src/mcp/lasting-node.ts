import { setTimeout } from 'node:timers/promises'
import type { NodeApi } from '../api.js'
import { isSelkieError, SelkieError } from '../base/errors.js'
import type { NamespaceNode } from '../skills/namespace.js'

/** A node that is used: in this process, or behind the socket of another. */
export interface Connection {
  readonly node: NodeApi
  readonly elsewhere: boolean
  close(): Promise<void>
}

interface Current {
  readonly connection: Connection
  /** Whether it is kept up by a person, with `selkie up`. */
  readonly up: boolean
}

type OnEvent = (event: { kinds: string[] }) => void

/** Milliseconds that whoever wants to bring the store online has before it is opened here again. */
const GIVEN_WAY_MS = 1000

/** Whatever may have changed while nobody told. */
const ANYTHING = { kinds: ['skill', 'alias'] }

/**
 * A node for as long as an agent runs. Where that of another command or agent was used,
 * which held the store for a while, and it goes away, the next one is used, or the store is
 * opened here. Where a person stops `selkie up`, it is over: they may want to start it
 * again, and find the store free. It only asks; so what was cut off is asked once more.
 */
export class LastingNode implements NamespaceNode {
  readonly #connect: () => Promise<Connection>
  readonly #listeners = new Set<OnEvent>()
  readonly #closing = new AbortController()
  /** Undefined while the next one is awaited. */
  #used: Current | undefined
  #current: Promise<Current>
  #lose: (error: unknown) => void = () => {}
  /** Rejects when there is no node any more: with E_NODE_GONE, or why none can be opened. */
  readonly lost: Promise<never>

  private constructor(connect: () => Promise<Connection>, first: Current) {
    this.#connect = connect
    this.#used = first
    this.#current = Promise.resolve(first)
    this.lost = new Promise((_, reject) => (this.#lose = reject))
    this.lost.catch(() => {})
    void this.#follow(first)
  }

  /** @param connect as the command line does it: attaches, or opens the store */
  static async open(connect: () => Promise<Connection>): Promise<LastingNode> {
    return new LastingNode(connect, await current(connect))
  }

  status = (): ReturnType<NodeApi['status']> => this.#ask((node) => node.status())
  list = (): ReturnType<NodeApi['list']> => this.#ask((node) => node.list())
  show: NodeApi['show'] = (...args) => this.#ask((node) => node.show(...args))
  log: NodeApi['log'] = (...args) => this.#ask((node) => node.log(...args))
  skillFile: NodeApi['skillFile'] = (...args) => this.#ask((node) => node.skillFile(...args))
  toolsForPlan: NodeApi['toolsForPlan'] = (...args) => this.#ask((node) => node.toolsForPlan(...args))

  async watch(onEvent: OnEvent, signal: AbortSignal): Promise<void> {
    this.#listeners.add(onEvent)
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await Promise.race([aborted, this.lost]).finally(() => this.#listeners.delete(onEvent))
  }

  /** Lets go of the store, or of whoever holds it. */
  async close(): Promise<void> {
    this.#closing.abort()
    await (await this.#current.catch(() => undefined))?.connection.close()
  }

  async #ask<T>(question: (node: NodeApi) => Promise<T>): Promise<T> {
    const asked = await this.#current
    try {
      return await question(asked.connection.node)
    } catch (error) {
      if (!isSelkieError(error, 'E_NODE_GONE')) throw error
      return question((await this.#replace(asked)).connection.node)
    }
  }

  /** Hears of changes until the node goes away, and then goes on with the next. */
  async #follow(current: Current): Promise<void> {
    const { connection } = current
    const giving = new AbortController()
    const told: OnEvent = (event) => {
      if (event.kinds.includes('give-way') && !connection.elsewhere) giving.abort()
      for (const listener of this.#listeners) listener(event)
    }
    try {
      // A node that stops ends the watch, or hangs up.
      await connection.node.watch(told, AbortSignal.any([this.#closing.signal, giving.signal]))
    } catch (error) {
      if (!isSelkieError(error, 'E_NODE_GONE')) this.#lose(error)
    }
    if (this.#closing.signal.aborted) return
    // Whether there is a next one is told by `lost`.
    await this.#replace(current, giving.signal.aborted).catch(() => {})
  }

  /** The node that comes after one that is gone. Whoever asks for it first brings it about. */
  #replace(gone: Current, hasGivenWay = false): Promise<Current> {
    if (this.#used !== gone) return this.#current
    this.#used = undefined
    this.#current = this.#next(gone, hasGivenWay)
    this.#current.catch((error: unknown) => this.#lose(error))
    return this.#current
  }

  async #next(gone: Current, hasGivenWay: boolean): Promise<Current> {
    await gone.connection.close()
    const isOver = gone.up || !(gone.connection.elsewhere || hasGivenWay)
    if (isOver || this.#closing.signal.aborted) throw new SelkieError('E_NODE_GONE')
    if (hasGivenWay) await setTimeout(GIVEN_WAY_MS)
    const next = await current(this.#connect)
    this.#used = next
    for (const listener of this.#listeners) listener(ANYTHING)
    void this.#follow(next)
    return next
  }
}

async function current(connect: () => Promise<Connection>): Promise<Current> {
  for (;;) {
    const connection = await connect()
    try {
      const { online } = await connection.node.status()
      return { connection, up: connection.elsewhere && online }
    } catch (error) {
      await connection.close()
      // It was about to end: the next time it is another one.
      if (!isSelkieError(error, 'E_NODE_GONE')) throw error
    }
  }
}
