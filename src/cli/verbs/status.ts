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
    ['network', status.online ? 'connected' : 'not connected; `selkie up` connects'],
    ['skills', String(status.skills)],
    [
      'contacts',
      `${status.contacts}${connected.length > 0 ? `, online: ${connected.map(oneLine).join(', ')}` : ''}`
    ],
    ['outbox', `${counted(outbox.waiting, 'bundle')} waiting`],
    ['inbox', `${counted(inbox.waiting, 'bundle')} waiting, ${sized(inbox.bytes)}`]
  ])
}
