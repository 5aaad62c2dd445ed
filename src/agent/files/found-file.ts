import type { FileHandle } from 'node:fs/promises'
import type { FoundFile } from '../../wire/asking.js'
import { openGranted } from '../granted.js'
import { fold, textOf } from './fold.js'
import type { FileEntry } from './folder.js'
import type { Query } from './query.js'
import { MAX_TEXT } from './read-text.js'

/** Characters of an excerpt, and how many of them come before what was found. */
const EXCERPT = 240
const BEFORE = 80
/** Characters of a line from which on a place in it is only estimated. */
const LONG = 64 * 1024

/**
 * A file that fits, as it is told: it is opened, by its grant, and looked at once more.
 *
 * @returns undefined where it isn’t there any more, isn’t granted, or doesn’t fit
 */
export async function foundFile(
  entry: FileEntry,
  query: Query,
  matched: FoundFile['matched']
): Promise<FoundFile | undefined> {
  const { path } = entry
  const handle = await openGranted(path, entry.folder.root.path)
  if (!handle) return undefined
  try {
    const { size, mtime } = await handle.stat()
    const file = { path: path.toWellFormed(), size, modified: mtime.toISOString(), matched }
    if (matched !== 'text') return file
    const text = size <= MAX_TEXT ? await read(handle, size) : undefined
    const place = text === undefined ? undefined : placeOf(text, query, entry)
    return place && { ...file, ...place }
  } finally {
    await handle.close()
  }
}

async function read(handle: FileHandle, size: number): Promise<string | undefined> {
  const bytes = Buffer.alloc(size)
  let length = 0
  for (let read = 1; read > 0 && length < size; length += read) {
    read = (await handle.read(bytes, length, size - length, length)).bytesRead
  }
  const text = bytes.subarray(0, length)
  return text.includes(0) ? undefined : textOf(text)
}

/** Where the longest of the words is that the path doesn’t hold; undefined where a word is nowhere. */
function placeOf(
  text: string,
  query: Query,
  entry: FileEntry
): { readonly line: number; readonly excerpt: string } | undefined {
  const folded = fold(text)
  const inPath = query.inFolder(entry.folder)(entry)
  if ((inPath | query.in(folded)) !== query.every) return undefined
  const words = query.words.filter((_, i) => !(inPath & (1 << i))).sort((a, b) => b.length - a.length)
  const at = words[0] === undefined ? 0 : folded.indexOf(words[0])
  const before = folded.slice(0, at)
  const line = before.split('\n').length
  const start = before.lastIndexOf('\n') + 1
  return { line, excerpt: excerptOf(lineOf(text, line), lineOf(folded, line), at - start) }
}

function lineOf(text: string, line: number): string {
  let start = 0
  for (let n = 1; n < line; n++) start = text.indexOf('\n', start) + 1
  const end = text.indexOf('\n', start)
  return text.slice(start, end < 0 ? undefined : end)
}

/** A line, or what is around a place in it. */
function excerptOf(line: string, folded: string, at: number): string {
  if (line.length <= EXCERPT) return line.trim().toWellFormed()
  const from = Math.max(0, Math.min(unfolded(line, folded, at) - BEFORE, line.length - EXCERPT))
  const to = from + EXCERPT
  // No half of a pair at either end.
  const cut = line.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${from > 0 ? '…' : ''}${cut.trim()}${to < line.length ? '…' : ''}`.toWellFormed()
}

/** Where in a line that is which is at a place of it folded; about there, where the line is long. */
function unfolded(line: string, folded: string, at: number): number {
  if (line.length === folded.length) return at
  if (line.length > LONG) return Math.floor((at * line.length) / folded.length)
  let length = 0
  for (const { 0: letter, index } of line.matchAll(/\P{M}\p{M}*/gu)) {
    length += fold(letter).length
    if (length > at) return index
  }
  return 0
}
