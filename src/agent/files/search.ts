import type { FileIndex } from './file-index.js'
import type { FileEntry, Folder } from './folder.js'
import { mayHold } from './digest.js'
import type { Part } from './jobs.js'
import type { Query } from './query.js'
import { Kind } from './read-text.js'
import { placeOf } from './scan.js'

/** How well files fit, the best first: by name and nothing more, by name, by path, by text. */
export const RANKS = ['exact', 'name', 'path', 'text'] as const
export type Rank = (typeof RANKS)[number]

/** Bytes of chunks that one job goes through, and files that one reads. */
const PART = 16 * 1024 * 1024
const BATCH = 128
/** Jobs after which is looked whether anyone still waits. */
const ROUND = 32
/** Texts up to which a word is looked for in each by itself, rather than in all chunks. */
const FEW = 2000

/** Files that fit, by how well, in no order; and what wasn’t looked into. */
export interface Search {
  readonly fits: Record<Rank, FileEntry[]>
  /** Folders that can’t be read. */
  readonly closed: Folder[]
  /** How many files can’t be read, and how many have too much text to be searched. */
  unreadable: number
  large: number
}

/** Files whose path doesn’t hold all words. */
interface Rest {
  readonly held: FileEntry[]
  readonly away: FileEntry[]
}

/**
 * Looks for files in an index. Texts are left out where the names and paths that fit are
 * more than `limit`: theirs would come after them.
 *
 * @throws what the signal’s reason is, where it aborts
 */
export async function search(
  index: FileIndex,
  query: Query,
  limit: number,
  signal: AbortSignal
): Promise<Search> {
  const fits: Search['fits'] = { exact: [], name: [], path: [], text: [] }
  const result: Search = { fits, closed: [], unreadable: 0, large: 0 }
  const rest: Rest = { held: [], away: [] }
  for (const root of index.roots.values()) {
    for (const folder of root.all()) searchNames(folder, query, result, rest)
  }
  if (fits.exact.length + fits.name.length + fits.path.length <= limit) {
    const held = await searchHeld(index, query, rest.held)
    fits.text = held.concat(await searchAway(index, query, rest.away, signal))
  }
  return result
}

function searchNames(folder: Folder, query: Query, result: Search, { held, away }: Rest): void {
  const { every } = query
  const { fits } = result
  if (folder.problem) result.closed.push(folder)
  const maskOf = query.inFolder(folder)
  for (const entry of folder.files.values()) {
    const { kind } = entry
    if (kind === Kind.unreadable) {
      result.unreadable++
      continue
    }
    if (kind === Kind.large) result.large++
    entry.mask = maskOf(entry)
    if (entry.mask === every) fits[rankOf(entry, query)].push(entry)
    else if (kind === Kind.held) held.push(entry)
    else if (kind === Kind.away) away.push(entry)
  }
}

/** How well a file fits whose path holds all words. */
function rankOf({ folded }: FileEntry, query: Query): Rank {
  if (query.isName(folded)) return 'exact'
  return query.in(folded) === query.every ? 'name' : 'path'
}

/** Those of files whose texts are held that have all words in path or text. */
async function searchHeld(index: FileIndex, query: Query, files: FileEntry[]): Promise<FileEntry[]> {
  let left = files
  for (const { word, bytes, bit } of hardestFirst(query, files)) {
    if (left.length > FEW) await scan(index, word, bit)
    else {
      for (const entry of left) {
        if (!(entry.mask & bit) && placeOf(bytes, index.texts.chunks.textOf(entry)!) >= 0) entry.mask |= bit
      }
    }
    left = left.filter(({ mask }) => mask & bit)
  }
  return left
}

/** The words, those first that leave the fewest files. */
function hardestFirst(
  query: Query,
  files: readonly FileEntry[]
): { word: string; bytes: Buffer; bit: number }[] {
  const words = query.words.map((word, i) => ({ word, bytes: query.bytes[i]!, bit: 1 << i, paths: 0 }))
  if (words.length > 1) {
    for (const { mask } of files) for (const each of words) if (mask & each.bit) each.paths++
  }
  return words.sort((a, b) => a.paths - b.paths || b.word.length - a.word.length)
}

/** Marks all files in whose held text a word is. */
async function scan({ texts: { chunks, threads } }: FileIndex, word: string, bit: number): Promise<void> {
  const all = chunks.all()
  for (let i = 0; i < all.length;) {
    const some: typeof all = []
    for (let size = 0; i < all.length && (some.length === 0 || size + all[i]!.used <= PART); i++) {
      some.push(all[i]!)
      size += all[i]!.used
    }
    const parts: Part[] = some.map(({ bytes, used }) => ({ shared: bytes.buffer as SharedArrayBuffer, used }))
    threads.add({ type: 'scan', word, parts }, ({ places = [] }) => {
      for (const [n, chunk] of some.entries()) {
        for (const place of places[n]!) {
          const entry = chunks.at(chunk, place)
          if (entry) entry.mask |= bit
        }
      }
    })
  }
  await threads.finish()
}

/** Whether the text of a file that isn’t held may have the words that its path hasn’t. */
function mayFit({ mask, digest }: FileEntry, { bytes }: Query): boolean {
  return !digest || bytes.every((word, i) => (mask & (1 << i)) !== 0 || mayHold(digest, word))
}

/** The same for files that have to be read again, but for those that can’t fit. */
async function searchAway(
  { texts: { threads } }: FileIndex,
  query: Query,
  files: readonly FileEntry[],
  signal: AbortSignal
): Promise<FileEntry[]> {
  const { words, every } = query
  const left = files.filter((entry) => mayFit(entry, query))
  for (let i = 0; i < left.length; i += BATCH) {
    const some = left.slice(i, i + BATCH)
    threads.add({ type: 'seek', words, paths: some.map(({ path }) => path) }, ({ masks = [] }) => {
      for (const [n, entry] of some.entries()) entry.mask |= masks[n]!
    })
    if ((i / BATCH + 1) % ROUND !== 0) continue
    await threads.finish()
    signal.throwIfAborted()
  }
  await threads.finish()
  return left.filter(({ mask }) => mask === every)
}
