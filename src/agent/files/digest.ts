/** Bits of a digest: twice as many as the text has bytes, within these bounds; a power of two. */
const LEAST_BITS = 512
const MOST_BITS = 128 * 1024

/**
 * Which runs of three bytes a folded text has, as a Bloom filter with one hash: an eighth
 * to a fourth of the text’s size, so that most texts needn’t be read to know that a word isn’t in them.
 */
export function digestOf(text: Uint8Array): Uint32Array {
  const bits = Math.max(LEAST_BITS, Math.min(MOST_BITS, 2 ** Math.ceil(Math.log2(text.length * 2))))
  const digest = new Uint32Array(bits / 32)
  const shift = shiftOf(digest)
  let run = text.length > 2 ? (text[0]! << 8) | text[1]! : 0
  for (let i = 2; i < text.length; i++) {
    run = ((run << 8) | text[i]!) & 0xffffff
    const bit = Math.imul(run, MIXER) >>> shift
    digest[bit >>> 5]! |= 1 << bit
  }
  return digest
}

/** Whether a word may be in a text: where not, it isn’t. */
export function mayHold(digest: Uint32Array, word: Uint8Array): boolean {
  const shift = shiftOf(digest)
  for (let i = 2; i < word.length; i++) {
    const run = (word[i - 2]! << 16) | (word[i - 1]! << 8) | word[i]!
    const bit = Math.imul(run, MIXER) >>> shift
    if ((digest[bit >>> 5]! & (1 << bit)) === 0) return false
  }
  return true
}

/** Of Fibonacci hashing: 2^32 by the golden ratio. */
const MIXER = 0x9e3779b1

function shiftOf(digest: Uint32Array): number {
  return 32 - Math.log2(digest.length * 32)
}
