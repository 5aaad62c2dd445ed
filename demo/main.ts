import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Delivery, Invite, Listed, Resolution, Review, Status } from '../src/api.js'
import { background, Person, VerbFailed } from './person.js'

/*
 * The main job, with two people on one machine: each has a home, a node and a terminal
 * of their own, and they meet on a network that exists only for this run.
 */

const SKILLS = relative(process.cwd(), fileURLToPath(new URL('../../demo/skills', import.meta.url)))

function say(text: string): void {
  console.log(`\n# ${text}`)
}

/** Looks again until there is something; a delivery takes a moment, not a fixed time. */
async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const until = Date.now() + 30_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > until) throw new VerbFailed(`${what} did not happen within 30 seconds`)
    await setTimeout(50)
  }
}

/** Every mention of every skill, resolved one by one. */
async function resolveAll(person: Person): Promise<void> {
  const skills = await person.asks<Listed[]>('list')
  let mentions = 0
  for (const { slug, mentions: slugs } of skills) {
    for (const mention of slugs) {
      const { kind } = await person.asks<Resolution>('resolve', mention)
      if (kind === 'nothing') throw new VerbFailed(`@${mention} in @${slug} of ${person.name} leads nowhere`)
      mentions++
    }
  }
  console.log(`\n  ${person.name}: ${skills.length} skills, ${mentions} mentions, every one resolves.`)
}

async function story(ada: Person, ben: Person, stops: (() => Promise<void>)[]): Promise<void> {
  say('Ada and Ben each make an identity on their own machine. No account, no server.')
  await ada.asks('init', '--name', 'Ada')
  await ben.asks('init', '--name', 'Ben')
  stops.push((await ada.up()).stop, (await ben.up()).stop)

  say('They pair once: Ada opens an invite, Ben uses it. Both see the same words.')
  const { invite } = await ada.asks<Invite>('invite')
  await ben.types('pair', invite)
  await ada.types('contacts')
  await eventually('the connection', async () =>
    (await ada.asks<Status>('status')).connected.length > 0 ? true : undefined
  )

  say('Ada has skills as folders. Taken in, they are linked by what they mention.')
  await ada.types('import', join(SKILLS, 'ada'))
  await ada.types('closure', '@ship-a-release')

  say('Ben has two skills of his own that go by the same names.')
  await ben.types('import', join(SKILLS, 'ben'))

  say('Ada sends one skill. All that it needs goes with it: signed by her, sealed to Ben.')
  await ada.types('send', '@ship-a-release', 'Ben', '--note', 'How we release. Tell me what you think!')
  const bundle = await eventually('the delivery', async () => (await ben.asks<Delivery[]>('inbox'))[0])
  await ben.types('inbox')

  say('Nothing is merged before Ben has looked. His own two skills stay what they are.')
  const id = bundle.id.slice(0, 8)
  await ben.types('review', id)
  const { skills } = await ben.asks<Review>('review', id)
  if (skills.filter(({ status }) => status === 're-slugged').length !== 2) {
    throw new VerbFailed('the review should give two skills another name')
  }

  say('He accepts, and gives one of the two a better name than the one it would get.')
  await ben.types('accept', id, '--rename', 'review-a-change=code-review')
  await ben.types('list')

  say('Every mention leads where it did for Ada, whatever the skills are called here.')
  await ben.types('show', '@ship-a-release')
  await resolveAll(ada)
  await resolveAll(ben)

  say('A rename changes one row. What mentions the skill shows the new name at once.')
  await ben.types('rename', '@code-review', 'careful-review')
  await ben.types('show', '@ship-a-release')
  await resolveAll(ben)
  await ben.types('check')

  say('Ada sees what became of it.')
  await eventually('the receipt', async () =>
    (await ada.asks<Delivery[]>('outbox'))[0]?.state === 'imported' ? true : undefined
  )
  await ada.types('outbox')
}

const folder = await mkdtemp(join(tmpdir(), 'selkie-demo-'))
const stops: (() => Promise<void>)[] = []
try {
  const dht = await background(['dht', '--quiet', '--json'])
  stops.push(dht.stop)
  const { address } = JSON.parse(dht.line) as { address: string }
  await story(new Person('Ada', folder, address), new Person('Ben', folder, address), stops)
  say('That was the whole way: written, sent, reviewed, merged, renamed. Nothing dangles.')
} catch (error) {
  if (!(error instanceof VerbFailed)) throw error
  console.error(`\nThe demo stopped: ${error.message}`)
  process.exitCode = 1
} finally {
  for (const stop of stops.reverse()) await stop()
  await rm(folder, { recursive: true, force: true })
}
