import { readdir, stat, type FileHandle } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import type { Diagnostic } from '../../api.js'
import { MAX_PATH_DEPTH } from '../../base/limits.js'
import { diagnostic } from '../../folders/diagnostics.js'
import { unreadable, type LeftOut } from '../../folders/regular.js'
import { openGranted } from '../granted.js'

const MiB = 1024 * 1024
/** Bytes of one file. */
export const MAX_CALENDAR = 16 * MiB
/** Files that one call reads, their bytes, and what it looks at in folders to find them. */
export const MAX_CALENDARS = 5000
const MAX_BYTES = 64 * MiB
const MAX_ENTRIES = 200_000

/** A calendar’s file as it was read. */
export interface CalendarFile {
  /** Its path from the granted folder on, that folder’s own name first. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Told what was left out, and why. */
type Say = (problem: Diagnostic) => void

/**
 * Reads the `.ics` files that are granted, and those in folders that are, each once, as they
 * are on the disk now. Links aren’t followed.
 *
 * @param granted absolute paths, links resolved
 */
export async function* calendarFiles(
  granted: readonly string[],
  say: Say,
  signal: AbortSignal
): AsyncGenerator<CalendarFile> {
  const left = { files: MAX_CALENDARS, bytes: MAX_BYTES, entries: MAX_ENTRIES }
  const read = new Set<string>()
  for (const root of granted) {
    for await (const path of icsFiles(root, left, say)) {
      signal.throwIfAborted()
      const file = await readOnce(path, root, read, left, say)
      if (file) yield file
    }
    if (Math.min(left.files, left.bytes, left.entries) < 0) {
      say(diagnostic('D_CALENDARS', { path: basename(root) }, { files: MAX_CALENDARS, bytes: MAX_BYTES }))
      return
    }
  }
}

/** What a call may still read. */
interface Left {
  files: number
  bytes: number
  entries: number
}

/** The `.ics` files of what is granted, in the order of their paths. */
async function* icsFiles(root: string, left: Left, say: Say): AsyncGenerator<string> {
  const stats = await stat(root).catch(unreadable)
  if ('code' in stats) say(diagnostic(stats.code, { path: shown(root, root) }, stats.fields))
  else if (stats.isDirectory()) yield* below(root, root, 0, left, say)
  else yield root
}

const TOO_DEEP: LeftOut = { code: 'D_TOO_DEEP', fields: { limit: MAX_PATH_DEPTH } }

async function* below(
  root: string,
  folder: string,
  depth: number,
  left: Left,
  say: Say
): AsyncGenerator<string> {
  const place = { path: shown(root, folder) }
  const entries =
    depth > MAX_PATH_DEPTH ? TOO_DEEP : await readdir(folder, { withFileTypes: true }).catch(unreadable)
  if (!Array.isArray(entries)) {
    say(diagnostic(entries.code, place, entries.fields))
    return
  }

  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (Math.min(left.files, left.bytes) < 0 || --left.entries < 0) return
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* below(root, path, depth + 1, left, say)
    else if (!/\.ics$/i.test(entry.name)) continue
    else if (entry.isFile()) yield path
    else if (entry.isSymbolicLink()) say(diagnostic('D_SYMLINK', { path: shown(root, path) }))
  }
}

async function readOnce(
  path: string,
  root: string,
  read: Set<string>,
  left: Left,
  say: Say
): Promise<CalendarFile | undefined> {
  const file = await contentOnce(path, root, read, left).catch(unreadable)
  if (file instanceof Uint8Array) return { path: shown(root, path), bytes: file }
  if (file) say(diagnostic(file.code, { path: shown(root, path) }, file.fields))
  return undefined
}

/** Undefined for a file that was read already, and at the end of what may be read. */
async function contentOnce(
  path: string,
  root: string,
  read: Set<string>,
  left: Left
): Promise<Uint8Array | LeftOut | undefined> {
  const handle = await openGranted(path, root)
  if (!handle) return { code: 'D_UNREADABLE', fields: { why: 'it is gone, or not for you to read' } }
  try {
    const { dev, ino, size } = await handle.stat({ bigint: true })
    if (read.has(`${dev} ${ino}`)) return undefined
    read.add(`${dev} ${ino}`)
    const bytes = Number(size)
    if (bytes > MAX_CALENDAR) return { code: 'D_CALENDAR_SIZE', fields: { size: bytes, limit: MAX_CALENDAR } }
    left.bytes -= bytes
    left.files -= 1
    return left.files < 0 || left.bytes < 0 ? undefined : await contentOf(handle, bytes)
  } finally {
    await handle.close()
  }
}

/** What a file held when it was looked at; less where it has shrunk since. */
async function contentOf(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

function shown(root: string, path: string): string {
  return join(basename(root), relative(root, path))
}
