import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import type { ModelChoice } from '../../agent-api.js'
import { SelkieError } from '../../base/errors.js'
import { isOpenToOthers } from '../../base/open-to-others.js'

/** The environment of a process, as far as keys are read from it. */
export type Env = Readonly<Record<string, string | undefined>>

type Keyed = Pick<Extract<ModelChoice, { kind: 'url' }>, 'keyEnv' | 'keyFile'>

/** Bytes of a key file that are looked at. */
const MAX_BYTES = 8192
/** Anything else can’t stand in a request’s head. */
const KEY = /^[\x21-\x7e]+$/
// What is no file must not be waited for.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Where a key is read from: `$NAME` of the environment, or a path; null where none is used. */
export function keySource({ keyEnv, keyFile }: Keyed): string | null {
  return keyEnv === undefined ? (keyFile ?? null) : `$${keyEnv}`
}

/**
 * The key that is used, read anew: undefined where none is.
 *
 * @throws SelkieError E_MODEL_KEYFILE where others may read the file, E_MODEL_KEY_MISSING
 *   where there is none, or what is there can’t be one
 */
export async function readKey(choice: Keyed, env: Env): Promise<string | undefined> {
  const where = keySource(choice)
  if (where === null) return undefined
  const key = (choice.keyEnv === undefined ? await keyIn(where) : env[choice.keyEnv])?.trim()
  if (key === undefined || !KEY.test(key)) throw new SelkieError('E_MODEL_KEY_MISSING', { where })
  return key
}

async function keyIn(path: string): Promise<string> {
  let file: FileHandle
  try {
    file = await open(path, FLAGS)
  } catch (cause) {
    throw new SelkieError('E_MODEL_KEY_MISSING', { where: path }, { cause })
  }
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new SelkieError('E_MODEL_KEY_MISSING', { where: path })
    if (isOpenToOthers(stats)) throw new SelkieError('E_MODEL_KEYFILE', { path })
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0)
    return bytesRead > MAX_BYTES ? '' : buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
