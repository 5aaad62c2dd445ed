import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { below, list } from './find.js'
import { readRegular } from './regular.js'
import type { OutgoingFile } from './outgoing.js'

/** What is in the place of a folder that is to be written. */
export type Standing = 'nothing' | 'empty' | 'same' | 'other'

/**
 * Looks at what is in the place of a folder. It is the same where it holds these files
 * and nothing else, each with these bytes and this exec bit. Links aren’t followed: a
 * link is something other.
 *
 * @throws what the system refuses
 */
export async function standingOf(folder: string, files: readonly OutgoingFile[]): Promise<Standing> {
  const stats = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (!stats) return 'nothing'
  if (!stats.isDirectory()) return 'other'
  const there = await filesIn(folder, new Set(files.flatMap(({ path }) => foldersOf(path))))
  if (!there) return 'other'
  if (there.size === 0 && files.length > 0) return 'empty'
  if (there.size !== files.length) return 'other'
  for (const file of files) {
    const seen = there.get(file.path)
    if (!seen || !(await isSame(join(folder, file.path), seen, file))) return 'other'
  }
  return 'same'
}

/** The regular files below a folder; undefined where there is anything but them and these folders. */
async function filesIn(root: string, known: ReadonlySet<string>): Promise<Map<string, Stats> | undefined> {
  const files = new Map<string, Stats>()
  const folders = ['.']
  // The list grows while it is gone through.
  for (const folder of folders) {
    const entries = await list(join(root, folder))
    if (!Array.isArray(entries)) return undefined
    for (const entry of entries) {
      const path = below(folder, entry.name)
      if (entry.isDirectory() && known.has(path)) folders.push(path)
      else if (entry.isFile()) files.set(path, await lstat(join(root, path)))
      else return undefined
    }
  }
  return files
}

async function isSame(path: string, seen: Stats, file: OutgoingFile): Promise<boolean> {
  const exec = (seen.mode & 0o100) !== 0
  if (process.platform !== 'win32' && exec !== file.exec) return false
  const wanted = await file.bytes()
  if (seen.size !== wanted.length) return false
  const bytes = await readRegular(path, seen)
  return bytes instanceof Uint8Array && Buffer.compare(bytes, wanted) === 0
}

/** `a` and `a/b` of `a/b/c`. */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))
}
