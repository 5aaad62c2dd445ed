/**
 * The text with every character that a terminal would obey, or a reader could not
 * see, written as `\u{hex}`: controls other than newline and tab, direction marks,
 * line separators, and what is drawn as nothing. The joiners and variation selectors
 * that emoji and some scripts are written with stay. Foreign text passes through here
 * before it reaches a terminal or a message.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
}

const UNPRINTABLE =
  /(?!\n|\t|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/gu
