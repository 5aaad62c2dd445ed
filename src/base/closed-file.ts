import type { FileHandle } from 'node:fs/promises'

/** Whether others on this machine than its owner may do anything with a file that holds a secret. */
export async function isOpenToOthers(file: FileHandle): Promise<boolean> {
  // Windows has no such bits; there the user’s profile folder keeps others out.
  if (process.platform === 'win32') return false
  const { mode } = await file.stat()
  return (mode & 0o077) !== 0
}
