import { MAX_FILE } from '../src/base/limits.js'
import { CHUNK_BYTES, TAG_FINAL, TAG_MESSAGE } from '../src/bundle/format.js'
import { pack } from '../src/bundle/pack.js'
import { seal } from '../src/bundle/seal.js'
import { sodium } from '../src/keys/sodium.js'
import { openedByBen, packing, toBen } from '../test/bundle/sample.js'

/** What one run measured, in milliseconds and MB (10^6 bytes) a second. */
export interface SealBench {
  readonly bytes: number
  readonly bareMs: number
  readonly sealMs: number
  readonly openMs: number
  /** Bare time divided by that of sealing and opening. The goal is 0.6. */
  readonly ratio: number
}

const ROUNDS = 7

/**
 * Sealing and opening a bundle as large as it may be, beside libsodium’s secretstream
 * alone over as many bytes in the same chunks, push and pull. Best of seven, in turn.
 */
export function benchSeal(): SealBench {
  const files = [MAX_FILE, MAX_FILE - 300 * 1024].map((size, n) => ({
    path: `${n}.bin`,
    bytes: sodium.randombytes_buf(size)
  }))
  const packed = pack(packing([{ slug: 'large', body: ['Two files.'], files }]))
  const inner = sodium.randombytes_buf(
    packed.bodies.reduce((sum, { length }) => sum + length, packed.index.length)
  )
  let [bareMs, sealMs, openMs] = [Infinity, Infinity, Infinity]
  for (let round = 0; round < ROUNDS; round++) {
    bareMs = Math.min(bareMs, timed(() => bare(inner)).ms)
    const sealed = timed(() => seal(packed, toBen()))
    sealMs = Math.min(sealMs, sealed.ms)
    openMs = Math.min(openMs, timed(() => openedByBen(sealed.result)).ms)
  }
  return { bytes: inner.length, bareMs, sealMs, openMs, ratio: bareMs / (sealMs + openMs) }
}

function bare(inner: Uint8Array): void {
  const key = sodium.crypto_secretstream_xchacha20poly1305_keygen()
  const { state: push, header } = sodium.crypto_secretstream_xchacha20poly1305_init_push(key)
  const chunks: Uint8Array[] = []
  for (let at = 0; at < inner.length; at += CHUNK_BYTES) {
    const tag = at + CHUNK_BYTES < inner.length ? TAG_MESSAGE : TAG_FINAL
    const chunk = inner.subarray(at, at + CHUNK_BYTES)
    chunks.push(sodium.crypto_secretstream_xchacha20poly1305_push(push, chunk, null, tag))
  }
  const pull = sodium.crypto_secretstream_xchacha20poly1305_init_pull(header, key)
  for (const chunk of chunks) sodium.crypto_secretstream_xchacha20poly1305_pull(pull, chunk, null)
}

function timed<T>(run: () => T): { result: T; ms: number } {
  const start = performance.now()
  const result = run()
  return { result, ms: performance.now() - start }
}

/** The result as lines to be printed. */
export function describeSeal({ bytes, bareMs, sealMs, openMs, ratio }: SealBench): string {
  return [
    `seal and open, ${(bytes / 2 ** 20).toFixed(1)} MiB, against bare secretstream: ${ratio.toFixed(2)} (goal 0.60)`,
    `  bare ${bareMs.toFixed(0)} ms · seal ${sealMs.toFixed(0)} ms · open ${openMs.toFixed(0)} ms`
  ].join('\n')
}
