/** A page ends behind one of these where it can, the best first. */
const ENDS = ['\n\n', '\n', ' ']

/**
 * Parts a text into pages of at most `size` characters (UTF-16 code units, at least 2),
 * where it can at the end of a paragraph, a line or a word in the page’s second half. In
 * a row they are the text; the same text is always parted alike. An empty text is one page.
 */
export function pagesOf(text: string, size: number): string[] {
  const pages: string[] = []
  let from = 0
  while (text.length - from > size) {
    const to = endOf(text, from, from + size)
    pages.push(text.slice(from, to))
    from = to
  }
  pages.push(text.slice(from))
  return pages
}

function endOf(text: string, from: number, limit: number): number {
  for (const end of ENDS) {
    const at = text.lastIndexOf(end, limit - end.length) + end.length
    if (at > from + (limit - from) / 2) return at
  }
  // Not through the middle of a character that takes two code units.
  return /[\ud800-\udbff]/.test(text[limit - 1]!) ? limit - 1 : limit
}
