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
  const places: number[] = []
  // From the end of a text on, the next one is looked through.
  for (let at = placeOf(word, texts, 0); at >= 0; at = placeOf(word, texts, texts.indexOf(0, at))) {
    places.push(at)
  }
  return places
}

/** The first place of a word in a text, from somewhere on; -1 where there is none. */
export function placeOf(word: Buffer, text: Buffer, from = 0): number {
  const start = rarestStart(word)
  // What begins with a rare byte is found fastest; the rest is compared then.
  const piece = word.subarray(start, start + PIECE)
  for (let at = text.indexOf(piece, from + start); at >= 0; at = text.indexOf(piece, at + 1)) {
    const place = at - start
    if (place + word.length > text.length) return -1
    if (piece.length === word.length || word.compare(text, place, place + word.length) === 0) return place
  }
  return -1
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
