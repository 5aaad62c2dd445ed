/** What was said so far, as a model is told it. */
export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelCall[] }
  /** One for each of the calls before it, in their order. */
  | { readonly role: 'results'; readonly results: readonly { readonly id: string; readonly text: string }[] }

/** A call that a model asks for. */
export interface ModelCall {
  /** No other call of the answer has it. */
  readonly id: string
  /** As the model wrote it: it may be any name, and `input` any text. */
  readonly name: string
  readonly input: string
}

/** A tool that a model is offered. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>
}

export interface ModelRequest {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
}

export interface ModelAnswer {
  readonly text: string
  readonly calls: readonly ModelCall[]
  /** `length`: it was cut by its own limit. `filtered`: its provider withheld it. */
  readonly end: 'done' | 'length' | 'filtered'
  readonly tokens: { readonly input: number; readonly output: number } | null
}

/** How many tokens a text has. */
export interface TokenCount {
  readonly count: number
  /** Whether the model’s own tokenizer has counted. */
  readonly exact: boolean
  /** What has: `llama.cpp`, `o200k_base`, `characters / 4`. */
  readonly by: string
}

/** A language model. */
export interface Model {
  readonly name: string
  /**
   * One answer.
   *
   * @param options.onText told of each piece of the text as it comes
   * @throws SelkieError E_MODEL_…; what the signal’s reason is where it aborts
   */
  answer(
    request: ModelRequest,
    options: { readonly onText?: (piece: string) => void; readonly signal: AbortSignal }
  ): Promise<ModelAnswer>
  /** Never rejects: where nothing can count, it estimates. */
  count(text: string): Promise<TokenCount>
  close(): Promise<void>
}
