import { isSlug } from '../namespace/slug.js'

/** What the Agent Skills format allows, in characters. */
export const MAX_DESCRIPTION = 1024
export const MAX_COMPATIBILITY = 500

/** The title of a skill that has only a name: `writing-plans` gives “Writing plans”. */
export function titleFromName(name: string): string {
  if (!isSlug(name)) return name
  const words = name.replaceAll('-', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

/** The text, or its beginning and an ellipsis: at most `length` characters. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  // Not through the middle of a character that takes two code units.
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
