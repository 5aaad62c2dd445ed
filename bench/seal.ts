import { randomBytes } from 'node:crypto'
import { MAX_FILE } from '../src/base/limits.js'
import { CHUNK_BYTES, TAG_FINAL, TAG_MESSAGE } from '../src/bundle/format.js'
import { pack } from '../src/bundle/pack.js'
import { seal } from '../src/bundle/seal.js'
import { sodium } from '../src/keys/sodium.js'
import { ms, type Figure } from './measure.js'
import { openedByBen, packing, toBen } from '../test/bundle/sample.js'

const ROUNDS = 7

/**
 * Sealing and opening a bundle as large as it may be, beside libsodium’s secretstream
 * alone over as many bytes in the same chunks, push and pull. Best of seven, in turn.
 */
export function benchSeal(): Figure {
  const files = [MAX_FILE, MAX_FILE - 300 * 1024].map((size, n) => ({
    path: `${n}.bin`,
    bytes: new Uint8Array(randomBytes(size))
  }))
  const packed = pack(packing([{ slug: 'large', body: ['Two files.'], files }]))
  const inner = new Uint8Array(
    randomBytes(packed.bodies.reduce((sum, { length }) => sum + length, packed.index.length))
  )
  let [bareMs, sealMs, openMs] = [Infinity, Infinity, Infinity]
  for (let round = 0; round < ROUNDS; round++) {
    bareMs = Math.min(bareMs, timed(() => bare(inner)).ms)
    const sealed = timed(() => seal(packed, toBen()))
    sealMs = Math.min(sealMs, sealed.ms)
    openMs = Math.min(openMs, timed(() => openedByBen(sealed.result)).ms)
  }
  const ratio = bareMs / (sealMs + openMs)
  return {
    name: `seal and open of ${(inner.length / 2 ** 20).toFixed(1)} MiB against bare secretstream`,
    found: `${ratio.toFixed(2)} of its speed (bare ${ms(bareMs)}, seal ${ms(sealMs)}, open ${ms(openMs)})`,
    goal: '≥ 0.60',
    met: ratio >= 0.6
  }
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
