/**
 * A text in which all letters are alike that a regular expression takes for alike when it
 * doesn’t regard case: two characters that match each other under the flags `iu` become
 * the same. What becomes the same needn’t match. Folding a text is folding its characters.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (!NOT_ASCII.test(lower)) return lower
  // By way of the capitals, which ſ shares with s and ß with ẞ; and σ ends words as ς.
  return lower.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

const NOT_ASCII = /[^\0-\x7f]/

/** Whether a text is ASCII alone. */
export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text)
}
