import { socketPath } from '../attach/socket.js'
import { SelkieError } from '../base/errors.js'
import { askNewPassphrase } from './ask.js'
import type { Flags } from './flags.js'
import type { Globals } from './globals.js'

/** The flag of every verb that makes a home. */
export const PASSPHRASE_FLAG = {
  passphrase: { type: 'boolean', about: 'Ask for a passphrase to put this home’s keys under' }
} as const satisfies Flags

/** The flags of a verb that makes a home for one device more. */
export const DEVICE_FLAGS = {
  'device-name': {
    type: 'string',
    value: 'N',
    about: 'What your devices and contacts call it; the machine’s name unless given'
  },
  ...PASSPHRASE_FLAG
} as const satisfies Flags

/**
 * Refuses, before anything is asked or written down, a home that no other verb could
 * use or that is one already.
 *
 * @throws SelkieError E_HOME_PATH, E_HOME_EXISTS
 */
export async function refuseHome(home: string): Promise<void> {
  socketPath(home)
  const { hasHome } = await import('../store/home.js')
  if (await hasHome(home)) throw new SelkieError('E_HOME_EXISTS', { home })
}

/** The passphrase for the keys of a home that is made, where the person wants one. */
export async function newPassphrase(
  flags: { readonly passphrase: boolean | undefined },
  globals: Globals
): Promise<{ passphrase?: string }> {
  const wanted = flags.passphrase || globals.passphraseFile !== undefined
  return wanted ? { passphrase: await askNewPassphrase(globals) } : {}
}
