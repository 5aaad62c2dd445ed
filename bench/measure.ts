/** A figure with the goal that it is held against. */
export interface Figure {
  readonly name: string
  /** What was measured, in words with units. */
  readonly found: string
  readonly goal: string
  readonly met: boolean
}

/** Milliseconds that each of `rounds` runs took, shortest first. */
export async function timesOf(rounds: number, run: (round: number) => unknown): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await run(round)
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)
}

/** The middle one of times in rising order. */
export function median(times: readonly number[]): number {
  return times[Math.floor(times.length / 2)]!
}

/** A time in milliseconds, to three digits. */
export function ms(time: number): string {
  return `${time.toPrecision(3)} ms`
}
