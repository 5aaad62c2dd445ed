import { userInfo } from 'node:os'
import { newPassphrase, PASSPHRASE_FLAG, refuseHome } from '../new-home.js'
import { paint } from '../paint.js'
import { aligned } from '../table.js'
import { defineVerb } from '../verb.js'

interface Founded {
  name: string
  identity: string
  device: string
  words: string
}

export const verb = defineVerb({
  about: 'Make an identity and this node’s home',
  positionals: [],
  flags: {
    name: { type: 'string', value: 'N', about: 'What your contacts see; your account’s name unless given' },
    ...PASSPHRASE_FLAG
  },
  run: async ({ flags, globals }): Promise<Founded> => {
    await refuseHome(globals.home)
    const passphrase = await newPassphrase(flags, globals)
    const { initHome } = await import('../../node.js')
    return initHome({ home: globals.home, name: flags.name ?? userInfo().username, ...passphrase })
  },
  text: renderFounded
})

export function renderFounded({ name, identity, words }: Founded): string {
  return `${name}, your identity is ${identity}.

These 24 words are the key to it. They are shown this once and kept nowhere:

${inFourColumns(words.split(' '))}

Write them down on paper, in this order, and keep them where nobody else reads.
They are what your identity is made from: should this device be lost, nothing else shows that it is yours.
Whoever has them can be you. Selkie never asks for them to send or receive.

Next: ${paint('bold', 'selkie list')} shows the skills you begin with.`
}

function inFourColumns(words: string[]): string {
  const rows = Math.ceil(words.length / 4)
  const cell = (i: number): string => `${String(i + 1).padStart(2)} ${paint('bold', words[i] ?? '')}`
  return aligned(
    Array.from({ length: rows }, (_, row) => ['', ...[0, 1, 2, 3].map((column) => cell(column * rows + row))])
  )
}
