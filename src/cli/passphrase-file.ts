import { open } from 'node:fs/promises'
import { SelkieError } from '../base/errors.js'
import { isOpenToOthers } from '../base/open-to-others.js'
import { inputFile } from './files.js'

/**
 * The passphrase in a file: its text without the line end that editors put there.
 *
 * @throws SelkieError E_INPUT_FILE, E_PASSPHRASE_OPEN where others may read it,
 *   E_PASSPHRASE_EMPTY
 */
export async function passphraseIn(path: string): Promise<string> {
  const file = await open(path).catch(inputFile(path))
  try {
    if (isOpenToOthers(await file.stat())) throw new SelkieError('E_PASSPHRASE_OPEN', { path })
    const passphrase = (await file.readFile('utf8').catch(inputFile(path))).replace(/\r?\n$/, '')
    if (passphrase.trim() === '') throw new SelkieError('E_PASSPHRASE_EMPTY', { path })
    return passphrase
  } finally {
    await file.close()
  }
}
