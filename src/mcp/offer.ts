import type { McpServer } from '@modelcontextprotocol/server'
import { createSkills, type Skills } from '../skills/integration.js'
import type { SkillListing, SkillSource, SkillSummary } from '../skills/source.js'
import { afterClose } from './after-close.js'
import { isSameOffer, newConversation, offered, type Conversation } from './conversation.js'

/** Stands after the catalog: what is another matter here than with Selkie’s own agent. */
const ABOUT_MENTIONS = `A skill’s text mentions other skills as @name: when you come to one, call loadSkill with its name, also where the list above doesn’t have it. @calendar, @check-notebook, @current-date, @find-file, @grep-memory and @list-devices are tools of Selkie’s own agent: do the same with your tools, or say that you can’t.
`

export interface OfferOptions {
  readonly source: SkillSource
  /** Of this program. */
  readonly version: string
  /** Told of what fails where no agent waits for it. */
  readonly onProblem: (error: unknown) => void
}

/** The skills of one source for any number of agents, each of which hears when they change. */
export class Offer {
  readonly #options: OfferOptions
  readonly #source: SkillSource
  readonly #conversations = new Set<Conversation>()
  readonly #listeners = new Set<() => void>()
  readonly #closing = new AbortController()
  #listing: { readonly changes: number; readonly answer: Promise<SkillListing> } | undefined
  readonly #instructions = new WeakMap<object, string>()
  #changes = 0
  /** What is told of changes now, and whether there is more to tell. */
  #telling: Promise<void> | undefined
  #again = false
  #offered: readonly SkillSummary[] | undefined

  constructor(options: OfferOptions) {
    const { source } = options
    this.#options = options
    // Many conversations ask for one list.
    this.#source = {
      id: source.id,
      list: () => this.#list(),
      load: (name, version, options) => source.load(name, version, options),
      read: (skill, path, options) => source.read(skill, path, options)
    }
    source.watch?.(() => this.#changed(), { signal: this.#closing.signal })
  }

  /** The server for a conversation, which hears of changes until it ends. */
  async converse(): Promise<McpServer> {
    const conversation = await this.#begin()
    this.#conversations.add(conversation)
    afterClose(conversation.server.server, () => this.#conversations.delete(conversation))
    return conversation.server
  }

  /** The server for one request: it ends before anything changes. */
  async answerOnce(): Promise<McpServer> {
    return (await this.#begin()).server
  }

  /** Calls back when what is offered has become another. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#conversations].map(({ server }) => server.close()))
    await this.#telling
  }

  async #begin(): Promise<Conversation> {
    for (;;) {
      const changes = this.#changes
      const skills = createSkills(this.#source)
      const instructions = await this.#instructionsOf(skills)
      this.#offered ??= await offered(skills)
      // What changed in between is told to nobody.
      if (changes === this.#changes) return newConversation(skills, instructions, this.#options.version)
    }
  }

  /** The catalog of a list is made once. */
  async #instructionsOf(skills: Skills): Promise<string> {
    const listing = await skills.list()
    const made = this.#instructions.get(listing)
    if (made !== undefined) return made
    const { text } = await skills.renderInstructions()
    const instructions = text && text + ABOUT_MENTIONS
    this.#instructions.set(listing, instructions)
    return instructions
  }

  /** The list of now: asked for once until something changes. */
  async #list(): Promise<SkillListing> {
    if (this.#listing?.changes !== this.#changes)
      this.#listing = { changes: this.#changes, answer: this.#options.source.list() }
    const asked = this.#listing
    try {
      return await asked.answer
    } catch (error) {
      // What couldn’t be had is asked for anew the next time.
      if (this.#listing === asked) this.#listing = undefined
      throw error
    }
  }

  /** However much changes while it is told, it is told once more after that. */
  #changed(): void {
    this.#changes++
    this.#again = true
    this.#telling ??= this.#tell().finally(() => (this.#telling = undefined))
  }

  async #tell(): Promise<void> {
    while (this.#again && !this.#closing.signal.aborted) {
      this.#again = false
      try {
        const before = this.#offered
        this.#offered = await offered(this.#source)
        await Promise.all([...this.#conversations].map((each) => each.changed()))
        if (before && isSameOffer(before, this.#offered)) continue
        for (const listener of this.#listeners) listener()
      } catch (error) {
        if (!this.#closing.signal.aborted) this.#options.onProblem(error)
      }
    }
  }
}
