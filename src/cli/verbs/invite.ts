import type { Contact, Invite } from '../../api.js'
import { renderPaired } from '../contact.js'
import { INVITE_FLAGS, openInvite, UNTIL_STOPPED } from '../invite.js'
import { timed } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Open a one-time invite for somebody to pair with, and wait for them',
  positionals: [],
  flags: INVITE_FLAGS,
  run: (call, print): Promise<Invite | Contact> =>
    openInvite(call, print, {
      verb: 'invite',
      open: (node, options) => node.invite(options),
      used: (node, invite) => node.invited(invite)
    }),
  text: (result) => ('invite' in result ? renderInvite(result) : renderPaired(result))
})

export function renderInvite({ invite, expires }: Invite): string {
  return `${invite}\n\nThe other side runs \`selkie pair\` with it, once, before ${timed(expires)}. ${UNTIL_STOPPED}`
}
