import { readFile } from 'node:fs/promises'
import { SelkieError } from '../base/errors.js'
import { printable } from '../base/printable.js'
import { inputFile } from './files.js'
import type { Globals } from './globals.js'

/** The person broke off at a question. */
export class BrokenOff extends Error {}

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
  return answered(await confirm({ message: printable(message), initialValue: false, output }))
}

let asked: Promise<string> | undefined

/**
 * The passphrase that opens this home’s keys, from the file that was named, or asked
 * for: once, however often the command opens its home.
 *
 * @throws SelkieError E_PASSPHRASE_NEEDED without either, E_INPUT_FILE
 */
export function askPassphrase(globals: Globals): Promise<string> {
  return (asked ??= ask(globals))
}

async function ask(globals: Globals): Promise<string> {
  if (globals.passphraseFile !== undefined) return passphraseIn(globals.passphraseFile)
  if (!canAsk()) throw new SelkieError('E_PASSPHRASE_NEEDED')
  const { password } = await import('@clack/prompts')
  return answered(await password({ message: 'The passphrase of this home’s keys', output }))
}

/** A passphrase for new keys, from the file that was named, or asked for twice. */
export async function askNewPassphrase(globals: Globals): Promise<string> {
  if (globals.passphraseFile !== undefined) return passphraseIn(globals.passphraseFile)
  if (!canAsk()) throw new SelkieError('E_PASSPHRASE_NEEDED')
  const { password } = await import('@clack/prompts')
  const first = answered(
    await password({ message: 'A passphrase for this home’s keys', output, validate: notEmpty })
  )
  await password({
    message: 'The same once more',
    output,
    validate: (again) => (again === first ? undefined : 'That is not the same.')
  }).then(answered)
  return first
}

/** The passphrase is the file without the line end that editors put there. */
async function passphraseIn(path: string): Promise<string> {
  return (await readFile(path, 'utf8').catch(inputFile(path))).replace(/\r?\n$/, '')
}

function notEmpty(text: string | undefined): string | undefined {
  return text ? undefined : 'It can’t be empty.'
}

/** The library answers a Ctrl-C with a symbol. */
function answered<T>(answer: T): Exclude<T, symbol> {
  if (typeof answer === 'symbol') throw new BrokenOff()
  return answer as Exclude<T, symbol>
}
