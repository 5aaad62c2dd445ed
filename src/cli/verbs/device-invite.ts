import type { Invite, OwnDevice } from '../../api.js'
import { INVITE_FLAGS, openInvite, UNTIL_STOPPED } from '../invite.js'
import { oneLine, timed } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Open a one-time invite for another device of yours, and wait for it',
  positionals: [],
  flags: INVITE_FLAGS,
  run: (call, print): Promise<Invite | OwnDevice> =>
    openInvite(call, print, {
      verb: 'device invite',
      open: (node, options) => node.deviceInvite(options),
      used: (node, invite) => node.deviceInvited(invite)
    }),
  text: (result) => ('invite' in result ? renderDeviceInvite(result) : renderInvited(result))
})

export function renderDeviceInvite({ invite, expires }: Invite): string {
  return `${invite}

On your other device, run \`selkie device join\` with it, once, before ${timed(expires)}. ${UNTIL_STOPPED}
Give it to nobody else: a device that joins has all that you have, and acts as you.`
}

export function renderInvited({ name, device }: OwnDevice): string {
  return `${oneLine(name)} is one of your devices now: ${device}.
With \`selkie up\` on each, they keep each other up to date.`
}
