import { rename, rm, writeFile } from 'node:fs/promises'

/**
 * Puts a file that only this user may read in the place of the one of that path: whoever
 * reads it meanwhile, also after a kill, has the one or the other whole. Where the disk is
 * full, the one that was there stays, and nothing beside it.
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.new`
  try {
    await writeFile(draft, content, { mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
