import { readdir, stat, type FileHandle } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import type { Diagnostic } from '../../api.js'
import { MAX_PATH_DEPTH } from '../../base/limits.js'
import { diagnostic } from '../../folders/diagnostics.js'
import { unreadable } from '../../folders/regular.js'
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
    if (Math.min(left.files, left.bytes, left.entries) < 0)
      return say(
        diagnostic('D_CALENDARS', { path: basename(root) }, { files: MAX_CALENDARS, bytes: MAX_BYTES })
      )
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
  try {
    if (!(await stat(root)).isDirectory()) return yield root
  } catch (error) {
    const { code, fields } = unreadable(error)
    return say(diagnostic(code, { path: shown(root, root) }, fields))
  }
  yield* below(root, root, 0, left, say)
}

async function* below(
  root: string,
  folder: string,
  depth: number,
  left: Left,
  say: Say
): AsyncGenerator<string> {
  const place = { path: shown(root, folder) }
  if (depth > MAX_PATH_DEPTH) return say(diagnostic('D_TOO_DEEP', place, { limit: MAX_PATH_DEPTH }))
  const entries = await readdir(folder, { withFileTypes: true }).catch(unreadable)
  if (!Array.isArray(entries)) return say(diagnostic(entries.code, place, entries.fields))

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
  const place = { path: shown(root, path) }
  const handle = await openGranted(path, root)
  if (!handle)
    return void say(diagnostic('D_UNREADABLE', place, { why: 'it is gone, or not for you to read' }))
  try {
    const { dev, ino, size } = await handle.stat({ bigint: true })
    const file = `${dev} ${ino}`
    if (read.has(file)) return undefined
    read.add(file)
    if (size > MAX_CALENDAR)
      return void say(diagnostic('D_CALENDAR_SIZE', place, { size: Number(size), limit: MAX_CALENDAR }))
    left.bytes -= Number(size)
    return --left.files < 0 || left.bytes < 0
      ? undefined
      : { ...place, bytes: await contentOf(handle, Number(size)) }
  } catch (error) {
    const { code, fields } = unreadable(error)
    return void say(diagnostic(code, place, fields))
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
