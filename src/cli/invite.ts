import type { Invite, NodeApi } from '../api.js'
import { isSelkieError, SelkieError } from '../base/errors.js'
import { usage } from './args.js'
import type { Flags } from './flags.js'
import type { Call } from './verb.js'

/** The flags of a verb that opens an invite. */
export const INVITE_FLAGS = {
  expires: { type: 'string', value: '10m', about: 'How long it can be used: 90s, 10m, 2h or 1d' }
} as const satisfies Flags

/** Seconds of each unit that `--expires` takes. */
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
/** Whoever finds an invite can use it, so none stays open for long. */
const MAX_SECONDS = 7 * 86_400

/** What ends an invite before its time. */
export const UNTIL_STOPPED = 'It ends earlier if this node stops or starts anew.'

/** What an invite is to, and how the node does it. */
interface Inviting<T> {
  /** The verb, for wrong usage. */
  readonly verb: string
  readonly open: (node: NodeApi, options: { expiresInSeconds: number }) => Promise<Invite>
  /** Waits until it was used, and gives by whom. */
  readonly used: (node: NodeApi, invite: string) => Promise<T>
}

/**
 * Opens an invite, prints it and waits until it was used. A program gets the invite at
 * once, so the node that waits for the other side must be one that stays.
 *
 * @throws SelkieError E_USAGE, E_NODE_DOWN, E_INVITE_EXPIRED, E_INVITE_ENDED
 */
export async function openInvite<T>(
  { flags, globals, use, note }: Call<readonly [], typeof INVITE_FLAGS>,
  print: (invite: Invite) => void,
  { verb, open, used }: Inviting<T>
): Promise<Invite | T> {
  const options = { expiresInSeconds: secondsOf(flags.expires ?? '10m', verb) }
  if (globals.json) return use((node) => open(node, options), 'up')
  return use(async (node) => {
    const opened = await open(node, options)
    print(opened)
    if (process.stdout.isTTY) note(await qrCode(opened.invite))
    note('Waiting for the other side. Ctrl-C stops waiting.')
    return used(node, opened.invite).catch(inviteEnded)
  }, 'online')
}

/** The node that stopped has taken its invite along. */
function inviteEnded(cause: unknown): never {
  throw isSelkieError(cause, 'E_NODE_GONE') ? new SelkieError('E_INVITE_ENDED', {}, { cause }) : cause
}

/**
 * `90s`, `10m`, `2h`, `1d` in seconds.
 *
 * @throws SelkieError E_USAGE
 */
export function secondsOf(duration: string, verb: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,5})([smhd])$/.exec(duration) ?? []
  if (unit === undefined) throw usage(`“${duration}” is no length of time such as 90s, 10m, 2h or 1d`, verb)
  const seconds = Number(count) * UNITS[unit]!
  if (seconds > MAX_SECONDS) throw usage('An invite can be open for 7d at most', verb)
  return seconds
}

async function qrCode(invite: string): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  return renderUnicodeCompact(invite, { border: 2 })
}
