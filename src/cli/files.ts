import { text } from 'node:stream/consumers'
import { readFile, writeFile } from 'node:fs/promises'
import { SelkieError } from '../base/errors.js'
import { systemWords } from '../base/system.js'

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
  await writeFile(path, text).catch((cause: unknown) => {
    throw new SelkieError('E_OUTPUT_FILE', { path, why: systemWords(cause) }, { cause })
  })
}

/** Turns why a file can’t be read into E_INPUT_FILE; for `catch`. */
export function inputFile(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new SelkieError('E_INPUT_FILE', { path, why: systemWords(cause) }, { cause })
  }
}
