import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { SelkieError } from '../../base/errors.js'
import type { Model, ModelAnswer, ModelRequest, TokenCount } from '../model.js'
import { estimateTokens } from './count.js'
import { llamaHistory, llamaParams, withoutNulls } from './llama-history.js'
import {
  loadLlama,
  type Llama,
  type LlamaChat,
  type LlamaFile,
  type LlamaModule,
  type LlamaSequence
} from './llama-module.js'

/** The node works beside it and keeps a core; more than eight wait for the memory anyway. */
const THREADS = Math.max(1, Math.min(8, availableParallelism() - 1))

/**
 * A model in a GGUF file, run in this process by node-llama-cpp. The file is loaded with the
 * first answer; to count, only its words are.
 *
 * @throws SelkieError E_MODEL_LLAMA where the package isn’t there
 */
export async function llamaModel(file: string, load: () => Promise<LlamaModule> = loadLlama): Promise<Model> {
  return new LlamaModel(file, await load())
}

class LlamaModel implements Model {
  readonly name: string
  readonly #file: string
  readonly #module: LlamaModule
  #llama: Promise<Llama> | undefined
  #words: Promise<LlamaFile> | undefined
  #talk: Promise<{ chat: LlamaChat; sequence: LlamaSequence }> | undefined
  #calls = 0

  constructor(file: string, module: LlamaModule) {
    this.name = basename(file)
    this.#file = file
    this.#module = module
  }

  async answer(
    request: ModelRequest,
    { onText, signal }: Parameters<Model['answer']>[1]
  ): Promise<ModelAnswer> {
    signal.throwIfAborted()
    const { chat, sequence } = await this.#load()
    signal.throwIfAborted()
    const before = sequence.tokenMeter.getState()
    const full = new AbortController()
    const onAbort = (): void => full.abort()
    signal.addEventListener('abort', onAbort)
    let text = ''
    let calls: ModelAnswer['calls'] = []
    let end: ModelAnswer['end'] = 'done'
    try {
      const got = await chat.generateResponse(llamaHistory(request), {
        signal: full.signal,
        onTextChunk: (piece) => {
          text += piece
          onText?.(piece)
        },
        // Nothing that was said is dropped in silence: a full context is the end.
        contextShift: {
          strategy: () => {
            full.abort()
            return { chatHistory: [] }
          }
        },
        ...(request.tools.length > 0 && { functions: functionsOf(request), documentFunctionParams: true })
      })
      calls = (got.functionCalls ?? []).map(({ functionName: name, params }) => {
        const tool = request.tools.find((tool) => tool.name === name)
        const input = JSON.stringify(tool ? withoutNulls(params, tool) : params)
        return { id: `call_${++this.#calls}`, name, input }
      })
    } catch (cause) {
      signal.throwIfAborted()
      if (!full.signal.aborted) throw new SelkieError('E_MODEL_CUT', { model: this.name }, { cause })
      if (text === '') throw new SelkieError('E_MODEL_CONTEXT', { model: this.name })
      end = 'length'
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
    const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.diff(before)
    return { text, calls, end, tokens: { input: usedInputTokens, output: usedOutputTokens } }
  }

  async count(text: string): Promise<TokenCount> {
    try {
      this.#words ??= this.#start().then((llama) =>
        llama.loadModel({ modelPath: this.#file, vocabOnly: true })
      )
      return { count: (await this.#words).tokenize(text, false).length, exact: true, by: 'llama.cpp' }
    } catch {
      return estimateTokens(text)
    }
  }

  async close(): Promise<void> {
    await (await this.#llama?.catch(() => undefined))?.dispose()
  }

  async #load(): Promise<{ chat: LlamaChat; sequence: LlamaSequence }> {
    this.#talk ??= this.#start().then(async (llama) => {
      const model = await llama.loadModel({ modelPath: this.#file })
      const sequence = (await model.createContext()).getSequence()
      return { chat: new this.#module.LlamaChat({ contextSequence: sequence }), sequence }
    })
    try {
      return await this.#talk
    } catch (cause) {
      // There may be more memory the next time.
      this.#talk = undefined
      throw new SelkieError('E_MODEL_LOAD', { path: this.#file }, { cause })
    }
  }

  /** Without building anything, and without a download: what was installed is used, or nothing. */
  #start(): Promise<Llama> {
    return (this.#llama ??= this.#module.getLlama({
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'disabled',
      maxThreads: THREADS
    }))
  }
}

function functionsOf({ tools }: ModelRequest): Record<string, { description: string; params: object }> {
  return Object.fromEntries(
    tools.map((tool) => [tool.name, { description: tool.description, params: llamaParams(tool) }])
  )
}
