import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { SelkieError } from '../base/errors.js'
import type { Flags, FlagValues } from './flags.js'

/** The flags of every verb. */
export const GLOBAL_FLAGS = {
  home: { type: 'string', value: 'DIR', about: 'Where this node keeps everything (or set SELKIE_HOME)' },
  bootstrap: {
    type: 'string',
    value: 'HOST:PORT,…',
    about: 'Enter the network here instead of the public one'
  },
  json: { type: 'boolean', about: 'Print the result as one JSON value' },
  quiet: { type: 'boolean', about: 'Print the result and nothing else' },
  'passphrase-file': {
    type: 'string',
    value: 'FILE',
    about: 'A file with the passphrase of this home’s keys'
  },
  help: { type: 'boolean', short: 'h', about: 'Show how it is used' }
} as const satisfies Flags

/** The flags that stand without a verb. */
export const BARE_FLAGS = {
  ...GLOBAL_FLAGS,
  version: { type: 'boolean', about: 'Show which version this is' }
} as const satisfies Flags

export type GlobalValues = FlagValues<typeof GLOBAL_FLAGS>

/** What the global flags and the environment come to. */
export interface Globals {
  /** Absolute. */
  readonly home: string
  /** `host:port`, each; undefined for the public network. */
  readonly bootstrap: string[] | undefined
  readonly json: boolean
  readonly quiet: boolean
  readonly passphraseFile: string | undefined
}

/**
 * The globals of these flags.
 *
 * @throws SelkieError E_USAGE
 */
export function globalsOf(flags: GlobalValues): Globals {
  return {
    home: resolve(flags.home ?? process.env['SELKIE_HOME'] ?? dataFolder()),
    bootstrap: flags.bootstrap?.split(',').map(address),
    json: flags.json ?? false,
    quiet: flags.quiet ?? false,
    passphraseFile: flags['passphrase-file']
  }
}

function address(given: string): string {
  const [, port] = /^[^\s:]+:([1-9][0-9]{0,4})$/.exec(given) ?? []
  if (port !== undefined && Number(port) < 2 ** 16) return given
  throw new SelkieError('E_USAGE', { why: `“${given}” is no HOST:PORT`, near: '', verb: '' })
}

/** Where programs keep a user’s data on this platform. */
function dataFolder(): string {
  const { env, platform } = process
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'selkie')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'selkie')
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'selkie')
}
