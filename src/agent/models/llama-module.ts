import { SelkieError } from '../../base/errors.js'

/*
 * What is used of node-llama-cpp 3.21: it is optional, so its own types may not be there.
 */
export interface LlamaModule {
  getLlama(options: {
    readonly build: 'never'
    readonly skipDownload: true
    readonly progressLogs: false
    readonly logLevel: 'disabled'
    readonly maxThreads: number
  }): Promise<Llama>
  readonly LlamaChat: new (options: { readonly contextSequence: LlamaSequence }) => LlamaChat
}

export interface Llama {
  loadModel(options: { readonly modelPath: string; readonly vocabOnly?: boolean }): Promise<LlamaFile>
  dispose(): Promise<void>
}

export interface LlamaFile {
  /** Without special tokens: what looks like one is plain text. */
  tokenize(text: string, specialTokens: false): readonly unknown[]
  createContext(): Promise<{ getSequence(): LlamaSequence }>
}

export interface LlamaSequence {
  readonly tokenMeter: {
    getState(): LlamaUsage
    diff(since: LlamaUsage): LlamaUsage
  }
}

export interface LlamaUsage {
  readonly usedInputTokens: number
  readonly usedOutputTokens: number
}

export interface LlamaChat {
  generateResponse(
    history: LlamaTurn[],
    options: {
      readonly signal: AbortSignal
      readonly onTextChunk: (piece: string) => void
      readonly functions?: Readonly<Record<string, { description: string; params: object }>>
      readonly documentFunctionParams?: true
      /** Asked where the context is full: what is left of the history. */
      readonly contextShift: { readonly strategy: () => { readonly chatHistory: LlamaTurn[] } }
    }
  ): Promise<{
    readonly response: string
    readonly functionCalls?: readonly { readonly functionName: string; readonly params: unknown }[]
  }>
}

export type LlamaTurn =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: (string | LlamaCall)[] }

export interface LlamaCall {
  readonly type: 'functionCall'
  readonly name: string
  readonly params: object
  readonly result: unknown
  /** Whether it is the first of those that were asked for together. */
  readonly startsNewChunk: boolean
}

// By a variable, so that nobody who builds this needs the package.
const PACKAGE = 'node-llama-cpp'

/**
 * The package, where it is installed.
 *
 * @throws SelkieError E_MODEL_LLAMA where it isn’t, or can’t be started
 */
export async function loadLlama(): Promise<LlamaModule> {
  try {
    return (await import(PACKAGE)) as LlamaModule
  } catch (cause) {
    throw new SelkieError('E_MODEL_LLAMA', {}, { cause })
  }
}
