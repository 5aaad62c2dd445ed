import type { Contact, Invite } from '../../api.js'
import { usage } from '../args.js'
import { renderPaired } from '../contact.js'
import { timed } from '../table.js'
import { defineVerb } from '../verb.js'

/** Seconds of each unit that `--expires` takes. */
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
/** Whoever finds an invite can use it, so none stays open for long. */
const MAX_SECONDS = 7 * 86_400

export const verb = defineVerb({
  about: 'Open a one-time invite for somebody to pair with, and wait for them',
  positionals: [],
  flags: { expires: { type: 'string', value: '10m', about: 'How long it can be used: 90s, 10m, 2h or 1d' } },
  run: async ({ flags, globals, use, note }, print): Promise<Invite | Contact> => {
    const options = { expiresInSeconds: secondsOf(flags.expires ?? '10m') }
    // A program gets the invite at once, so the node that waits for the other side must stay.
    if (globals.json) return use((node) => node.invite(options), 'up')
    return use(async (node) => {
      const opened = await node.invite(options)
      print(opened)
      if (process.stdout.isTTY) note(await qrCode(opened.invite))
      note('Waiting for the other side. Ctrl-C stops waiting.')
      return node.invited(opened.invite)
    }, 'online')
  },
  text: (result) => ('invite' in result ? renderInvite(result) : renderPaired(result))
})

export function renderInvite({ invite, expires }: Invite): string {
  return `${invite}\n\nThe other side runs \`selkie pair\` with it, once, before ${timed(expires)}.`
}

/**
 * `90s`, `10m`, `2h`, `1d` in seconds.
 *
 * @throws SelkieError E_USAGE
 */
export function secondsOf(duration: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,5})([smhd])$/.exec(duration) ?? []
  if (unit === undefined)
    throw usage(`“${duration}” is no length of time such as 90s, 10m, 2h or 1d`, 'invite')
  const seconds = Number(count) * UNITS[unit]!
  if (seconds > MAX_SECONDS) throw usage('An invite can be open for 7d at most', 'invite')
  return seconds
}

async function qrCode(invite: string): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  return renderUnicodeCompact(invite, { border: 2 })
}
