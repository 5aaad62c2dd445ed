import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** One scripted answer. Without anything it is an empty answer that ends well. */
export interface Scripted {
  /**
   * What the model says: a text comes in pieces of some characters, a list piece by piece. A
   * promise in the list is awaited before the next piece: the test says when it goes on.
   */
  readonly text?: string | readonly (string | Promise<unknown>)[]
  /** The calls that it asks for, after the text. */
  readonly calls?: readonly ScriptedCall[]
  /** What it thinks before it answers. */
  readonly reasoning?: string
  /** The text by which it refuses, in place of an answer. */
  readonly refusal?: string
  /** Unless given, `tool_calls` where there are calls and else `stop`. */
  readonly finish?: string
  /** Unless given, 10 and 5; null for a server that doesn’t count. */
  readonly tokens?: { readonly input: number; readonly output: number } | null

  // Faults
  /**
   * After the text and the calls, before the end: `closed` breaks the connection, `short`
   * ends the response as if it were whole.
   */
  readonly cut?: 'closed' | 'short'
  /** After the text it goes on saying this for ever, until nobody listens. */
  readonly endless?: string
  /** It answers with one JSON value though a stream was asked for. */
  readonly plain?: true
  /** In place of all that: a status and a body as they are, of that media type. */
  readonly status?: number
  readonly body?: string | Uint8Array
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface ScriptedCall {
  /** Unless given, `call_1` and so on; null for a server that gives none. */
  readonly id?: string | null
  readonly name: string
  /** A text is sent as it is, be it JSON or not; any other value as JSON. */
  readonly args: unknown
}

/** The body of a request for an answer, as the protocol has it. */
export interface ChatBody {
  readonly model: string
  readonly stream?: boolean
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly {
    readonly type: string
    readonly function: { readonly name: string; readonly description?: string; readonly parameters: unknown }
  }[]
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

/** A request of any kind, in the order in which they came. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  /** When the response is over: whether the client has taken all of it. */
  readonly over: Promise<boolean>
}

/** What comes for a request: by its number from 0, or by what it says. */
export type Script =
  readonly Scripted[] | ((request: ChatBody, number: number) => Scripted | Promise<Scripted>)

export interface OpenAiServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly url: string
  /** All requests for answers so far. */
  readonly chats: readonly ChatBody[]
  /** All requests so far. */
  readonly received: readonly Received[]
  close(): Promise<void>
}

export interface OpenAiOptions {
  /** The numbers of a text’s tokens, as llama.cpp’s `/tokenize` gives them; without it there is none. */
  readonly tokenize?: (text: string) => readonly number[] | Promise<readonly number[]>
  /** What every request must bring; else 401. */
  readonly key?: string
}

const PIECE = 7

/** What a test lets go of when it is time: an answer, or just that a piece is said. */
export interface Held<T = void> {
  readonly promise: Promise<T>
  readonly release: (value: T) => void
}

export function hold<T = void>(): Held<T> {
  let release: (value: T) => void
  const promise = new Promise<T>((resolve) => (release = resolve))
  return { promise, release: release! }
}

/**
 * A server on loopback that speaks OpenAI’s protocol for chat completions and answers by a
 * script: a stream where one is asked for, else one JSON value. A request after the last of
 * a list is answered 400. Every server must be closed.
 */
export async function startOpenAi(script: Script, options: OpenAiOptions = {}): Promise<OpenAiServer> {
  const chats: ChatBody[] = []
  const received: Received[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request
    const over = new Promise<boolean>((resolve) => {
      response.once('close', () => resolve(response.writableFinished))
    })
    const body = method === 'POST' ? await json(request) : undefined
    received.push({ method, path, headers, body, over })
    if (options.key !== undefined && headers.authorization !== `Bearer ${options.key}`) {
      const message = `Incorrect API key provided: ${headers.authorization}`
      return send(response, 401, { error: { message, code: 'invalid_api_key' } })
    }
    if (path === '/v1/models') return send(response, 200, { object: 'list', data: [{ id: 'scripted' }] })
    if (path === '/tokenize' && options.tokenize) {
      const tokens = await options.tokenize((body as { content: string }).content)
      return send(response, 200, { tokens })
    }
    if (path !== '/v1/chat/completions') return send(response, 404, { error: { message: 'No such path' } })
    const chat = body as ChatBody
    const number = chats.push(chat) - 1
    const scripted = typeof script === 'function' ? await script(chat, number) : script[number]
    if (!scripted) return send(response, 400, { error: { message: 'The script is over' } })
    if (scripted.status !== undefined || scripted.body !== undefined) {
      const { status = 200, body = '', type = 'application/json' } = scripted
      response.writeHead(status, { 'content-type': type, ...scripted.headers }).end(body)
    } else if (chat.stream && !scripted.plain) await stream(response, scripted)
    else await send(response, 200, await whole(scripted))
  }

  const server = createServer((request, response) => {
    // Whoever has gone away meanwhile gets no answer.
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    chats,
    received,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}

function send(response: ServerResponse, status: number, value: unknown): Promise<void> {
  const sent = new Promise<void>((resolve) => response.once('close', resolve))
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  return sent
}

async function stream(response: ServerResponse, scripted: Scripted): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  const say = async (data: unknown): Promise<void> => {
    const line = `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
    if (!response.write(line)) await drained(response)
  }
  const delta = (delta: object, finish: string | null = null): Promise<void> =>
    say({ ...HEAD, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })

  await delta({ role: 'assistant', content: '' })
  for (const piece of pieces(scripted.reasoning ?? '')) await delta({ reasoning_content: piece })
  for (const piece of typeof scripted.text === 'string' ? pieces(scripted.text) : (scripted.text ?? [])) {
    if (typeof piece === 'string') await delta({ content: piece })
    else await piece
  }
  for (const piece of pieces(scripted.refusal ?? '')) await delta({ refusal: piece })
  for (const [index, call] of toolCalls(scripted).entries()) {
    const { name, arguments: args } = call.function
    await delta({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] })
    for (const piece of pieces(args)) await delta({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  while (scripted.endless !== undefined && !response.destroyed) await delta({ content: scripted.endless })
  if (scripted.cut === 'closed') return void response.destroy()
  if (scripted.cut === 'short') return void response.end()
  await delta({}, finishOf(scripted))
  const usage = usageOf(scripted)
  if (usage) await say({ ...HEAD, object: 'chat.completion.chunk', choices: [], usage })
  await say('[DONE]')
  response.end()
}

/** Until more can be written, or nobody listens any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

async function whole(scripted: Scripted): Promise<unknown> {
  let content = ''
  for (const piece of typeof scripted.text === 'string' ? [scripted.text] : (scripted.text ?? [])) {
    if (typeof piece === 'string') content += piece
    else await piece
  }
  const calls = toolCalls(scripted)
  const message = {
    role: 'assistant',
    content: content || null,
    ...(scripted.reasoning === undefined ? {} : { reasoning_content: scripted.reasoning }),
    ...(scripted.refusal === undefined ? {} : { refusal: scripted.refusal }),
    ...(calls.length === 0 ? {} : { tool_calls: calls })
  }
  const choices = [{ index: 0, message, finish_reason: finishOf(scripted) }]
  const usage = usageOf(scripted)
  return { ...HEAD, object: 'chat.completion', choices, ...(usage ? { usage } : {}) }
}

const HEAD = { id: 'chatcmpl-1', created: 1, model: 'scripted' }

function toolCalls({ calls = [] }: Scripted) {
  return calls.map(({ id, name, args }, index) => ({
    ...(id === null ? {} : { id: id ?? `call_${index + 1}` }),
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
  }))
}

function finishOf({ finish, calls = [] }: Scripted): string {
  return finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
}

function usageOf({ tokens = { input: 10, output: 5 } }: Scripted) {
  if (!tokens) return undefined
  const { input, output } = tokens
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}

function pieces(text: string): string[] {
  return text.match(new RegExp(`.{1,${PIECE}}`, 'gsu')) ?? []
}
