import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** How long what a refused client still sends is thrown away, so that it gets to read why. */
const LINGER_MS = 1000

/** The body of a request in memory, unless it has more than `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too large'> {
  if (Number(request.headers['content-length']) > limit) return 'too large'
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      request.off('data', take)
      resolve('too large')
    }
    request.on('data', take)
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', reject)
    request.once('close', () => reject(new Error('the client hung up')))
  })
}

/**
 * What came by Node’s HTTP as the web’s request, which the SDK takes. Its signal aborts
 * once the exchange is over, answered or not.
 */
export function webRequest(
  request: IncomingMessage,
  body: Buffer | undefined,
  base: string,
  signal: AbortSignal
): Request {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(request.headersDistinct))
    for (const value of values) headers.append(name, value)
  const { method = 'GET', url = '/' } = request
  return heldRequest(new URL(url, base), { method, headers, signal, ...(body && { body }) })
}

/**
 * A request whose signal aborts with the given one, as the web’s does only for as long as
 * somebody holds the request: what listens to its signal would wait for ever once it is collected.
 */
export function heldRequest(
  url: URL,
  init: { method: string; headers: Headers; signal: AbortSignal; body?: string | Buffer }
): Request {
  const request = new Request(url, init)
  init.signal.addEventListener('abort', () => void request, { once: true })
  return request
}

/** Sends the web’s response by Node’s HTTP, a stream as it comes. */
export async function answer(
  request: IncomingMessage,
  to: ServerResponse,
  response: Response
): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers))
  // Nothing is said before the first event; until the head is there a client waits for it.
  to.flushHeaders()
  if (response.body) await pipeline(Readable.fromWeb(response.body), to)
  else await once(to.end(), 'finish')
  if (request.complete) return
  request.resume()
  setTimeout(() => request.destroy(), LINGER_MS).unref()
}
