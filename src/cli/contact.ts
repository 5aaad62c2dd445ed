import type { Contact } from '../api.js'
import { oneLine } from './table.js'

/** The words that two people compare, four on a line. */
export function renderSafetyWords({ safetyWords }: Contact): string {
  const words = safetyWords.split(' ')
  const lines = []
  for (let i = 0; i < words.length; i += 4) lines.push(`  ${words.slice(i, i + 4).join(' ')}`)
  return lines.join('\n')
}

/** A contact just made, and what to do before trusting it. */
export function renderPaired(contact: Contact): string {
  const name = oneLine(contact.name)
  if (contact.verified) return `${name} is a contact, and verified.`
  return `${name} is a contact now, not verified yet. Compare these words with theirs, by voice or side by side:

${renderSafetyWords(contact)}

When they are alike: selkie verify ${shellWord(name)}`
}

/** A word as a shell takes it for one. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
