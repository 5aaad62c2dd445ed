/**
 * The text with every character that a terminal would obey, or a reader could not
 * see, written as `\u{hex}`: controls other than newline and tab, direction marks,
 * and the invisible format characters. Foreign text passes through here before it
 * reaches a terminal or a message.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
}

const UNPRINTABLE =
  // eslint-disable-next-line no-control-regex -- these are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu
