import { rename, writeFile } from 'node:fs/promises'

/**
 * Puts a file that only this user may read in the place of the one of that path: whoever
 * reads it meanwhile, also after a kill, has the one or the other whole.
 */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.new`, content, { mode: 0o600 })
  await rename(`${path}.new`, path)
}
