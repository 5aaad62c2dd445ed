import { isSelkieError } from '../base/errors.js'
import type { BundleId } from '../base/ids.js'
import { MAX_BUNDLE, MIN_BUNDLE } from '../base/limits.js'
import { decode, encode } from '../base/msgpack.js'
import { hex, object, shape } from '../base/schema.js'

/** A bundle's sealed bytes follow in so many blocks of {@link CHUNK_BYTES}, the last one shorter. */
export interface Envelope {
  readonly type: 'bundle'
  readonly id: BundleId
  /** Of the sealed bundle, at most 16 MiB. */
  readonly bytes: number
}

/** What became of a bundle that came the other way. */
export interface Receipt {
  readonly type: 'receipt'
  readonly id: BundleId
  readonly state: 'held' | 'received' | 'imported' | 'declined'
  /** Why it is held: a code; else null. */
  readonly problem: string | null
}

/** One entry of a mailbox. */
export type Message = Envelope | Receipt

export const CHUNK_BYTES = 64 * 1024

/** How many blocks the sealed bytes of an envelope take. */
export function chunksOf(envelope: Pick<Envelope, 'bytes'>): number {
  return Math.ceil(envelope.bytes / CHUNK_BYTES)
}

const MAX_MESSAGE = 1024

const isMessage = shape<Message>({
  anyOf: [
    object({
      type: { const: 'bundle' },
      id: hex(16),
      bytes: { type: 'integer', minimum: MIN_BUNDLE, maximum: MAX_BUNDLE }
    }),
    object({
      type: { const: 'receipt' },
      id: hex(16),
      state: { enum: ['held', 'received', 'imported', 'declined'] },
      problem: { anyOf: [{ type: 'string', pattern: '^E_[A-Z_]{1,60}$' }, { type: 'null' }] }
    })
  ]
})

/** The block of a message. */
export function encodeMessage(message: Message): Uint8Array {
  return encode(message)
}

/** The message of a block, or undefined where it is none. */
export function decodeMessage(block: Uint8Array): Message | undefined {
  if (block.length > MAX_MESSAGE) return undefined
  try {
    const value = decode(block)
    return isMessage(value) ? value : undefined
  } catch (error) {
    if (isSelkieError(error)) return undefined
    throw error
  }
}
