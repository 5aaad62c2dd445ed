import { resolve } from 'node:path'
import type { SealedFile } from '../../api.js'
import { shellWord } from '../contact.js'
import { counted, oneLine, sized } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Seal a skill with all that it mentions into a file for a contact',
  positionals: ['@slug'],
  flags: {
    to: { type: 'string', value: 'CONTACT', required: true, about: 'Who alone can open it' },
    out: { type: 'string', value: 'FILE', required: true, about: 'The file to write, such as trip.selkie' },
    note: { type: 'string', value: 'N', about: 'A few words to go with it' }
  },
  run: ({ args: [slug], flags: { to, out, note: words }, use, note }) =>
    use(async (node): Promise<SealedFile> => {
      const sealed = await node.seal(slug, to, resolve(out), words === undefined ? {} : { note: words })
      if (sealed.warning) note(sealed.warning.message)
      return sealed
    }),
  text: renderSealed
})

export function renderSealed({ file, contact, root, skills, bytes }: SealedFile): string {
  return `@${root}, ${counted(skills.length, 'skill')} in all, is sealed for ${oneLine(contact)} in ${file}, ${sized(bytes)}.
They take it in with: selkie receive ${shellWord(file.split(/[\\/]/).at(-1)!)}`
}
