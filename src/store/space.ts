import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { SelkieError } from '../base/errors.js'

const MiB = 1024 * 1024

/** Free bytes that a step leaves: for RocksDB’s own files, and for what follows from the step. */
export const SPARE = MiB
/** The same for what follows from a step that found {@link SPARE}: so it isn’t refused where that wasn’t. */
export const SPARE_AFTER = MiB / 4

/** Written bytes lie in the journal, and once more in a table before that goes. */
const COPIES = 2
/** The journal never takes more. */
const MOST_JOURNAL = 64 * MiB

/**
 * Refuses a step before anything of it is written where the disk hasn’t the room: half
 * written, it could come back as soon as there is some.
 *
 * @param folder a store’s, or another of its disk
 * @param bytes that will be written to it
 * @throws SelkieError E_DISK_FULL
 */
export async function refuseFull(folder: string, bytes: number, spare = SPARE): Promise<void> {
  // Where the system can’t say how much is free, writing will tell.
  const disk = await statfs(folder).catch(() => undefined)
  if (!disk || disk.blocks === 0) return
  const left = disk.bavail * disk.bsize - COPIES * bytes - spare
  if (left >= MOST_JOURNAL || (left >= 0 && left >= (await journalBytes(folder)))) return
  throw new SelkieError('E_DISK_FULL')
}

/** What the journal of a store holds: all of it is to be written to tables yet. */
async function journalBytes(folder: string): Promise<number> {
  const db = join(folder, 'db')
  const names = await readdir(db).catch(() => [])
  const journals = names.filter((name) => name.endsWith('.log'))
  // RocksDB may remove one meanwhile.
  const sizes = await Promise.all(journals.map((name) => stat(join(db, name)).catch(() => ({ size: 0 }))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}
