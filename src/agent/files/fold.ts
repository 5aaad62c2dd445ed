import { isUtf8 } from 'node:buffer'

/** Text as it is compared: without regard to case, however its accents are written. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (ASCII.test(lower)) return lower
  // Accents last, for lower case can take a letter apart; a sigma is one wherever it stands.
  return lower.normalize('NFC').replaceAll('ς', 'σ')
}

const ASCII = /^[\0-\x7f]*$/

/** The words of a query, folded, once each; “"words in quotes"” are one. */
export function wordsOf(query: string): string[] {
  const parts = [
    ...query
      .toWellFormed()
      .replaceAll('\0', ' ')
      .matchAll(/"([^"]+)"|(\S+)/g)
  ]
  const words = parts.map(([, quoted, plain]) => fold(quoted ?? plain!).trim())
  return [...new Set(words)].filter((word) => word !== '')
}

/** The text of a file that isn’t binary: UTF-8, or where it can’t be that, Latin-1. */
export function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const text = bytes.toString('utf8')
  // One bad byte among good UTF-8 doesn’t make it another encoding.
  return /[^\0-\u007f\ufffd]/.test(text) ? text : bytes.toString('latin1')
}
