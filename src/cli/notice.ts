import type { Notice } from '../api.js'
import { oneLine } from './table.js'

/** What changed by itself, on a line, and what can be done about it. */
export function renderNotice({ message, hint }: Notice): string {
  return [message, hint].map(oneLine).join(' ').trim()
}
