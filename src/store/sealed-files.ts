import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BundleId } from '../base/ids.js'

/** Where the sealed bytes of a bundle lie in a folder of the home. */
export function sealedFile(folder: string, id: BundleId): string {
  return join(folder, `${id}.selkie`)
}

/** Writes a file whole or not at all, also when the process is killed. */
export async function writeSealed(path: string, sealed: Uint8Array): Promise<void> {
  const draft = await open(`${path}.part`, 'w', 0o600)
  try {
    await draft.writeFile(sealed)
    await draft.sync()
  } finally {
    await draft.close()
  }
  await rename(`${path}.part`, path)
}

/** Removes what a killed process has left in a folder: drafts, and bundles that no one waits for. */
export async function sweepSealed(folder: string, isAwaited: (id: BundleId) => boolean): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const id = name.replace(/\.selkie$/, '') as BundleId
    if (!isAwaited(id)) await rm(join(folder, name), { force: true, recursive: true })
  }
}
