import { resolve } from 'node:path'
import type { Delivery } from '../../api.js'
import { oneLine } from '../table.js'
import { defineVerb } from '../verb.js'

export const verb = defineVerb({
  about: 'Take a sealed file into the inbox; nothing of it is used before a review',
  positionals: ['FILE'],
  flags: {},
  run: ({ args: [file], use }) => use((node) => node.receive(resolve(file))),
  text: renderReceived
})

/** What became of a sealed file, which may have come before: then that stands. */
export function renderReceived({ id, contact, root, state }: Delivery): string {
  const what = `@${root} from ${oneLine(contact)}`
  if (state === 'imported') return `${what} was received before, and taken in. There is nothing left to do.`
  if (state === 'declined')
    return `${what} was received before, and declined, which stays so. If you want it after all, ask ${oneLine(contact)} to seal it for you anew.`
  return `${what} is in the inbox. Look at it with: selkie review ${id}`
}
