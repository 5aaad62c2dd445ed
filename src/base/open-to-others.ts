import type { Stats } from 'node:fs'

/** Whether others on this machine than its owner may do anything with a file that holds a secret. */
export function isOpenToOthers({ mode }: Stats): boolean {
  // Windows has no such bits; there the user’s profile folder keeps others out.
  return process.platform !== 'win32' && (mode & 0o077) !== 0
}
