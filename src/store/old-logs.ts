import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The one before the present, should someone have to look why it ended. */
const KEPT = 1

/**
 * Removes what RocksDB has told of itself at earlier openings: it begins a file each time,
 * and keeps a thousand. To be called by whoever holds the store.
 */
export async function removeOldLogs(store: string): Promise<void> {
  const db = join(store, 'db')
  // Each is named after the microsecond in which it was put aside.
  const old = (await readdir(db)).filter((name) => /^LOG\.old\.\d+$/.test(name)).sort()
  for (const name of old.slice(0, -KEPT)) await rm(join(db, name), { force: true })
}
