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
 * @param inner at least one byte, padded already
 */
export function encryptBehind(envelope: Envelope, inner: Uint8Array): Uint8Array {
  // Not zeroed first: every byte of it is written.
  const bundle = Buffer.allocUnsafeSlow(sealedLength(envelope.bytes.length, inner.length))
  bundle.set(envelope.bytes)
  const { state, header } = sodium.crypto_secretstream_xchacha20poly1305_init_push(envelope.key)
  bundle.set(header, envelope.bytes.length)
  let at = envelope.bytes.length + STREAM_HEADER_BYTES
  for (let from = 0; from < inner.length; from += CHUNK_BYTES) {
    const chunk = inner.subarray(from, from + CHUNK_BYTES)
    const tag = from + CHUNK_BYTES < inner.length ? TAG_MESSAGE : TAG_FINAL
    const context = from === 0 ? envelope.hash : null
    const sealed = sodium.crypto_secretstream_xchacha20poly1305_push(state, chunk, context, tag)
    bundle.set(sealed, at)
    at += sealed.length
  }
  return bundle
}

/**
 * The inner bytes behind an opened envelope.
 *
 * @param length of the inner bytes, as the size of the bundle gives it
 * @throws SelkieError E_BUNDLE_DAMAGED when a chunk was changed or moved, E_BUNDLE_CUT
 *   when the last one isn't the end, E_BUNDLE_TRAILING when something follows the end
 */
export function decryptBehind(envelope: Envelope, bundle: Uint8Array, length: number): Uint8Array {
  const inner = Buffer.allocUnsafeSlow(length)
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
