import { rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import type { NodeApi, OnProgress } from '../api.js'
import { SelkieError } from '../base/errors.js'
import { asSelkieError } from '../base/system.js'
import { lineReader } from './lines.js'
import { PROTOCOL, toWire, type Answer, type Cancel, type Hello, type Request } from './messages.js'
import { isMethod, METHODS } from './methods.js'
import { socketPath } from './socket.js'

/** Bytes of one request: a body of 1 MiB fits in any spelling that is likely. */
export const MAX_REQUEST = 4 * 1024 * 1024

/** A node that stops hangs up on a client that has been quiet for so long. */
const QUIET_MS = 1000

export interface Server {
  /**
   * Lets no one else in, and goes on answering those who are in until they hang up or
   * have been quiet for a second. Who waits for another person, as `invited` does, is
   * told E_NODE_GONE at once.
   *
   * @param atOnce whether what runs a model is ended too, and not waited for
   */
  close(atOnce?: boolean): Promise<void>
}

interface Client {
  /** Resolves when the connection has ended, with nothing left half answered. */
  dismiss(atOnce: boolean): Promise<void>
}

/**
 * Lets other processes of this user use `api`, by the socket of `home`, which only
 * they may open. Call it only as the owner of the store: a socket that is there is
 * taken for the leftover of a process that was killed, and removed.
 *
 * @throws SelkieError E_HOME_PATH
 */
export async function serve(api: NodeApi, home: string): Promise<Server> {
  const path = socketPath(home)
  const clients = new Set<Client>()
  const server = createServer((socket) => {
    const client = receive(socket, api)
    clients.add(client)
    socket.once('close', () => clients.delete(client))
  })
  if (process.platform !== 'win32') await rm(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // The socket is made within `listen`, so it is never open to others, not for a moment.
    const umask = process.platform === 'win32' ? undefined : process.umask(0o177)
    server.listen(path, resolve)
    if (umask !== undefined) process.umask(umask)
  })
  return {
    close: async (atOnce = false) => {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all([...clients].map((client) => client.dismiss(atOnce)))
      await closed
    }
  }
}

/** Answers one client until it hangs up. */
function receive(socket: Socket, api: NodeApi): Client {
  /** What runs, and for each how to give it up early. */
  const running = new Map<Request, () => void>()
  /** What may be ended, by the id of its request. */
  const signals = new Map<number, AbortController>()

  const say = (message: Hello | Answer): void => {
    if (!socket.writable) return
    // A client that doesn’t read what it asked for isn’t asked for more.
    if (!socket.write(JSON.stringify(message) + '\n')) socket.pause()
  }

  const run = async (request: Request): Promise<void> => {
    const { id, method } = request
    const { progressAt, eventsAt, signalAt } = METHODS[method]
    const args = request.args.map((arg) => arg ?? undefined)
    if (progressAt !== undefined) {
      const onProgress: OnProgress = (progress) => {
        if (!socket.writableNeedDrain) say({ id, progress })
      }
      args[progressAt] = onProgress
    }
    if (eventsAt !== undefined) args[eventsAt] = (event: unknown) => say({ id, event })
    const ending = new AbortController()
    if (signalAt !== undefined) {
      args[signalAt] = ending.signal
      signals.set(id, ending)
    }
    const stopped = new Promise<never>((_, reject) => {
      const gone = new SelkieError('E_NODE_GONE')
      running.set(request, () => (signalAt === undefined ? reject(gone) : ending.abort(gone)))
    })
    try {
      const call = api[method] as (...args: unknown[]) => Promise<unknown>
      say({ id, result: await Promise.race([call.apply(api, args), stopped]) })
    } catch (error) {
      say({ id, error: toWire(asSelkieError(error)) })
    }
    running.delete(request)
    if (signals.get(id) === ending) signals.delete(id)
  }

  const read = lineReader(MAX_REQUEST, (line) => {
    const request = parse(line)
    if ('cancel' in request) signals.get(request.cancel)?.abort()
    else if (request instanceof SelkieError) say({ id: null, error: toWire(request) })
    else void run(request)
  })
  socket.on('data', (chunk) => {
    if (read(chunk)) return
    say({ id: null, error: toWire(new SelkieError('E_REQUEST', { why: 'it is too long' })) })
    socket.removeAllListeners('data').resume().end()
  })
  socket.on('drain', () => socket.resume())
  // The close that follows says all that there is to say.
  socket.on('error', () => {})
  socket.on('close', () => {
    for (const ending of signals.values()) ending.abort()
  })
  say({ selkie: PROTOCOL })

  return {
    dismiss: (atOnce) =>
      new Promise((resolve) => {
        socket.once('close', () => resolve())
        for (const [{ method }, giveUp] of running) {
          const { waits, runs } = METHODS[method]
          if (waits || (runs && atOnce)) giveUp()
        }
        socket.setTimeout(QUIET_MS, () => {
          if (running.size === 0) socket.destroy()
        })
      })
  }
}

function parse(line: string): Request | Cancel | SelkieError {
  let message: Partial<Request & Cancel> | null
  try {
    message = JSON.parse(line) as typeof message
  } catch {
    return new SelkieError('E_REQUEST', { why: 'it isn’t JSON' })
  }
  if (typeof message?.cancel === 'number') return { cancel: message.cancel }
  if (typeof message?.id !== 'number' || !Array.isArray(message.args)) {
    return new SelkieError('E_REQUEST', { why: 'it has no number or no arguments' })
  }
  if (!isMethod(message.method)) return new SelkieError('E_REQUEST', { why: 'there is no such method' })
  return message as Request
}
