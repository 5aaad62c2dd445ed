import { constants } from 'node:fs'
import { open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { sep } from 'node:path'

// A swap between looking and opening must not wait on a pipe.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Whether a real path is a granted one or lies in it. */
export function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/**
 * Opens a regular file that lies in a granted place, whatever links its path has and
 * whatever is swapped meanwhile: what was opened is looked up again by its real path, and
 * has to be the very file that is there.
 *
 * @param path absolute
 * @param root what is granted: absolute, links resolved
 * @returns undefined where it isn't there, isn't a regular file or lies outside; the caller closes it
 */
export async function openGranted(path: string, root: string): Promise<FileHandle | undefined> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, FLAGS)
    const opened = await handle.stat({ bigint: true })
    const real = await realpath(path)
    if (opened.isFile() && isWithin(real, root)) {
      const there = await stat(real, { bigint: true })
      if (there.ino === opened.ino && there.dev === opened.dev) return handle
    }
  } catch {
    // Gone, a link, or not for this user: nothing is there.
  }
  await handle?.close()
  return undefined
}
