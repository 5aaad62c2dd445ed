import type { FileAnswer, FoundFile } from '../../wire/asking.js'
import { MAX_FILES, type FileIndex } from './file-index.js'
import { foundFile } from './found-file.js'
import type { FileEntry } from './folder.js'
import type { Query } from './query.js'
import { MAX_TEXT } from './read-text.js'
import { RANKS, search, type Search } from './search.js'

/** Files that are opened at once, and how many more than are told are looked at where some are gone. */
const GROUP = 16
const SPARE = 64
/** Folders that can’t be read and are named. */
const NAMED = 5

/**
 * The files in granted folders that fit, the best first, the newest first among equals: as
 * they are on the disk now or later.
 *
 * @param roots real paths, none of them in another
 * @throws what the signal’s reason is, where it aborts
 */
export async function find(
  index: FileIndex,
  roots: readonly string[],
  query: Query,
  limit: number,
  signal: AbortSignal
): Promise<Omit<FileAnswer, 'granted'>> {
  await index.refresh(roots)
  signal.throwIfAborted()
  const found = await search(index, query, limit, signal)
  return { ...(await told(found, query, limit, signal)), problems: problemsOf(index, roots, found) }
}

async function told(
  { fits }: Search,
  query: Query,
  limit: number,
  signal: AbortSignal
): Promise<{ hits: FoundFile[]; more: boolean }> {
  const hits: FoundFile[] = []
  let more = false
  for (const rank of RANKS) {
    const matched = rank === 'exact' ? 'name' : rank
    const entries = newest(fits[rank], limit + SPARE)
    more ||= entries.length < fits[rank].length
    for (let i = 0; i < entries.length; i += GROUP) {
      signal.throwIfAborted()
      const some = entries.slice(i, i + GROUP).map((entry) => foundFile(entry, query, matched))
      hits.push(...(await Promise.all(some)).filter((hit) => hit !== undefined))
      if (hits.length > limit) return { hits: hits.slice(0, limit), more: true }
    }
  }
  return { hits, more }
}

/** At most so many files, those that were changed last, the last first. */
function newest(entries: readonly FileEntry[], most: number): FileEntry[] {
  const times = Float64Array.from(entries, ({ read }) => read.modified).sort()
  const least = times[Math.max(0, times.length - most)] ?? 0
  return entries
    .filter(({ read }) => read.modified >= least)
    .sort((a, b) => b.read.modified - a.read.modified || (a.path < b.path ? -1 : 1))
    .slice(0, most)
}

/** What wasn’t searched, a sentence each. */
function problemsOf(index: FileIndex, roots: readonly string[], found: Search): string[] {
  const { closed, unreadable, large } = found
  const problems = roots
    .filter((root) => !index.roots.has(root))
    .map((root) => `${root} isn’t there any more`)
  for (const { path, problem } of closed.slice(0, NAMED)) problems.push(`${path} can’t be read: ${problem}`)
  if (closed.length > NAMED) problems.push(`${closed.length - NAMED} more folders can’t be read`)
  if (unreadable > 0) problems.push(`${unreadable} files can’t be read`)
  if (large > 0) problems.push(`${large} texts of more than ${MAX_TEXT} bytes were searched by name only`)
  if (index.isFull) problems.push(`only the first ${MAX_FILES} files were searched`)
  return problems
}
