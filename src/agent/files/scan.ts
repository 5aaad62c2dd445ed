/** Letters of most texts, the commonest first; what isn’t among them is rare. */
const COMMON = Buffer.from(' etaoinsrhldcumfpgwyb')
/** Bytes of a piece: from eight on, indexOf goes over to a way that is slower on texts. */
const PIECE = 7
/** Bytes that a piece has at least, so that it isn’t found all the time. */
const SHORTEST = 3

/**
 * Where a word is in texts of which each ends with a zero byte; at most one place in each.
 *
 * @param word not empty, without zero bytes
 */
export function placesOf(word: Buffer, texts: Buffer): number[] {
  const start = rarestStart(word)
  // What begins with a rare byte is found fastest; the rest is compared then.
  const piece = word.subarray(start, start + PIECE)
  const isWhole = piece.length === word.length
  const places: number[] = []
  for (let at = texts.indexOf(piece); at >= 0;) {
    const from = at - start
    if (isWhole || (from >= 0 && word.compare(texts, from, from + word.length) === 0)) {
      places.push(from)
      // Past the end of this text.
      at = texts.indexOf(piece, texts.indexOf(0, at))
    } else {
      at = texts.indexOf(piece, at + 1)
    }
  }
  return places
}

function rarestStart(word: Buffer): number {
  let best = 0
  for (let i = 1; i <= word.length - SHORTEST; i++) if (rarity(word[i]!) > rarity(word[best]!)) best = i
  return best
}

function rarity(byte: number): number {
  const rank = COMMON.indexOf(byte)
  return rank < 0 ? COMMON.length : rank
}
