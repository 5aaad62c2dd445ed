import { MAX_BUNDLE } from '../../src/base/limits.js'
import { envelopeTo } from '../../src/bundle/envelope.js'
import {
  CHUNK_BYTES,
  CHUNK_OVERHEAD,
  COMMIT_BYTES,
  envelopeLength,
  PREFIX_BYTES,
  STANZA_BYTES,
  STREAM_HEADER_BYTES,
  TAG_FINAL,
  TAG_MESSAGE
} from '../../src/bundle/format.js'
import { pack } from '../../src/bundle/pack.js'
import { seal, signedInner } from '../../src/bundle/seal.js'
import { sodium } from '../../src/keys/sodium.js'
import { ben, packing, toBen } from '../bundle/sample.js'
import { toOne, type Vector } from './vector.js'
import { changed, flipped, long, packed, sealed } from './packed.js'

/** Faults of the outside: bytes changed on the way, and envelopes made wrong. */
export function envelopeVectors(): Vector[] {
  const good = seal(packed, toOne)
  const firstStanza = PREFIX_BYTES
  const firstChunk = envelopeLength(1) + STREAM_HEADER_BYTES
  return [
    {
      name: 'too-large',
      code: 'E_BUNDLE_TOO_LARGE',
      about: 'One byte over 16 MiB.',
      bundle: good,
      zerosTo: MAX_BUNDLE + 1
    },
    { name: 'magic', code: 'E_BUNDLE_MAGIC', about: 'Begins with “SLKb”.', bundle: changed(good, 3, 0x62) },
    { name: 'empty', code: 'E_BUNDLE_MAGIC', about: 'No bytes at all.', bundle: new Uint8Array() },
    { name: 'version', code: 'E_BUNDLE_VERSION', about: 'Version 2.', bundle: changed(good, 4, 2) },
    { name: 'suite', code: 'E_BUNDLE_VERSION', about: 'Suite 2.', bundle: changed(good, 5, 2) },
    {
      name: 'flags-first',
      code: 'E_BUNDLE_VERSION',
      about: 'A flag set in the first byte.',
      bundle: changed(good, 6, 1)
    },
    {
      name: 'flags-second',
      code: 'E_BUNDLE_VERSION',
      about: 'A flag set in the second byte.',
      bundle: changed(good, 7, 1)
    },
    { name: 'stanzas-none', code: 'E_BUNDLE_STANZAS', about: 'No stanzas.', bundle: changed(good, 8, 0) },
    {
      name: 'stanzas-three',
      code: 'E_BUNDLE_STANZAS',
      about: 'Three stanzas, no power of two.',
      bundle: changed(good, 8, 3)
    },
    {
      name: 'stanzas-32',
      code: 'E_BUNDLE_STANZAS',
      about: 'More than sixteen stanzas.',
      bundle: changed(good, 8, 32)
    },
    {
      name: 'cut-in-prefix',
      code: 'E_BUNDLE_CUT',
      about: 'Ends within the prefix.',
      bundle: good.subarray(0, 8)
    },
    {
      name: 'cut-in-stanza',
      code: 'E_BUNDLE_CUT',
      about: 'Ends within the stanza.',
      bundle: good.subarray(0, 100)
    },
    {
      name: 'cut-by-one',
      code: 'E_BUNDLE_CUT',
      about: 'The last byte is missing.',
      bundle: good.subarray(0, -1)
    },
    {
      name: 'added-one',
      code: 'E_BUNDLE_CUT',
      about: 'One byte behind the end.',
      bundle: Buffer.concat([good, Uint8Array.of(0)])
    },
    {
      name: 'no-statement',
      code: 'E_BUNDLE_CUT',
      about: 'Too little inside for a statement.',
      bundle: sealed((inner) => inner.subarray(0, 512))
    },
    {
      name: 'other-device',
      code: 'E_BUNDLE_NOT_FOR_YOU',
      about: 'To Ben’s first device, opened by the second.',
      bundle: good,
      device: 1
    },
    {
      name: 'stranger-opens',
      code: 'E_BUNDLE_NOT_FOR_YOU',
      about: 'To Ben, opened by Cleo.',
      bundle: good,
      opener: 'Cleo'
    },
    {
      name: 'kem-changed',
      code: 'E_BUNDLE_NOT_FOR_YOU',
      about: 'A bit of the KEM ciphertext is changed.',
      bundle: flipped(good, firstStanza)
    },
    {
      name: 'wrap-changed',
      code: 'E_BUNDLE_NOT_FOR_YOU',
      about: 'A bit of the wrapped key is changed.',
      bundle: flipped(good, firstStanza + STANZA_BYTES - 1)
    },
    {
      name: 'stanzas-swapped',
      code: 'E_BUNDLE_NOT_FOR_YOU',
      about: 'Two stanzas in each other’s place.',
      bundle: swappedStanzas()
    },
    {
      name: 'dummy-changed',
      code: 'E_BUNDLE_COMMIT',
      about: 'A bit of the dummy stanza is changed.',
      bundle: flipped(seal(packed, toBen()), PREFIX_BYTES + 3 * STANZA_BYTES)
    },
    {
      name: 'commit-changed',
      code: 'E_BUNDLE_COMMIT',
      about: 'A bit of the commitment is changed.',
      bundle: flipped(good, envelopeLength(1) - COMMIT_BYTES)
    },
    {
      name: 'two-keys',
      code: 'E_BUNDLE_COMMIT',
      about: 'Two stanzas carry two bundle keys.',
      bundle: twoKeys(),
      device: 1
    },
    {
      name: 'header-changed',
      code: 'E_BUNDLE_DAMAGED',
      about: 'A bit of the stream’s header is changed.',
      bundle: flipped(good, envelopeLength(1))
    },
    {
      name: 'chunk-changed',
      code: 'E_BUNDLE_DAMAGED',
      about: 'A bit of the first chunk is changed.',
      bundle: flipped(good, firstChunk + 40)
    },
    {
      name: 'end-changed',
      code: 'E_BUNDLE_DAMAGED',
      about: 'A bit of the last byte is changed.',
      bundle: flipped(good, good.length - 1)
    },
    {
      name: 'chunks-swapped',
      code: 'E_BUNDLE_DAMAGED',
      about: 'Two chunks in each other’s place.',
      bundle: swappedChunks()
    },
    {
      name: 'stream-unbound',
      code: 'E_BUNDLE_DAMAGED',
      about: 'The first chunk isn’t bound to the envelope.',
      bundle: streamed([TAG_MESSAGE, TAG_FINAL], false)
    },
    {
      name: 'last-chunk-missing',
      code: 'E_BUNDLE_CUT',
      about: 'Cut where a chunk ends.',
      bundle: seal(long, toOne).subarray(0, firstChunk + CHUNK_BYTES + CHUNK_OVERHEAD)
    },
    {
      name: 'final-missing',
      code: 'E_BUNDLE_CUT',
      about: 'The last chunk isn’t tagged as the last.',
      bundle: streamed([TAG_MESSAGE, TAG_MESSAGE])
    },
    {
      name: 'final-early',
      code: 'E_BUNDLE_TRAILING',
      about: 'A chunk follows the one tagged as the last.',
      bundle: streamed([TAG_FINAL, TAG_FINAL])
    },
    {
      name: 'tag-rekey',
      code: 'E_BUNDLE_TRAILING',
      about: 'A tag that the format doesn’t use.',
      bundle: streamed([2, TAG_FINAL])
    }
  ]
}

/** Two chunks with these tags. */
function streamed(tags: [number, number], bound = true): Uint8Array {
  const envelope = envelopeTo(toOne.recipient.sealingKeys)
  const inner = Buffer.concat(signedInner(envelope, long, toOne))
  const { state, header } = sodium.crypto_secretstream_xchacha20poly1305_init_push(envelope.key)
  const push = (from: number, to: number, context: Uint8Array | null, tag: number): Uint8Array =>
    sodium.crypto_secretstream_xchacha20poly1305_push(state, inner.subarray(from, to), context, tag)
  return Buffer.concat([
    envelope.bytes,
    header,
    push(0, CHUNK_BYTES, bound ? envelope.hash : null, tags[0]),
    push(CHUNK_BYTES, inner.length, null, tags[1])
  ])
}

function swappedChunks(): Uint8Array {
  const size = 2 * CHUNK_BYTES - 2500
  const packedTwice = pack(
    packing([{ slug: 'greet', body: ['Hi.'], files: [{ path: 'a', bytes: new Uint8Array(size).fill(7) }] }])
  )
  const bundle = seal(packedTwice, toOne)
  const at = envelopeLength(1) + STREAM_HEADER_BYTES
  const chunk = CHUNK_BYTES + CHUNK_OVERHEAD
  if (bundle.length !== at + 2 * chunk) throw new Error('the chunks must both be full')
  return Buffer.concat([bundle.subarray(0, at), bundle.subarray(at + chunk), bundle.subarray(at, at + chunk)])
}

function swappedStanzas(): Uint8Array {
  const keys = ben.devices.slice(0, 2).map(({ sealing }) => sealing.publicKey)
  const bundle = seal(packed, { ...toOne, recipient: { identity: ben.identity, sealingKeys: keys } })
  const [a, b, c] = [PREFIX_BYTES, PREFIX_BYTES + STANZA_BYTES, PREFIX_BYTES + 2 * STANZA_BYTES]
  return Buffer.concat([
    bundle.subarray(0, a),
    bundle.subarray(b, c),
    bundle.subarray(a, b),
    bundle.subarray(c)
  ])
}

/** Behind Ana’s envelope to Ben’s two devices, the second stanza is of another envelope. */
function twoKeys(): Uint8Array {
  const keys = ben.devices.slice(0, 2).map(({ sealing }) => sealing.publicKey)
  const recipient = { identity: ben.identity, sealingKeys: keys }
  const [one, other] = [seal(packed, { ...toOne, recipient }), seal(packed, { ...toOne, recipient })]
  const at = PREFIX_BYTES + STANZA_BYTES
  const mixed = Uint8Array.from(one)
  mixed.set(other.subarray(at, at + STANZA_BYTES), at)
  return mixed
}
