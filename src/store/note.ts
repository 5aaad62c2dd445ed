import { encode } from '../base/msgpack.js'
import { hash, toHex } from '../keys/sodium.js'

/** Bytes of a note’s text in UTF-8, and of the instructions of the agent. */
export const MAX_TEXT = 64 * 1024

/** Bytes of the hashes that name notes and their revisions. */
export const NOTE_ID_BYTES = 16

/** Characters of a note’s title. */
const MAX_TITLE = 100

/**
 * What names the text of a note among all that it has had. The same text, made twice of
 * the same, is one.
 *
 * @param over the revision that it takes the place of; none for a new note
 * @returns 32 hex digits
 */
export function revisionOf(note: string, text: string, over: string | null): string {
  return named('selkie/note-revision/v1', [note, text, over])
}

/** The id of the note that a revision becomes where it has no place in the one that it was made for. */
export function apartId(note: string, revision: string): string {
  return named('selkie/note-apart/v1', [note, revision])
}

/** The first line of a note that has anything in it, cut where it is long. */
export function titleOf(text: string): string {
  const line = (/\S.*/.exec(text)?.[0] ?? '').replace(/\s+/g, ' ').trim()
  const letters = [...line]
  return letters.length > MAX_TITLE ? `${letters.slice(0, MAX_TITLE - 1).join('')}…` : line
}

function named(label: `selkie/${string}`, parts: readonly unknown[]): string {
  return toHex(hash(label, encode(parts)).subarray(0, NOTE_ID_BYTES))
}
