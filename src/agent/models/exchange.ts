import { SelkieError } from '../../base/errors.js'

/** Where a model answers, and by which key. */
export interface Endpoint {
  /** Up to and with `/v1`, without a slash at its end. */
  readonly url: string
  readonly model: string
  readonly key?: string | undefined
}

/** Milliseconds in which at least one byte must come. */
const PATIENCE = 120_000
/** Bytes of one response, with all that a stream wraps its pieces in. */
const MAX_RESPONSE = 64 * 1024 * 1024
/** Bytes that are looked at of a response that refuses. */
const MAX_REFUSAL = 64 * 1024

/**
 * One request to an endpoint, and its response: the key goes to it and nowhere else, silence
 * and size are bounded, and whatever goes wrong is one of our errors. The library in between
 * wraps what it is thrown: the first thing that went wrong is kept here.
 */
export class Exchange {
  readonly #endpoint: Endpoint
  readonly #patience: number
  readonly #signal: AbortSignal
  readonly #stop = new AbortController()
  readonly #onAbort = (): void => void this.#fail(this.#signal.reason)
  #failure: { readonly reason: unknown } | undefined

  /** @param signal breaks it off: its reason is then what failed */
  constructor(endpoint: Endpoint, signal: AbortSignal, patience = PATIENCE) {
    signal.throwIfAborted()
    this.#endpoint = endpoint
    this.#patience = patience
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort)
  }

  /** What went wrong first; undefined where nothing has. */
  get failure(): { readonly reason: unknown } | undefined {
    return this.#failure
  }

  /** Lets go of the connection, if the response isn’t over. */
  end(): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#stop.abort()
  }

  /** As the global one; a response that isn’t a good one is an error. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { key } = this.#endpoint
    const headers = new Headers(init?.headers)
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
    let response: Response
    try {
      const { signal } = this.#stop
      // The key must not follow to wherever it is sent on to.
      const asked = globalThis.fetch(input, { ...init, headers, signal, redirect: 'manual' })
      response = await this.#soon(asked)
    } catch (cause) {
      throw this.#fail(this.#unreached(cause))
    }
    if (!response.ok) throw this.#fail(await this.#refusal(response))
    const body = response.body && this.#guarded(response.body)
    return new Response(body, { status: response.status, headers: response.headers })
  }

  /** Ends it: its response can’t be used. Gives back what went wrong first, to be thrown. */
  unusable(why = 'it isn’t in the OpenAI protocol'): Error {
    return this.#fail(new SelkieError('E_MODEL_ANSWER', { model: this.#endpoint.model, why }))
  }

  /** Gives back what went wrong first, to be thrown. */
  #fail(reason: unknown): Error {
    this.#failure ??= { reason }
    this.#stop.abort()
    return this.#failure.reason as Error
  }

  /** Waits for what comes, but not for ever. */
  async #soon<T>(coming: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      const { model } = this.#endpoint
      this.#fail(new SelkieError('E_MODEL_SLOW', { model, seconds: Math.ceil(this.#patience / 1000) }))
    }, this.#patience)
    try {
      return await coming
    } finally {
      clearTimeout(timer)
    }
  }

  #guarded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    let size = 0
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await this.#soon(reader.read())
          if (done) return controller.close()
          size += value.length
          if (size > MAX_RESPONSE) throw this.unusable('it is too long')
          controller.enqueue(value)
        } catch (cause) {
          const { model } = this.#endpoint
          controller.error(this.#fail(new SelkieError('E_MODEL_CUT', { model }, { cause })))
        }
      },
      cancel: (reason) => reader.cancel(reason)
    })
  }

  #unreached(cause: unknown): Error {
    const code = codeOf(cause)
    // What came back was no HTTP.
    if (code.startsWith('HPE_')) return this.unusable()
    const { url } = this.#endpoint
    return new SelkieError('E_MODEL_UNREACHABLE', { url, why: whyUnreached(code) }, { cause })
  }

  async #refusal(response: Response): Promise<SelkieError> {
    const { url, model } = this.#endpoint
    const { status } = response
    // Only there it says more than its status, which may be all that comes.
    const { code, type } = status === 400 ? await this.#problemIn(response) : UNSAID
    if (status === 401 || status === 403) return new SelkieError('E_MODEL_KEY', { model })
    if (status === 404 || code === 'model_not_found')
      return new SelkieError('E_MODEL_UNKNOWN', { url, model })
    if (status === 413 || TOO_LONG.has(code) || TOO_LONG.has(type))
      return new SelkieError('E_MODEL_CONTEXT', { model })
    if (status < 400) return new SelkieError('E_MODEL_MOVED', { url })
    if (status >= 500 || AGAIN.has(status)) return new SelkieError('E_MODEL_BUSY', { model, status })
    return new SelkieError('E_MODEL_REFUSED', { model, status })
  }

  /** What the server itself says is wrong, by its names for it; its sentences are not repeated. */
  async #problemIn({ body }: Response): Promise<{ code: string; type: string }> {
    let said = ''
    try {
      const decoder = new TextDecoder()
      for await (const bytes of body ? this.#guarded(body) : []) {
        said += decoder.decode(bytes, { stream: true })
        if (said.length > MAX_REFUSAL) break
      }
      const { error } = JSON.parse(said) as { error?: { code?: unknown; type?: unknown } }
      return { code: String(error?.code), type: String(error?.type) }
    } catch {
      return UNSAID
    }
  }
}

const UNSAID = { code: '', type: '' }
/** By their names for it, OpenAI and llama.cpp. */
const TOO_LONG: ReadonlySet<string> = new Set(['context_length_exceeded', 'exceed_context_size_error'])
/** Too early, too often, in the way of another request. */
const AGAIN: ReadonlySet<number> = new Set([408, 409, 425, 429])

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return typeof code === 'string' ? code : codeOf(cause)
}

function whyUnreached(code: string): string {
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name isn’t known'
  if (/CERT|SIGNATURE/.test(code)) return 'its certificate isn’t trusted'
  if (/SSL|EPROTO/.test(code)) return 'it isn’t encrypted as https is'
  return 'the connection broke'
}
