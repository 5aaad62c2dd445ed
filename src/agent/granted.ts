import { constants, existsSync } from 'node:fs'
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises'
import { sep } from 'node:path'

// A swap between looking and opening must not wait on a pipe.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
const NOFOLLOW = constants.O_NOFOLLOW ?? 0
/** Linux: a handle on what is there, without opening it. Node has no name for it. */
const O_PATH = 0o10000000
/** Where Linux says which file a handle is of. */
const HANDLES = '/proc/self/fd'
const handles = process.platform === 'linux' && existsSync(HANDLES)

/** Whether a real path is a granted one or lies in it. */
export function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/**
 * Opens a regular file that lies in a granted place, whatever links the folders of its
 * path are and whatever is swapped meanwhile: asked is where the very file lies that is
 * opened. What isn't a regular file isn't opened at all; a link isn't followed.
 *
 * @param path absolute
 * @param root what is granted: absolute, links resolved
 * @returns undefined where it isn't there, isn't a regular file or lies outside; the caller closes it
 */
export async function openGranted(path: string, root: string): Promise<FileHandle | undefined> {
  try {
    return await (handles ? openHeld(path, root) : openCompared(path, root))
  } catch {
    // Gone, or not for this user: nothing is there.
    return undefined
  }
}

/** Holds the file first, and opens only what it then holds, by the handle: nothing can be swapped. */
async function openHeld(path: string, root: string): Promise<FileHandle | undefined> {
  const held = await open(path, O_PATH | NOFOLLOW)
  try {
    const name = `${HANDLES}/${held.fd}`
    if (!(await held.stat()).isFile() || !isWithin(await readlink(name), root)) return undefined
    return await open(name, FLAGS)
  } finally {
    await held.close()
  }
}

/** What was opened is looked up again by its real path, and has to be the very file that is there. */
async function openCompared(path: string, root: string): Promise<FileHandle | undefined> {
  const handle = await open(path, FLAGS | NOFOLLOW)
  try {
    const opened = await handle.stat({ bigint: true })
    const real = await realpath(path)
    if (opened.isFile() && isWithin(real, root)) {
      const there = await stat(real, { bigint: true })
      if (there.ino === opened.ino && there.dev === opened.dev) return handle
    }
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return undefined
}
