import { text } from 'node:stream/consumers'
import { readFile, writeFile } from 'node:fs/promises'
import { getSystemErrorMap } from 'node:util'
import { SelkieError } from '../base/errors.js'

/**
 * The text of a file, or of stdin for `-`.
 *
 * @throws SelkieError E_INPUT_FILE
 */
export async function readText(path: string): Promise<string> {
  if (path === '-') return text(process.stdin)
  return readFile(path, 'utf8').catch(inputFile(path))
}

/**
 * Writes a text to a file.
 *
 * @throws SelkieError E_OUTPUT_FILE
 */
export async function writeText(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((cause: NodeJS.ErrnoException) => {
    throw new SelkieError('E_OUTPUT_FILE', { path, why: reason(cause) }, { cause })
  })
}

/** Turns why a file can’t be read into E_INPUT_FILE; for `catch`. */
export function inputFile(path: string): (cause: NodeJS.ErrnoException) => never {
  return (cause) => {
    throw new SelkieError('E_INPUT_FILE', { path, why: reason(cause) }, { cause })
  }
}

/** The system’s words for an error, `no such file or directory`, without its codes. */
function reason(error: NodeJS.ErrnoException): string {
  const [, words] = getSystemErrorMap().get(error.errno ?? 0) ?? []
  return words ?? 'the system refused'
}
