import { SelkieError } from '../base/errors.js'
import { sodium } from '../keys/sodium.js'
import type { Envelope } from './envelope.js'
import {
  CHUNK_BYTES,
  CHUNK_OVERHEAD,
  sealedLength,
  STREAM_HEADER_BYTES,
  TAG_FINAL,
  TAG_MESSAGE
} from './format.js'

/**
 * The whole bundle: the envelope, and behind it the inner bytes under its key.
 *
 * @param inner in parts, at least one byte together, padded already
 */
export function encryptBehind(envelope: Envelope, inner: readonly Uint8Array[]): Uint8Array {
  const length = inner.reduce((sum, part) => sum + part.length, 0)
  const bundle = new Uint8Array(sealedLength(envelope.bytes.length, length))
  bundle.set(envelope.bytes)
  const { state, header } = sodium.crypto_secretstream_xchacha20poly1305_init_push(envelope.key)
  bundle.set(header, envelope.bytes.length)
  let at = envelope.bytes.length + STREAM_HEADER_BYTES
  let left = length
  for (const chunk of chunksOf(inner)) {
    const context = left === length ? envelope.hash : null
    left -= chunk.length
    const tag = left > 0 ? TAG_MESSAGE : TAG_FINAL
    const sealed = sodium.crypto_secretstream_xchacha20poly1305_push(state, chunk, context, tag)
    bundle.set(sealed, at)
    at += sealed.length
  }
  return bundle
}

/** The parts in chunks, all full but the last. Each is good until the next is asked for. */
function* chunksOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK_BYTES)
  let filled = 0
  for (const part of parts) {
    for (let from = 0; from < part.length;) {
      const piece = part.subarray(from, from + CHUNK_BYTES - filled)
      chunk.set(piece, filled)
      filled += piece.length
      from += piece.length
      if (filled < CHUNK_BYTES) continue
      yield chunk
      filled = 0
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}

/**
 * The inner bytes behind an opened envelope.
 *
 * @param length of the inner bytes, as the size of the bundle gives it
 * @throws SelkieError E_BUNDLE_DAMAGED when a chunk was changed or moved, E_BUNDLE_CUT
 *   when the last one isn't the end, E_BUNDLE_TRAILING when something follows the end
 */
export function decryptBehind(envelope: Envelope, bundle: Uint8Array, length: number): Uint8Array {
  const inner = new Uint8Array(length)
  let at = envelope.bytes.length + STREAM_HEADER_BYTES
  const header = bundle.subarray(envelope.bytes.length, at)
  const state = sodium.crypto_secretstream_xchacha20poly1305_init_pull(header, envelope.key)
  for (let to = 0; to < length; to += CHUNK_BYTES) {
    const chunk = bundle.subarray(at, at + CHUNK_BYTES + CHUNK_OVERHEAD)
    const pulled = sodium.crypto_secretstream_xchacha20poly1305_pull(
      state,
      chunk,
      to === 0 ? envelope.hash : null
    )
    if (!pulled) throw new SelkieError('E_BUNDLE_DAMAGED')
    const last = at + chunk.length === bundle.length
    if (last && pulled.tag !== TAG_FINAL) throw new SelkieError('E_BUNDLE_CUT')
    if (!last && pulled.tag !== TAG_MESSAGE) throw new SelkieError('E_BUNDLE_TRAILING')
    inner.set(pulled.message, to)
    at += chunk.length
  }
  return inner
}
