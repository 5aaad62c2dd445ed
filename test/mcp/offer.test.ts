import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { Offer } from '../../src/mcp/offer.js'
import type { SkillListing, SkillPackage, SkillSource } from '../../src/skills/source.js'

/** A source that a test changes, and that says how often it was asked for its list. */
class Shelf implements SkillSource {
  readonly id = 'memory:shelf'
  readonly #skills = new Map<string, SkillPackage>()
  readonly #listeners = new Set<() => void>()
  asked = 0
  /** Done while the list is on its way. */
  meanwhile: () => void | Promise<void> = () => {}

  constructor(...names: string[]) {
    for (const name of names) this.put(name)
  }

  put(name: string, { description = `About ${name}.`, hidden = false, body = `How to ${name}.` } = {}): void {
    const hash = `${name} ${description} ${body}`
    const skill = { name, description, source: this.id, version: hash, hash, hidden }
    this.#skills.set(name, { ...skill, body, folder: null, references: [], tools: [] })
    for (const listener of this.#listeners) listener()
  }

  async list(): Promise<SkillListing> {
    this.asked++
    const skills = [...this.#skills.values()]
    await this.meanwhile()
    return { skills, problems: [] }
  }

  load = async (name: string): Promise<SkillPackage | undefined> => this.#skills.get(name)
  read = async (): Promise<undefined> => undefined
  watch(onChange: () => void): void {
    this.#listeners.add(onChange)
  }
}

function offerOf(t: Test, source: SkillSource): { offer: Offer; problems: unknown[] } {
  const problems: unknown[] = []
  const offer = new Offer({ source, version: '1.0.0', onProblem: (error) => problems.push(error) })
  t.teardown(() => offer.close())
  return { offer, problems }
}

/** An agent that converses, and how often it was told that there is another offer. */
async function conversing(offer: Offer) {
  const client = new Client({ name: 'agent', version: '1' })
  const heard = { count: 0, next: (): void => {} }
  client.setNotificationHandler('notifications/prompts/list_changed', () => {
    heard.count++
    heard.next()
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await (await offer.converse()).connect(theirs)
  await client.connect(ours)
  const told = (): Promise<void> => new Promise((resolve) => (heard.next = resolve))
  return { client, heard, told }
}

t.test('any number of skills come as prompts, each once and in order', async (t) => {
  const names = Array.from({ length: 1201 }, (_, i) => `skill-${i}`)
  const { offer } = offerOf(t, new Shelf(...names))
  const { client } = await conversing(offer)
  const first = await client.listPrompts({ cursor: '' })
  t.equal(first.prompts.length, 500)
  const { prompts } = await client.listPrompts()
  t.same(
    prompts.map(({ name }) => name),
    names.toSorted((a, b) => (a < b ? -1 : 1))
  )
  const { tools } = await client.listTools()
  t.match(tools[0], { description: /^Skills: skill-0, .*, and more\. Gives/ })
  t.ok(tools[0]!.description!.length < 1500)
})

t.test('conversations share one list, and each hears of a change once', async (t) => {
  const shelf = new Shelf('one')
  const { offer } = offerOf(t, shelf)
  const agents = [await conversing(offer), await conversing(offer), await conversing(offer)]
  t.equal(shelf.asked, 1)
  const told = agents.map((agent) => agent.told())
  shelf.put('two')
  await Promise.all(told)
  t.equal(shelf.asked, 2)
  for (const { client } of agents) t.equal((await client.listPrompts()).prompts.length, 2)
  t.same(
    agents.map(({ heard }) => heard.count),
    [1, 1, 1]
  )
})

t.test('changes that come one upon the other are told once more, not each', async (t) => {
  const shelf = new Shelf()
  const { offer } = offerOf(t, shelf)
  const { client, told, heard } = await conversing(offer)
  const asked = shelf.asked
  const first = told()
  for (let i = 0; i < 100; i++) shelf.put(`skill-${i}`)
  await first
  t.equal((await client.listPrompts()).prompts.length, 100)
  t.ok(shelf.asked - asked <= 2, `${shelf.asked - asked} lists`)
  t.ok(heard.count <= 2, `${heard.count} notices`)
})

t.test('what is on offer is the same where only a text or a hidden skill changes', async (t) => {
  const shelf = new Shelf('one')
  const { offer } = offerOf(t, shelf)
  const { client, told, heard } = await conversing(offer)
  const load = () => client.callTool({ name: 'loadSkill', arguments: { name: 'one' } })
  t.match(await load(), { content: [{ text: 'How to one.' }, {}] })
  shelf.put('one', { body: 'Otherwise.' })
  shelf.put('secret', { hidden: true })
  const next = told()
  shelf.put('one', { body: 'Otherwise.', description: 'Another one.' })
  await next
  t.equal(heard.count, 1)
  t.match(await load(), { content: [{ text: 'Otherwise.' }, { text: /has changed since it was loaded/ }] })
  t.match(await client.callTool({ name: 'loadSkill', arguments: { name: 'secret' } }), { isError: true })
  t.match(
    await client.getPrompt({ name: 'secret' }),
    { messages: [{ role: 'user' }] },
    'the person may invoke it'
  )
})

t.test('a conversation that begins while the skills change has the new ones', async (t) => {
  const shelf = new Shelf('one')
  const { offer } = offerOf(t, shelf)
  shelf.meanwhile = () => {
    shelf.meanwhile = () => {}
    shelf.put('two')
  }
  const { client } = await conversing(offer)
  t.match(client.getInstructions(), /^- two: /m)
  t.equal((await client.listPrompts()).prompts.length, 2)
})

t.test('a list that couldn’t be had is asked for anew', async (t) => {
  const shelf = new Shelf('one')
  const { offer, problems } = offerOf(t, shelf)
  const fault = new Error('away')
  shelf.meanwhile = () => Promise.reject(fault)
  await t.rejects(offer.converse(), fault)
  shelf.meanwhile = () => {}
  const { client, told } = await conversing(offer)
  shelf.meanwhile = () => {
    shelf.meanwhile = () => {}
    throw fault
  }
  shelf.put('two')
  // Told once it fails; what comes then is told again.
  while (problems.length === 0) await new Promise((resolve) => setImmediate(resolve))
  t.same(problems, [fault])
  const next = told()
  shelf.put('three')
  await next
  t.equal((await client.listPrompts()).prompts.length, 3)
})

t.test('without an offer there are no instructions', async (t) => {
  const { offer } = offerOf(t, new Shelf())
  const { client } = await conversing(offer)
  t.equal(client.getInstructions(), undefined)
  t.match((await client.listTools()).tools, [{ name: 'loadSkill', description: /^Gives/ }, {}])
  t.notMatch((await client.listTools()).tools[0]!.description, /Skills:/)
})
