import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes of all files below a folder; those that vanish meanwhile count nothing. */
export function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.reduce(
    (sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0),
    0
  )
}
