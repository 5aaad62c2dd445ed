import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type Corestore from 'corestore'
import type { Clock } from '../base/clock.js'
import { replaceFile } from '../base/replace-file.js'
import { toHex } from '../keys/sodium.js'

/*
 * A log is made from its name, so a copy of a home makes the same ones as its original;
 * and what the original wrote to them after it was copied, others may have. A generation
 * is chance that goes into the names of the logs that an adopted copy begins.
 */

/** The name of a log in the generation that this store is in. */
export async function nameIn(logs: Corestore, name: string): Promise<string> {
  const generation = await generationOf(logs)
  return generation === '' ? name : `${name}/${generation}`
}

/** Of a store that was never adopted it is empty. */
export async function generationOf(logs: Corestore): Promise<string> {
  try {
    return await readFile(pathOf(logs), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Begins the next generation: logs that are opened from now on are new ones. */
export async function beginGeneration(logs: Corestore, clock: Clock): Promise<void> {
  await replaceFile(pathOf(logs), toHex(clock.random(16)))
}

function pathOf(logs: Corestore): string {
  return join(logs.storage.path, 'generation')
}
