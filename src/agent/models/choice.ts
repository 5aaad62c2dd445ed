import { constants } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { ModelChoice, ModelShown } from '../../agent-api.js'
import { isSelkieError, SelkieError } from '../../base/errors.js'
import { printable } from '../../base/printable.js'
import { replaceFile } from '../../base/replace-file.js'
import { object, shape, text } from '../../base/schema.js'
import { modelAddress } from './address.js'
import { keySource, readKey, type Env } from './key.js'

/** Characters of a model’s name, of an address or a path. */
const MAX_NAME = 256
const MAX_LENGTH = 4096
/** In capitals: who gives the key itself here by mistake shall not find it stored. */
const VARIABLE = /^[A-Z_][A-Z0-9_]{0,255}$/
/** What every GGUF file begins with. */
const MAGIC = 'GGUF'

const long = text(MAX_LENGTH, 1)
const isUrl = shape<Extract<ModelChoice, { kind: 'url' }>>(
  object({ kind: { const: 'url' }, url: long, model: text(MAX_NAME, 1), keyEnv: long, keyFile: long }, [
    'keyEnv',
    'keyFile'
  ])
)
const isGguf = shape<Extract<ModelChoice, { kind: 'gguf' }>>(object({ kind: { const: 'gguf' }, file: long }))

/**
 * Which model is set on this device: null where none is.
 *
 * @throws SelkieError E_MODEL_FILE where the home’s file says something else; E_MODEL_CHOICE
 *   and E_MODEL_PLAIN where it says what can’t be used
 */
export async function readChoice(home: string): Promise<ModelChoice | null> {
  const path = fileIn(home)
  let choice: unknown
  try {
    choice = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new SelkieError('E_MODEL_FILE', { path }, { cause })
  }
  if (!isUrl(choice) && !isGguf(choice)) throw new SelkieError('E_MODEL_FILE', { path })
  return checked(choice)
}

/**
 * Sets a model on this device, or none. A key is never part of it: only where it is read
 * from, at each use.
 *
 * @throws SelkieError E_MODEL_CHOICE, E_MODEL_PLAIN, E_MODEL_GGUF; of a key file E_MODEL_KEYFILE,
 *   E_MODEL_KEY_MISSING
 */
export async function saveChoice(home: string, choice: ModelChoice | null): Promise<void> {
  const path = fileIn(home)
  if (!choice) return rm(path, { force: true })
  if (!isUrl(choice) && !isGguf(choice)) throw refused('it lacks something, or something is too long')
  const sound = checked(choice)
  if (sound.kind === 'gguf') await requireGguf(sound.file)
  // A variable may be set elsewhere, where the node runs; a file is on this machine.
  else if (sound.keyFile !== undefined) await readKey(sound, {})
  await replaceFile(path, `${JSON.stringify(sound, null, 2)}\n`)
}

/**
 * What is set, for people: never a key.
 *
 * @throws SelkieError as `readChoice`; E_MODEL_KEYFILE where others may read the key
 */
export async function showChoice(home: string, env: Env): Promise<ModelShown> {
  const choice = await readChoice(home)
  if (!choice) return { kind: 'none' }
  if (choice.kind === 'gguf') return choice
  const { kind, url, model } = choice
  const keyFrom = keySource(choice)
  const key = keyFrom === null ? 'none' : (await hasKey(choice, env)) ? 'there' : 'missing'
  return { kind, url, model, key, keyFrom }
}

function fileIn(home: string): string {
  return join(home, 'model.json')
}

function checked(choice: ModelChoice): ModelChoice {
  if (choice.kind === 'gguf') {
    if (!isAbsolute(choice.file)) throw refused('the path of its file isn’t absolute')
    return choice
  }
  const { model, keyEnv, keyFile } = choice
  if (printable(model) !== model || model.trim() !== model || /\s/.test(model.replaceAll(' ', '')))
    throw refused('its name has characters that no model’s name has')
  if (keyEnv !== undefined && keyFile !== undefined)
    throw refused('its key can come from a variable or from a file, not from both')
  if (keyEnv !== undefined && !VARIABLE.test(keyEnv))
    throw refused('the name of its key’s variable has other characters than capitals, digits and _')
  if (keyFile !== undefined && !isAbsolute(keyFile)) throw refused('the path of its key isn’t absolute')
  return { ...choice, url: modelAddress(choice.url) }
}

async function hasKey(choice: Extract<ModelChoice, { kind: 'url' }>, env: Env): Promise<boolean> {
  try {
    return (await readKey(choice, env)) !== undefined
  } catch (error) {
    if (isSelkieError(error, 'E_MODEL_KEY_MISSING')) return false
    throw error
  }
}

async function requireGguf(path: string): Promise<void> {
  let begins = ''
  try {
    // What is no file must not be waited for.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
      begins = buffer.toString('latin1', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw new SelkieError('E_MODEL_GGUF', { path }, { cause })
  }
  if (begins !== MAGIC) throw new SelkieError('E_MODEL_GGUF', { path })
}

function refused(why: string): SelkieError {
  return new SelkieError('E_MODEL_CHOICE', { why })
}
