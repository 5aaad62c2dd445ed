/**
 * Begins runs and ends them in the conversations of a folder until it is killed, and says each step.
 * The first of them never ends.
 */
import { randomBytes } from 'node:crypto'
import Corestore from 'corestore'
import { Conversations } from '../../src/store/conversations.js'
import { device } from '../agent/talks.js'

const conversations = await Conversations.open({ logs: new Corestore(process.argv[2]!), device })
const say = (what: string, id: string): boolean => process.stdout.write(`${what} ${id}\n`)
const begin = async (): Promise<string> => {
  const id = randomBytes(16).toString('hex')
  await conversations.begin(id, { said: [`question of ${id}`], run: '{}' })
  say('begun', id)
  return id
}
await begin()
for (;;) {
  // Two at once, of which the first ends the last.
  const [one, other] = [await begin(), await begin()]
  for (const id of [other, one]) {
    await conversations.end(
      id,
      { said: [`question of ${id}`, `answer of ${id}`], run: '{}' },
      randomBytes(5000)
    )
    say('ended', id)
  }
}
