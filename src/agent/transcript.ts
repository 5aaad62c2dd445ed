import type { Run, RunListed } from '../agent-api.js'
import { SelkieError } from '../base/errors.js'
import { Conversations, decodeHead, type Head } from '../store/conversations.js'
import type { Self } from '../store/self.js'
import { keptRun, talkOf, withCalls, type Talk } from './kept-run.js'
import { Memory } from './memory/memory.js'

/** Runs that are listed unless it is said how many. */
const LISTED = 20
/** Hex digits of a run’s id, and the fewest that it is found by. */
const ID = 32
const FEWEST = 4

const NO_CALLS = new Uint8Array()

/** A question and its answer, and which run that was. */
export type Turn = Pick<Run, 'id' | 'question' | 'answer'>

/** The transcripts of this device. */
export class Transcripts {
  /** What was said in them, to be searched. */
  readonly memory: Memory
  readonly #log: Conversations
  /** Runs that go on, by their ids: as they began. */
  readonly #open = new Map<string, Talk>()
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

  /** Notes a run that begins: it is `running` from now on, and should it never end, `interrupted`. */
  async begin(run: Run): Promise<void> {
    const begun = { ...run, ended: null, steps: [] }
    const { head } = keptRun({ ...begun, state: 'interrupted' })
    await this.#log.begin(run.id, head)
    this.#open.set(run.id, { ...begun, state: 'running' })
  }

  /** Keeps a run that has ended. What is too large for the log is cut, and says so. */
  async end(run: Run): Promise<void> {
    const { head, calls } = keptRun(run)
    try {
      this.#places.set(run.id, await this.#log.end(run.id, head, calls))
    } finally {
      this.#open.delete(run.id)
    }
  }

  /** Runs in the order in which they began, the newest first; those that go on are `running`. */
  async list({ limit = LISTED }: { limit?: number } = {}): Promise<RunListed[]> {
    const listed: RunListed[] = []
    const ended = new Map<string, Head>()
    // As of now: what ends while the log is read has no end in the part that is read.
    const open = new Map(this.#open)
    for await (const head of this.#log.backwards()) {
      if (listed.length === limit) break
      if (head.type === 'end') {
        ended.set(head.id, head)
        continue
      }
      const end = ended.get(head.id)
      const talk = end ? talkOf(end) : open.get(head.id)
      if (!talk) continue
      const { id, time, question, state, skills, steps } = talk
      const calls = steps.reduce((sum, step) => sum + step.calls, 0)
      listed.push({ id, time, question, state, skills: skills.map(({ slug }) => slug), calls })
      ended.delete(head.id)
    }
    return listed
  }

  /**
   * A run, by at least four digits of its id; one that goes on as it began.
   *
   * @throws SelkieError E_RUN_UNKNOWN, E_RUN_WHICH
   */
  async show(given: string): Promise<Run> {
    const id = await this.#idOf(given)
    const begun = this.#open.get(id)
    return begun ? withCalls(begun, NO_CALLS) : this.get(id)
  }

  /**
   * A run that has ended, by at least four digits of its id.
   *
   * @throws SelkieError E_RUN_UNKNOWN, E_RUN_WHICH, E_RUN_RUNNING
   */
  async get(id: string): Promise<Run> {
    const place = await this.#placeOf(id)
    const [head, calls] = await Promise.all([this.#log.head(place), this.#log.calls(place)])
    return withCalls(talkOf(head), calls)
  }

  /**
   * The conversation that a run is the last turn of, from its first one on.
   *
   * @throws SelkieError E_RUN_UNKNOWN, E_RUN_WHICH, E_RUN_RUNNING
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
    const place = this.#places.get(await this.#idOf(given))
    if (place === undefined) throw new SelkieError('E_RUN_RUNNING', { id: given })
    return place
  }

  /** The whole id of a run that goes on or has ended. */
  async #idOf(given: string): Promise<string> {
    const digits = given.toLowerCase()
    const isKnown = (): boolean => this.#places.has(digits) || this.#open.has(digits)
    if (!/^[0-9a-f]+$/.test(digits) || digits.length < FEWEST || digits.length > ID)
      throw new SelkieError('E_RUN_UNKNOWN', { id: given })
    // A whole id is nobody else’s; the beginning of one may be that of an older run as well.
    while (this.#down > 0 && !isKnown()) await this.#lookFurther()
    const found = isKnown()
      ? [digits]
      : [...this.#places.keys(), ...this.#open.keys()].filter((id) => id.startsWith(digits))
    if (found.length === 0) throw new SelkieError('E_RUN_UNKNOWN', { id: given })
    if (found.length > 1)
      throw new SelkieError('E_RUN_WHICH', {
        id: given,
        count: found.length,
        ids: found.slice(0, 5).join(', ')
      })
    return found[0]!
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
