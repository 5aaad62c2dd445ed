import type { Sent } from '../../api.js'
import { shellWord } from '../contact.js'
import { counted, oneLine, sized } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Send a skill with all that it mentions to a contact, sealed',
  positionals: ['@slug', 'CONTACT'],
  flags: { note: { type: 'string', value: 'N', about: 'A few words to go with it' } },
  run: ({ args: [slug, contact], flags, use, note }) =>
    use(async (node): Promise<Sent> => {
      const sent = await node.send(slug, contact, flags.note === undefined ? {} : { note: flags.note })
      const stays = sent.state === 'queued' && !(await node.status()).online
      if (sent.warning) note(sent.warning.message)
      else if (stays) note('No node is up, so it waits here. `selkie up` delivers it.')
      else if (isTaken(sent.state)) note(renderAgain(sent))
      return sent
    }),
  text: renderSent
})

/** How a contact can take in once more what they have. */
export function renderAgain({ root, contact }: Sent): string {
  const seal = `selkie seal @${root} --to ${shellWord(oneLine(contact))} --out FILE`
  return `Nothing new was sent: they have exactly this already. For them to take it in once more: \`${seal}\`.`
}

/** Whether this is a delivery from before that the contact has. */
function isTaken(state: Sent['state']): boolean {
  return state === 'received' || state === 'imported'
}

export function renderSent({ id, state, contact, root, skills, bytes }: Sent): string {
  const what =
    skills.length > 1 ? `@${root} and ${counted(skills.length - 1, 'skill')} that it needs` : `@${root}`
  return `${what} to ${oneLine(contact)}: ${state}, ${sized(bytes)}, ${id}`
}
