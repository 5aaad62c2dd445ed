import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder, with those above it that are missing; one that is there stays as it is.
 * Node’s own way, `recursive`, never ends where a folder that is there says that it isn’t,
 * as `/proc` does: so this one goes up to the nearest that is there, and tries each once.
 *
 * @param mode of every folder that is made
 * @param made is given each of them once it is there, the uppermost first
 * @throws what the system refuses
 */
export async function makeFolder(path: string, mode = 0o777, made: string[] = []): Promise<void> {
  const missing: string[] = []
  let at = resolve(path)
  while (!(await isThere(at)) && dirname(at) !== at) {
    missing.unshift(at)
    at = dirname(at)
  }
  // What is there already and is no folder is refused like one that can’t be made.
  for (const each of missing.length > 0 ? missing : [at]) if (await makeOne(each, mode)) made.push(each)
}

/** Gives false where it is there already. */
async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode })
    return true
  } catch (error) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false
    )
    // Another process may have made it meanwhile.
    if (!isFolder) throw error
    return false
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw error
  }
}
