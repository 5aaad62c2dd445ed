/** A file’s text, and whether its bytes had to be guessed at. */
export interface Decoded {
  readonly text: string
  readonly isGuessed: boolean
}

/**
 * The text of a calendar: UTF-8 as the standard has it, UTF-16 by its mark, and Windows-1252
 * where it can be neither. Never fails.
 */
export function decode(bytes: Uint8Array): Decoded {
  const { text, isGuessed } = decoded(bytes)
  // Marks inside come from files that were put together.
  return { text: text.replaceAll('\ufeff', ''), isGuessed }
}

function decoded(bytes: Uint8Array): Decoded {
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined
  if (mark) return { text: new TextDecoder(mark).decode(bytes), isGuessed: false }
  const text = utf8(bytes) ?? utf8(joined(bytes))
  if (text !== undefined) return { text, isGuessed: false }
  return { text: new TextDecoder('windows-1252').decode(bytes), isGuessed: true }
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Unfolded as bytes: lines are folded by some after 75 bytes, in the midst of a character. */
function joined(bytes: Uint8Array): Uint8Array {
  return Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/\r?\n[ \t]/g, ''),
    'latin1'
  )
}
