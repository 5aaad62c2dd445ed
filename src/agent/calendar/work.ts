/** Bounds what is worked out, in days and times that are looked at. */
export class Work {
  #left: number
  readonly #whole: Work | undefined

  /** @param whole of which this is a part: what is spent here is spent there too */
  constructor(steps: number, whole?: Work) {
    this.#left = steps
    this.#whole = whole
  }

  /** False when there is no more. */
  spend(steps: number): boolean {
    this.#left -= steps
    this.#whole?.spend(steps)
    return !this.isDone
  }

  get isDone(): boolean {
    return this.#left < 0 || (this.#whole?.isDone ?? false)
  }
}
