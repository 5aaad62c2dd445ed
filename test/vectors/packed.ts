import { envelopeTo } from '../../src/bundle/envelope.js'
import { pack } from '../../src/bundle/pack.js'
import { signedInner } from '../../src/bundle/seal.js'
import { encryptBehind } from '../../src/bundle/stream.js'
import { packing } from '../bundle/sample.js'
import { toOne } from './vector.js'

/** A skill that mentions nothing. */
export const packed = pack(packing([{ slug: 'greet', body: ['Say hello.\n'] }]))

/** Two chunks: the first full, so that what is left without the second has a true length. */
export const long = pack(
  packing([{ slug: 'greet', body: ['Hi.'], files: [{ path: 'a', bytes: new Uint8Array(66_000).fill(7) }] }])
)

/** Sealed with the right keys around inner bytes that were changed after signing. */
export function sealed(change: (inner: Uint8Array) => Uint8Array): Uint8Array {
  const envelope = envelopeTo(toOne.recipient.sealingKeys)
  return encryptBehind(envelope, [change(Buffer.concat(signedInner(envelope, packed, toOne)))])
}

/** The bytes with one bit changed. */
export function flipped(bytes: Uint8Array, at: number): Uint8Array {
  return changed(bytes, at, bytes[at]! ^ 1)
}

/** The bytes with another one at a place. */
export function changed(bytes: Uint8Array, at: number, byte: number): Uint8Array {
  const out = Uint8Array.from(bytes)
  out[at] = byte
  return out
}
