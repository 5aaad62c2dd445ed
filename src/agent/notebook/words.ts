/** A word of a text, and where it stands there. */
export interface Word {
  /** As it is looked for: without regard to case and accents. */
  readonly term: string
  readonly from: number
  readonly to: number
}

/** Writing that puts no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Letters of a word that count. */
const MAX_LETTERS = 40
const RUN = /[\p{L}\p{N}\p{M}]+/gu
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words of a text, in their order: runs of letters and digits, or what a dictionary says. */
export function* wordsOf(text: string): Generator<Word> {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!UNSPACED.test(run)) {
      yield { term: termOf(run), from: index, to: index + run.length }
      continue
    }
    for (const { segment, index: at, isWordLike } of segmenter.segment(run)) {
      const from = index + at
      if (isWordLike) yield { term: termOf(segment), from, to: from + segment.length }
    }
  }
}

function termOf(word: string): string {
  const plain = /^[a-z0-9]+$/.test(word)
    ? word
    : word
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase()
  return plain.slice(0, MAX_LETTERS)
}
