import { buffer } from 'node:stream/consumers'
import { readFile, writeFile } from 'node:fs/promises'
import { SelkieError } from '../base/errors.js'
import { systemWords } from '../base/system.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a file, or of stdin for `-`.
 *
 * @throws SelkieError E_INPUT_FILE, E_INPUT_TEXT when it isn’t UTF-8: guessing would
 *   change what was written
 */
export async function readText(path: string): Promise<string> {
  const bytes = path === '-' ? await buffer(process.stdin) : await readFile(path).catch(inputFile(path))
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new SelkieError('E_INPUT_TEXT', { path: path === '-' ? 'stdin' : path }, { cause })
  }
}

/**
 * Writes a text to a new file; what is there already, a link too, stays as it is.
 *
 * @throws SelkieError E_FILE_EXISTS, E_OUTPUT_FILE
 */
export async function writeText(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EEXIST') throw new SelkieError('E_FILE_EXISTS', { path }, { cause })
    throw new SelkieError('E_OUTPUT_FILE', { path, why: systemWords(cause) }, { cause })
  })
}

/** Turns why a file can’t be read into E_INPUT_FILE; for `catch`. */
export function inputFile(path: string): (cause: unknown) => never {
  return (cause) => {
    throw new SelkieError('E_INPUT_FILE', { path, why: systemWords(cause) }, { cause })
  }
}
