const utf8 = new TextDecoder('utf-8', { fatal: true })

/** What bytes say; null where they aren’t text in UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
