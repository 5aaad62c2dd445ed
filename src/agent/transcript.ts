import type { Run, RunListed } from '../agent-api.js'
import { SelkieError } from '../base/errors.js'
import { Conversations, decodeHead, type Head } from '../store/conversations.js'
import type { Self } from '../store/self.js'
import { keptRun, talkOf, withCalls } from './kept-run.js'
import { Memory } from './memory/memory.js'

/** Runs that are listed unless it is said how many. */
const LISTED = 20
/** Hex digits of a run’s id, and the fewest that it is found by. */
const ID = 32
const FEWEST = 4

/** A question and its answer, and which run that was. */
export type Turn = Pick<Run, 'id' | 'question' | 'answer'>

/** The transcripts of this device. */
export class Transcripts {
  /** What was said in them, to be searched. */
  readonly memory: Memory
  readonly #log: Conversations
  /** Where runs have ended, by their ids: all of this process, and the older ones down to a place. */
  readonly #places = new Map<string, number>()
  #down: number

  private constructor(log: Conversations) {
    this.#log = log
    this.#down = log.length
    this.memory = new Memory(log)
  }

  /**
   * Opens the transcripts of this device. What was interrupted since is noted as such.
   *
   * @throws SelkieError E_STORE_KEY
   */
  static async open(self: Pick<Self, 'logs' | 'device'>): Promise<Transcripts> {
    return new Transcripts(await Conversations.open(self))
  }

  /** Notes a run that begins. Should it never end, it is there as it is given, `interrupted`. */
  async begin(run: Run): Promise<void> {
    const { head } = keptRun({ ...run, state: 'interrupted', ended: null, steps: [] })
    await this.#log.begin(run.id, head)
  }

  /** Keeps a run that has ended. What is too large for the log is cut, and says so. */
  async end(run: Run): Promise<void> {
    const { head, calls } = keptRun(run)
    this.#places.set(run.id, await this.#log.end(run.id, head, calls))
  }

  /** Runs in the order in which they began, the newest first; those that go on aren’t among them. */
  async list({ limit = LISTED }: { limit?: number } = {}): Promise<RunListed[]> {
    const listed: RunListed[] = []
    const ended = new Map<string, Head>()
    for await (const head of this.#log.backwards()) {
      if (listed.length === limit) break
      if (head.type === 'end') ended.set(head.id, head)
      const end = head.type === 'begin' && ended.get(head.id)
      if (!end) continue
      const { id, time, question, state, skills, steps } = talkOf(end)
      const calls = steps.reduce((sum, step) => sum + step.calls, 0)
      listed.push({ id, time, question, state, skills: skills.map(({ slug }) => slug), calls })
      ended.delete(head.id)
    }
    return listed
  }

  /**
   * A run that has ended, by at least four digits of its id.
   *
   * @throws SelkieError E_RUN_UNKNOWN, E_RUN_WHICH
   */
  async get(id: string): Promise<Run> {
    const place = await this.#placeOf(id)
    const [head, calls] = await Promise.all([this.#log.head(place), this.#log.calls(place)])
    return withCalls(talkOf(head), calls)
  }

  /**
   * The conversation that a run is the last turn of, from its first one on.
   *
   * @throws SelkieError E_RUN_UNKNOWN, E_RUN_WHICH
   */
  async chain(id: string): Promise<Turn[]> {
    const turns: Turn[] = []
    let place = await this.#placeOf(id)
    for (;;) {
      const { id, question, answer, after } = talkOf(await this.#log.head(place))
      turns.unshift({ id, question, answer })
      if (after === null) return turns
      place = await this.#placeOf(after)
    }
  }

  /** What the log says of the run that has ended at a place, where {@link memory} has found something. */
  async said(place: number): Promise<{ id: string; time: string; said: readonly string[] }> {
    const head = await this.#log.head(place)
    const { id, time } = talkOf(head)
    return { id, time, said: head.said }
  }

  async close(): Promise<void> {
    await this.memory.close()
    await this.#log.close()
  }

  async #placeOf(given: string): Promise<number> {
    const digits = given.toLowerCase()
    if (!/^[0-9a-f]+$/.test(digits) || digits.length < FEWEST || digits.length > ID)
      throw new SelkieError('E_RUN_UNKNOWN', { id: given })
    // A whole id is nobody else’s; the beginning of one may be that of an older run as well.
    while (this.#down > 0 && !this.#places.has(digits)) await this.#lookFurther()
    const found = this.#places.has(digits)
      ? [digits]
      : [...this.#places.keys()].filter((id) => id.startsWith(digits))
    if (found.length === 0) throw new SelkieError('E_RUN_UNKNOWN', { id: given })
    if (found.length > 1)
      throw new SelkieError('E_RUN_WHICH', {
        id: given,
        count: found.length,
        ids: found.slice(0, 5).join(', ')
      })
    return this.#places.get(found[0]!)!
  }

  /** Notes where the runs before those that are known have ended, some more of them. */
  async #lookFurther(): Promise<void> {
    const heads = await this.#log.encoded(this.#down)
    for (const { place, bytes } of heads) {
      const { type, id } = decodeHead(bytes)
      if (type === 'end') this.#places.set(id, place)
    }
    // Another call may have looked further meanwhile.
    this.#down = Math.min(this.#down, heads.at(-1)!.place)
  }
}
