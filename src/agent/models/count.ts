import type { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { isSelkieError, type ErrorCode } from '../../base/errors.js'
import type { TokenCount } from '../model.js'
import { Exchange, type Endpoint } from './exchange.js'

type Count = (text: string) => Promise<TokenCount>
type CountTokens = typeof countTokens

/** Milliseconds that an endpoint has to count. */
const PATIENCE = 2000
/**
 * The library’s time goes by the square of a run of letters, spaces or signs without end: of
 * this much it is a fifth of a second, and the whole process waits for it.
 */
const MAX_WORK = 2e8

/** What passes: the endpoint may well have a tokenizer. */
const PASSES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'E_MODEL_UNREACHABLE',
  'E_MODEL_BUSY',
  'E_MODEL_CUT'
])

const ENCODINGS: Readonly<Record<string, () => Promise<{ countTokens: CountTokens }>>> = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  o200k_harmony: () => import('gpt-tokenizer/encoding/o200k_harmony'),
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base')
}

/**
 * Counts the tokens of texts for the model of an endpoint: by the tokenizer that the endpoint
 * offers, as llama.cpp’s server does; else by its name, where that is one of OpenAI’s; else by
 * an estimate. Never rejects, and asks an endpoint that has no tokenizer only once.
 *
 * @param patience milliseconds that the endpoint has
 */
export function tokenCounter(endpoint: Endpoint, patience = PATIENCE): Count {
  let offered = true
  return async (text) => {
    try {
      if (offered) return { count: await askEndpoint(endpoint, text, patience), exact: true, by: 'llama.cpp' }
    } catch (error) {
      offered = isSelkieError(error) && PASSES.has(error.code)
    }
    return (await countByName(endpoint.model, text)) ?? estimateTokens(text)
  }
}

/** A quarter of the characters, which are Unicode code points, rounded up. */
export function estimateTokens(text: string): TokenCount {
  let characters = 0
  for (const _ of text) characters++
  return { count: Math.ceil(characters / 4), exact: false, by: 'characters / 4' }
}

async function askEndpoint(endpoint: Endpoint, text: string, patience: number): Promise<number> {
  const exchange = new Exchange(endpoint, AbortSignal.timeout(patience))
  try {
    // It lies beside the protocol’s own paths.
    const response = await exchange.fetch(`${endpoint.url.replace(/\/v1$/, '')}/tokenize`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: text })
    })
    const { tokens } = (await response.json()) as { tokens?: unknown }
    if (!Array.isArray(tokens)) throw exchange.unusable()
    return tokens.length
  } catch (error) {
    throw exchange.failure ? exchange.failure.reason : error
  } finally {
    exchange.end()
  }
}

async function countByName(model: string, text: string): Promise<TokenCount | undefined> {
  // Some endpoints put the maker before the name: `openai/gpt-4o`.
  const name = model.replace(/^openai\//, '')
  const [models, { modelToEncodingMap, DEFAULT_ENCODING }] = await Promise.all([
    import('gpt-tokenizer/models'),
    import('gpt-tokenizer/mapping')
  ])
  if (!Object.hasOwn(models, name) || workOf(text) > MAX_WORK) return undefined
  const by = (modelToEncodingMap as Readonly<Record<string, string>>)[name] ?? DEFAULT_ENCODING
  const load = ENCODINGS[by]
  if (!load) return undefined
  const { countTokens } = await load()
  // What looks like a special token is plain text here.
  return { count: countTokens(text, { disallowedSpecial: new Set() }), exact: true, by }
}

/** The squares of the runs that the library takes as one, in bytes. */
function workOf(text: string): number {
  let work = 0
  for (const [run] of text.matchAll(/[\p{L}\p{M}]+|\s+|[^\p{L}\p{M}\s]+/gu))
    work += Buffer.byteLength(run) ** 2
  return work
}
