import { connect, type Socket } from 'node:net'
import type { NodeApi, OnProgress } from '../api.js'
import { SelkieError } from '../base/errors.js'
import { lineReader } from './lines.js'
import { fromWire, PROTOCOL, type Answer, type Hello } from './messages.js'
import { METHODS, type Method } from './methods.js'
import { socketPath } from './socket.js'

/*
 * Every short command begins with this file, so it imports next to nothing.
 */

/** A result may hold every body of a bundle, twice, in JSON; the limit of a string in Node is near. */
const MAX_ANSWER = 256 * 1024 * 1024

/** A node at work greets at once, on a busy machine within seconds; one that was suspended never does. */
const GREETING_MS = 30_000

interface Pending {
  resolve: (result: unknown) => void
  reject: (error: SelkieError) => void
  onProgress: OnProgress | undefined
  onEvent: ((event: unknown) => void) | undefined
}

/**
 * The facade of the node that listens in `home`, or undefined where none does.
 * Every method rejects with E_NODE_GONE when the connection ends before the answer.
 * `close` ends the connection; the node runs on.
 *
 * @param options.patience milliseconds until a node that says nothing counts as silent
 * @throws SelkieError E_HOME_PATH, E_NODE_OTHER when the node speaks another version,
 *   E_NODE_SILENT when it is there and says nothing
 */
export async function attach(
  home: string,
  { patience = GREETING_MS }: { readonly patience?: number } = {}
): Promise<NodeApi | undefined> {
  const socket = await dial(socketPath(home))
  return socket && converse(socket, patience)
}

/** Whatever keeps us from the socket: who then opens the store finds out more. */
async function dial(path: string): Promise<Socket | undefined> {
  const socket = connect(path)
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })
}

/** Resolves when the node has let us in; a node that is closing hangs up before that. */
async function converse(socket: Socket, patience: number): Promise<NodeApi | undefined> {
  const pending = new Map<number, Pending>()
  let count = 0

  const ask = async (method: Method, args: unknown[]): Promise<unknown> => {
    if (!socket.writable) throw new SelkieError('E_NODE_GONE')
    const id = ++count
    const { progressAt = -1, eventsAt = -1, signalAt = -1 } = METHODS[method]
    const onProgress = args[progressAt] as OnProgress | undefined
    const onEvent = args[eventsAt] as Pending['onEvent']
    const signal = args[signalAt] as AbortSignal | undefined
    const cancel = (): void => void socket.write(JSON.stringify({ cancel: id }) + '\n')
    const answered = new Promise((resolve, reject) =>
      pending.set(id, { resolve, reject, onProgress, onEvent })
    )
    // JSON turns what is left out, and the function, into null.
    const said = args.map((arg, i) => (i === signalAt ? null : arg))
    socket.write(JSON.stringify({ id, method, args: said }) + '\n')
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await answered
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  const giveUp = (error: SelkieError): void => {
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
    socket.destroy()
  }
  const answer = (message: Answer): void => {
    if (message.id === null) return giveUp(fromWire(message.error))
    const asked = pending.get(message.id)
    if (!asked) return
    if ('progress' in message) return asked.onProgress?.(message.progress)
    if ('event' in message) return asked.onEvent?.(message.event)
    pending.delete(message.id)
    if ('error' in message) asked.reject(fromWire(message.error))
    else asked.resolve(message.result)
  }

  return new Promise((resolve, reject) => {
    let greeted = false
    const waiting = setTimeout(() => {
      reject(new SelkieError('E_NODE_SILENT'))
      socket.destroy()
    }, patience)
    const greet = ({ selkie }: Hello): void => {
      greeted = true
      clearTimeout(waiting)
      if (selkie === PROTOCOL) return resolve(facade(socket, ask))
      socket.destroy()
      reject(new SelkieError('E_NODE_OTHER'))
    }
    const read = lineReader(MAX_ANSWER, (line) => {
      const message = parse(line)
      if (!message) socket.destroy()
      else if ('selkie' in message) greet(message)
      else answer(message)
    })
    socket.on('data', (chunk) => {
      if (!read(chunk)) socket.destroy()
    })
    // The close that follows says all that there is to say.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(waiting)
      if (!greeted) resolve(undefined)
      giveUp(new SelkieError('E_NODE_GONE'))
    })
  })
}

function parse(line: string): Hello | Answer | undefined {
  try {
    return JSON.parse(line) as Hello | Answer
  } catch {
    return undefined
  }
}

function facade(socket: Socket, ask: (method: Method, args: unknown[]) => Promise<unknown>): NodeApi {
  const methods = Object.keys(METHODS) as Method[]
  const api = Object.fromEntries(methods.map((method) => [method, (...args: unknown[]) => ask(method, args)]))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      if (socket.closed) return resolve()
      socket.once('close', () => resolve())
      socket.end()
    })
  return { ...api, close } as unknown as NodeApi
}
