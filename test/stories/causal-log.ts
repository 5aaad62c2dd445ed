/** One entry of a device’s log, and what that device had seen when it wrote it. */
export interface LogEntry {
  readonly writer: number
  /** Its place in the log of its writer, from 0. */
  readonly index: number
  /** How many entries of each log came before it, of its own too. */
  readonly seen: readonly number[]
  /** An encoded op; null where the device has only written down what it had seen. */
  readonly bytes: Uint8Array | null
}

/**
 * All that the devices of a world have written, and the order that Autobase gives to any
 * part of it: causes first, and of what is made apart the writer with the lower key first.
 * What the founder has written down keeps its place for ever, with all that came before it;
 * see `consensus.js` and `topolist.js` there, with one indexer.
 */
export class CausalLog {
  readonly #logs: readonly LogEntry[][]
  readonly #order: readonly number[]
  readonly #ordered = new Map<string, readonly LogEntry[]>()

  /** @param order the writers, lowest key first; writer 0 is the founder */
  constructor(writers: number, order: readonly number[]) {
    this.#logs = Array.from({ length: writers }, () => [])
    this.#order = order.filter((writer) => writer < writers)
  }

  append(writer: number, seen: readonly number[], bytes: Uint8Array | null): void {
    const log = this.#logs[writer]!
    log.push({ writer, index: log.length, seen, bytes })
  }

  /** Of what a device was given, as much of each log as has all its causes. */
  usable(given: readonly number[]): number[] {
    const usable = given.map(() => 0)
    for (let before = -1; before < sum(usable);) {
      before = sum(usable)
      for (const [writer, length] of given.entries()) {
        while (usable[writer]! < length && holds(usable, this.#logs[writer]![usable[writer]!]!.seen))
          usable[writer]!++
      }
    }
    return usable
  }

  /** The entries of so much of each log, in the order that every device gives them. */
  ordered(lengths: readonly number[]): readonly LogEntry[] {
    const key = lengths.join()
    let ordered = this.#ordered.get(key)
    if (!ordered) this.#ordered.set(key, (ordered = this.#sorted(lengths)))
    return ordered
  }

  #sorted(lengths: readonly number[]): LogEntry[] {
    const entries: LogEntry[] = []
    const taken = lengths.map(() => 0)
    for (const entry of this.#logs[0]!.slice(0, lengths[0])) {
      this.#takeUpTo(entry.seen, taken, entries)
      taken[0] = entry.index + 1
      entries.push(entry)
    }
    this.#takeUpTo(lengths, taken, entries)
    return entries
  }

  /** Always the next entry that has all its causes, of the writer with the lowest key. */
  #takeUpTo(lengths: readonly number[], taken: number[], entries: LogEntry[]): void {
    const isReady = (writer: number): boolean =>
      taken[writer]! < lengths[writer]! && holds(taken, this.#logs[writer]![taken[writer]!]!.seen)
    for (;;) {
      const writer = this.#order.find(isReady)
      if (writer === undefined) return
      entries.push(this.#logs[writer]![taken[writer]!++]!)
    }
  }
}

/** Whether so much of each log includes so much of each. */
export function holds(lengths: readonly number[], others: readonly number[]): boolean {
  return others.every((length, writer) => length <= lengths[writer]!)
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0)
}
