import type { Status } from '../../api.js'
import { aligned, counted, oneLine, sized } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Show who this node is and what waits',
  positionals: [],
  flags: {},
  run: ({ use }) => use((node) => node.status()),
  text: renderStatus
})

export function renderStatus(status: Status): string {
  const { inbox, outbox, connected } = status
  return aligned([
    ['name', oneLine(status.name)],
    ['identity', status.identity],
    ['device', status.device],
    ['home', status.home],
    ['network', renderNetwork(status)],
    ['skills', String(status.skills)],
    [
      'contacts',
      `${status.contacts}${connected.length > 0 ? `, online: ${connected.map(oneLine).join(', ')}` : ''}`
    ],
    ['outbox', `${counted(outbox.waiting, 'bundle')} waiting`],
    ['inbox', `${counted(inbox.waiting, 'bundle')} waiting, ${sized(inbox.bytes)}`]
  ])
}

/** What is known of the network: that this node takes part says nothing of whether anyone answers. */
function renderNetwork({ online, connected }: Status): string {
  if (!online) return 'down; `selkie up` brings it up'
  return connected.length > 0
    ? `up, and ${counted(connected.length, 'contact')} reached`
    : 'up; no contact is reached at the moment'
}
