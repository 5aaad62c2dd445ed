import { resolve } from 'node:path'
import { writeText } from '../files.js'
import { defineVerb } from '../verb.js'

interface Card {
  card: string
  name: string
  identity: string
  /** Where it was written, absolute; absent where it wasn’t. */
  file?: string
}

export const verb = defineVerb({
  about: 'Print your own contact card, for people to `pair --card` with',
  positionals: [],
  flags: { out: { type: 'string', value: 'FILE', about: 'Write it to a new file' } },
  run: async ({ flags, use }): Promise<Card> => {
    const card = await use((node) => node.card())
    if (flags.out === undefined) return card
    const file = resolve(flags.out)
    await writeText(file, card.card.trimEnd() + '\n')
    return { ...card, file }
  },
  text: ({ card, file }) => (file === undefined ? card.trimEnd() : `Your card is in ${file}.`)
})
