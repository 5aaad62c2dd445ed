import { SelkieError } from '../base/errors.js'
import { printable } from '../base/printable.js'
import { readText } from './files.js'
import type { Globals } from './globals.js'
import { passphraseIn } from './passphrase-file.js'
import { prompted } from './prompted.js'

/** Questions go to stderr, so that stdout has results only. */
const output = process.stderr

/** Whether there is a person to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/**
 * Asks yes or no.
 *
 * @throws SelkieError E_ASK without a terminal, naming the flag to give instead
 */
export async function confirm(message: string, flag: string): Promise<boolean> {
  if (!canAsk()) throw new SelkieError('E_ASK', { flag })
  const { confirm } = await import('@clack/prompts')
  return prompted((signal) => confirm({ message: printable(message), initialValue: false, output, signal }))
}

let asked: Promise<string> | undefined

/**
 * The passphrase that opens this home’s keys, from the file that was named, or asked
 * for: once, however often the command opens its home.
 *
 * @throws SelkieError E_PASSPHRASE_NEEDED without either, and what {@link passphraseIn} refuses
 */
export function askPassphrase(globals: Globals): Promise<string> {
  return (asked ??= ask(globals))
}

async function ask(globals: Globals): Promise<string> {
  if (globals.passphraseFile !== undefined) return passphraseIn(globals.passphraseFile)
  if (!canAsk()) throw new SelkieError('E_PASSPHRASE_NEEDED')
  const { password } = await import('@clack/prompts')
  return prompted((signal) => password({ message: 'The passphrase of this home’s keys', output, signal }))
}

/**
 * A passphrase for new keys, from the file that was named, or asked for twice.
 *
 * @throws SelkieError E_ASK without either, and what {@link passphraseIn} refuses
 */
export async function askNewPassphrase(globals: Globals): Promise<string> {
  if (globals.passphraseFile !== undefined) return passphraseIn(globals.passphraseFile)
  if (!canAsk()) throw new SelkieError('E_ASK', { flag: '`--passphrase-file FILE`' })
  const { password } = await import('@clack/prompts')
  const message = 'A passphrase for this home’s keys'
  const first = await prompted((signal) => password({ message, output, signal, validate: notEmpty }))
  const validate = (again: string | undefined): string | undefined =>
    again === first ? undefined : 'That is not the same.'
  await prompted((signal) => password({ message: 'The same once more', output, signal, validate }))
  return first
}

/**
 * The 24 words of the identity: typed unseen on a terminal, or else from stdin. They
 * are never taken from the command line, and no text of ours repeats one.
 *
 * @throws SelkieError E_WORDS_NEEDED without either, E_WORDS when they can’t be an identity’s
 */
export async function askWords(): Promise<string> {
  const { wordsFault } = await import('./words.js')
  if (canAsk()) {
    const { password } = await import('@clack/prompts')
    const validate = (typed: string | undefined): string | undefined => wordsFault(typed ?? '')
    const message = 'The 24 words of your identity'
    return prompted((signal) => password({ message, output, signal, validate }))
  }
  // A terminal that we can’t ask on would show them while they are typed.
  const given = process.stdin.isTTY ? '' : await readText('-')
  if (given.trim() === '') throw new SelkieError('E_WORDS_NEEDED')
  if (wordsFault(given) !== undefined) throw new SelkieError('E_WORDS')
  return given
}

function notEmpty(text: string | undefined): string | undefined {
  return text?.trim() ? undefined : 'It can’t be empty.'
}
