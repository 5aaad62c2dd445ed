import t from 'tap'
import { CHUNK_BYTES, envelopeLength, innerLength, padded, sealedLength } from '../../src/bundle/format.js'

t.test('a padded length is at most 12 % more, and stays when it is padded again', async (t) => {
  const wrong: number[] = []
  for (let length = 1; length < 2 ** 24; length += 1 + (length >> 6)) {
    const to = padded(length)
    if (to < length || to > length * 1.12 || padded(to) !== to) wrong.push(length)
  }
  t.same(wrong, [])
})

t.test('the lengths of the paper', async (t) => {
  t.same([1, 9, 100, 1000, 65_537, 1_000_000].map(padded), [1, 10, 104, 1024, 67_584, 1_015_808])
})

t.test('the inner length comes back from the sealed one, and from no other size', async (t) => {
  for (const length of [
    516,
    1000,
    CHUNK_BYTES - 1,
    CHUNK_BYTES,
    CHUNK_BYTES + 1,
    10 * CHUNK_BYTES,
    12_345_678
  ]) {
    const inner = padded(length)
    const sealed = sealedLength(envelopeLength(4), inner)
    t.equal(innerLength(envelopeLength(4), sealed), inner)
    t.equal(innerLength(envelopeLength(4), sealed - 1), undefined)
    t.equal(innerLength(envelopeLength(4), sealed + 1), undefined)
  }
  for (const sealed of [0, envelopeLength(1), envelopeLength(1) + 24, envelopeLength(1) + 41]) {
    t.equal(innerLength(envelopeLength(1), sealed), undefined)
  }
})
